#include "spatial_dynamics/dynamics/generated_library.hpp"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

extern char** environ;

namespace spatial_dynamics {
namespace {

/// FNV-1a.
std::string fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char buffer[20];
  std::snprintf(buffer, sizeof buffer, "%016llx", static_cast<unsigned long long>(hash));
  return buffer;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("can't write " + path.string());
}

/// Rejects a folder to which other users may write, so that only code of this user is loaded.
void require_own(const std::filesystem::path& folder) {
  struct stat found {};
  if (lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
      (found.st_mode & (S_IWGRP | S_IWOTH)) == 0) {
    return;
  }
  throw std::runtime_error("others may write to " + folder.string() +
                           ", whose code would be run; remove this folder");
}

/// Identifies the processor, because machines with other processors may share the folder.
std::string processor() {
  std::string text;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    for (const char* key : {"model name", "flags", "Features", "CPU part"}) {
      if (line.rfind(key, 0) == 0) text += line;
    }
  }
  return text;
}

/// Runs a program and waits for it. True if its exit code is 0.
bool run(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) {
    return false;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

template <typename Function>
void find_symbol(void* handle, const std::string& name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name.c_str()));
  if (function == nullptr) throw std::runtime_error("the generated code has no " + name);
}

}  // namespace

void GeneratedLibrary::Close::operator()(void* handle) const noexcept { dlclose(handle); }

GeneratedLibrary GeneratedLibrary::build(const Model& model, const GenerateOptions& options,
                                         const std::string& folder) {
  const GeneratedCode code = generate_code(model, options);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* chosen = std::getenv("CXX");
  const std::string compiler = chosen != nullptr && *chosen != '\0' ? chosen : "c++";
  std::vector<std::string> flags{
      "-std=c++17", "-O2", "-ffp-contract=fast", "-fno-math-errno", "-w", "-shared", "-fPIC"};
#if defined(__x86_64__)  // tuned for this processor, GCC would keep numbers in general registers
  flags.insert(flags.end(), {"-march=native", "-mtune=generic"});
#endif
  std::string key = compiler + processor() + code.source + code.header;
  for (const std::string& flag : flags) key += flag;
  const std::filesystem::path place =
      std::filesystem::path(folder) / (code.name + "-" + fingerprint(key));
  const std::filesystem::path object = place / (code.name + ".so");
  std::error_code error;
  if (std::filesystem::create_directories(place, error)) {
    std::filesystem::permissions(place, std::filesystem::perms::owner_all, error);
  }
  if (error) {
    throw std::runtime_error("the folder " + place.string() +
                             " for generated code cannot be made: " + error.message() +
                             "; check the permissions of its folders");
  }
  require_own(place);
  if (!std::filesystem::exists(object)) {
    write_file(place / (code.name + ".hpp"), code.header);
    write_file(place / (code.name + ".cpp"), code.source);
    // Written under a temporary name until complete, because another process may look for it.
    const std::string unfinished = object.string() + "." + std::to_string(::getpid());
    std::vector<std::string> words{compiler};
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"-o", unfinished, (place / (code.name + ".cpp")).string()});
    if (!run(words)) {
      throw std::runtime_error("'" + compiler + "' could not compile " +
                               (place / (code.name + ".cpp")).string() +
                               "; install a C++ compiler or name one by CXX");
    }
    std::filesystem::rename(unfinished, object);
  }
  GeneratedLibrary library;
  library.path_ = object.string();
  library.handle_.reset(dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library.handle_)
    throw std::runtime_error("the generated code in " + library.path_ + " can't be loaded");
  GeneratedFunctions& f = library.functions_;
  const auto find = [&](const char* function, auto& pointer) {
    find_symbol(library.handle_.get(), code.name + function, pointer);
  };
  find("_nq", f.nq);
  find("_nv", f.nv);
  find("_inverse_dynamics", f.inverse_dynamics);
  find("_mass_matrix", f.mass_matrix);
  find("_forward_dynamics", f.forward_dynamics);
  find("_inverse_dynamics_batch", f.inverse_dynamics_batch);
  find("_mass_matrix_batch", f.mass_matrix_batch);
  find("_forward_dynamics_batch", f.forward_dynamics_batch);
  const std::string difference = find_difference(f, model, options.payload_link);
  if (!difference.empty()) throw std::runtime_error(difference);
  return library;
}

}  // namespace spatial_dynamics
