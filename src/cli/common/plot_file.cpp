#include "cli/common/plot_file.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

// From librsvg: converts SVG to PNG.
constexpr const char* kConverter = "rsvg-convert";

bool has_ending(std::string_view file, std::string_view ending) {
  return file.size() > ending.size() && file.substr(file.size() - ending.size()) == ending;
}

bool is_on_path(const std::string& program) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    const std::filesystem::path file = std::filesystem::path(folder) / program;
    if (::access(file.c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// A temporary file with a text.
class TemporaryText {
 public:
  explicit TemporaryText(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / "picture-XXXXXX").string()) {
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0) {
      throw std::runtime_error(
          in_quotes(path_) + " can't be written: " + std::generic_category().message(errno) + ".");
    }
    ::close(descriptor);
    write_file(path_, text);
  }
  ~TemporaryText() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryText(const TemporaryText&) = delete;
  TemporaryText& operator=(const TemporaryText&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Runs a program from the PATH without a shell and waits for it. Returns true if its exit code is
/// 0.
template <std::size_t n>
bool succeeds(std::array<std::string, n> words) {
  std::array<char*, n + 1> argv{};
  for (std::size_t i = 0; i < n; ++i) argv[i] = words[i].data();
  pid_t child = 0;
  if (::posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string plot_file_problem(const std::string& file) {
  if (has_ending(file, ".svg")) return "";
  if (!has_ending(file, ".png")) return "the name of a plot must end in .svg or .png";
  if (is_on_path(kConverter)) return "";
  return "a PNG needs rsvg-convert, which is not installed (Debian: apt-get install "
         "librsvg2-bin); use a name that ends in .svg";
}

void write_plot(const std::string& file, const std::string& svg) {
  if (!has_ending(file, ".png")) {
    write_file(file, svg);
    return;
  }
  write_file(file, "");  // gives a better error than the converter
  const TemporaryText source(svg);
  if (!succeeds<4>({kConverter, "--zoom=2", "--output=" + file, source.path()})) {
    throw std::runtime_error(in_quotes(file) + " can't be drawn: " + kConverter +
                             " failed; use a name that ends in .svg.");
  }
}

}  // namespace spatial_dynamics::cli
