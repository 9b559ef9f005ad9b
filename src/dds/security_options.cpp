#include "dds/security_options.hpp"

#include <dds/dds.h>
#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <string_view>

#include "dds/error.hpp"

namespace spatial_dynamics::dds {
namespace {

namespace fs = std::filesystem;

/// A file of an enclave, and the property that names it.
struct KeyFile {
  const char* property;
  const char* name;
};
constexpr std::array<KeyFile, 6> kRequiredFiles{
    {{"dds.sec.auth.identity_ca", "identity_ca.cert.pem"},
     {"dds.sec.auth.identity_certificate", "cert.pem"},
     {"dds.sec.auth.private_key", "key.pem"},
     {"dds.sec.access.permissions_ca", "permissions_ca.cert.pem"},
     {"dds.sec.access.governance", "governance.p7s"},
     {"dds.sec.access.permissions", "permissions.p7s"}}};
constexpr KeyFile kRevoked{"org.eclipse.cyclonedds.sec.auth.crl", "crl.pem"};  // may be missing

struct Plugin {
  const char* properties;  // prefix of its properties
  const char* file;
  const char* function;  // suffix of its functions' names
};
constexpr std::array<Plugin, 3> kPlugins{
    {{"dds.sec.auth.library", "libdds_security_auth.so", "authentication"},
     {"dds.sec.crypto.library", "libdds_security_crypto.so", "crypto"},
     {"dds.sec.access.library", "libdds_security_ac.so", "access_control"}}};

/// The folder of the security plug-ins, beside the library or (Debian) in a folder below it. With
/// full paths, LD_LIBRARY_PATH has no effect.
fs::path plugin_folder() {
  Dl_info library{};
  if (::dladdr(reinterpret_cast<const void*>(&dds_create_participant), &library) == 0) return {};
  std::error_code error;
  const fs::path beside = fs::canonical(library.dli_fname, error).parent_path();
  for (const fs::path& folder : {beside / "libddsc0debian", beside}) {
    if (fs::is_regular_file(folder / kPlugins[0].file, error)) return folder;
  }
  return {};
}

fs::path folder_of(const std::string& keystore, const std::string& enclave) {
  const fs::path below = fs::path(enclave).relative_path();
  for (const fs::path& part : below) {
    if (part == "..") throw Error("enclave '" + enclave + "' must not have .. in it.");
  }
  return keystore.empty() ? fs::path() : fs::absolute(fs::path(keystore)) / "enclaves" / below;
}

/// Why the enclave can't be used; empty if it can.
std::string trouble_with(const std::string& keystore, const fs::path& folder) {
  if (keystore.empty()) return "ROS_SECURITY_KEYSTORE is not set";
  std::error_code error;
  if (!fs::is_directory(folder, error)) return "there is no folder " + folder.string();
  std::string missing;
  for (const KeyFile& file : kRequiredFiles) {
    if (fs::is_regular_file(folder / file.name, error)) continue;
    missing += missing.empty() ? "" : ", ";
    missing += file.name;
  }
  if (!missing.empty()) return "the folder " + folder.string() + " lacks " + missing;
  if (plugin_folder().empty()) return "the Cyclone DDS in use has no security plugins";
  return {};
}

void add_properties(const fs::path& folder, SecurityOptions& options) {
  const auto add = [&](const std::string& name, const std::string& value) {
    options.properties.emplace_back(name, value);
  };
  for (const KeyFile& file : kRequiredFiles) {
    add(file.property, "file:" + (folder / file.name).string());
  }
  std::error_code error;
  if (fs::is_regular_file(folder / kRevoked.name, error)) {
    add(kRevoked.property, "file:" + (folder / kRevoked.name).string());
  }
  const fs::path plugins = plugin_folder();
  for (const Plugin& plugin : kPlugins) {
    const std::string name = plugin.properties;
    add(name + ".path", (plugins / plugin.file).string());
    add(name + ".init", std::string("init_") + plugin.function);
    add(name + ".finalize", std::string("finalize_") + plugin.function);
  }
}

/// ROS 2 accepts only one spelling and silently treats every other value as "no".
void warn_of_spelling(const Environment& environment, const char* variable, const char* spelling,
                      const char* no, const char* consequence, SecurityOptions& options) {
  const std::string value = environment(variable);
  if (value.empty() || value == spelling || value == no) return;
  options.warnings.push_back(std::string(variable) + " is '" + value + "', which is not '" +
                             spelling + "': " + consequence + ", as in ROS 2.");
}

}  // namespace

SecurityOptions security_options_from(const Environment& environment, const std::string& enclave) {
  SecurityOptions options;
  const std::string override = environment("ROS_SECURITY_ENCLAVE_OVERRIDE");
  if (!override.empty()) {
    options.enclave = override;
  } else if (!enclave.empty()) {
    options.enclave = enclave;
  }
  if (options.enclave.front() != '/') {
    throw Error("enclave '" + options.enclave + "' must begin with /.");
  }
  warn_of_spelling(environment, "ROS_SECURITY_ENABLE", "true", "false",
                   "the node is open to everyone", options);
  if (environment("ROS_SECURITY_ENABLE") != "true") return options;
  warn_of_spelling(environment, "ROS_SECURITY_STRATEGY", "Enforce", "Permissive",
                   "Permissive is assumed", options);
  const std::string keystore = environment("ROS_SECURITY_KEYSTORE");
  const fs::path folder = folder_of(keystore, options.enclave);
  const std::string trouble = trouble_with(keystore, folder);
  if (trouble.empty()) {
    options.folder = folder.string();
    add_properties(folder, options);
  } else if (environment("ROS_SECURITY_STRATEGY") == "Enforce") {
    throw Error("security is enforced, but " + trouble + "; create the enclave '" +
                options.enclave + "' or set ROS_SECURITY_ENCLAVE_OVERRIDE.");
  } else {
    options.warnings.push_back("ROS_SECURITY_ENABLE is set, but " + trouble +
                               ": the node is open to everyone (ROS_SECURITY_STRATEGY=Enforce "
                               "would not start).");
  }
  return options;
}

}  // namespace spatial_dynamics::dds
