// Creates keys in the form of ROS 2's security with openssl: a keystore with its own authorities
// and an enclave per member.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace spatial_dynamics::test {

/// Topics (DDS's names, with wildcards) that a member may use; "*" is all.
struct Rights {
  std::vector<std::string> publish{"*"};
  std::vector<std::string> subscribe{"*"};
};

/// A folder that is deleted with this object. Throws std::runtime_error with the error of openssl.
class Keystore {
 public:
  Keystore() {
    std::string name = std::filesystem::temp_directory_path() / "keystore.XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    shell("openssl ecparam -name prime256v1 -genkey -noout -out ca.key.pem");
    shell(
        "openssl req -new -x509 -sha256 -days 2 -key ca.key.pem -out ca.cert.pem -subj "
        "/CN=authority");
    write("governance.xml", governance());
    sign("governance");
  }
  ~Keystore() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  Keystore(const Keystore&) = delete;
  Keystore& operator=(const Keystore&) = delete;

  /// Whether the program openssl is installed.
  static bool possible() { return std::system("openssl version >/dev/null 2>&1") == 0; }  // NOLINT

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path enclave_folder(const std::string& enclave) const {
    return folder_ / "enclaves" / enclave.substr(1);
  }

  /// Creates the keys of an enclave ("/arm/dynamics").
  void add(const std::string& enclave, const Rights& rights = {}) const {
    const std::filesystem::path keys = enclave_folder(enclave);
    std::filesystem::create_directories(keys);
    const std::string at = "'" + keys.string() + "'/";
    shell("openssl ecparam -name prime256v1 -genkey -noout -out " + at + "key.pem");
    shell("openssl req -new -sha256 -key " + at + "key.pem -out " + at +
          "request.pem -subj /CN=" + common_name(enclave));
    shell("openssl x509 -req -sha256 -days 2 -in " + at + "request.pem -CA ca.cert.pem -CAkey " +
          "ca.key.pem -CAcreateserial -out " + at + "cert.pem");
    write("permissions.xml", permissions(enclave, rights));
    sign("permissions");
    std::filesystem::rename(folder_ / "permissions.p7s", keys / "permissions.p7s");
    for (const char* authority : {"identity_ca.cert.pem", "permissions_ca.cert.pem"}) {
      std::filesystem::copy_file(folder_ / "ca.cert.pem", keys / authority);
    }
    std::filesystem::copy_file(folder_ / "governance.p7s", keys / "governance.p7s");
  }

  /// The environment variables of a member.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> variables(
      const std::string& enclave) const {
    return {{"ROS_SECURITY_ENABLE", "true"},
            {"ROS_SECURITY_STRATEGY", "Enforce"},
            {"ROS_SECURITY_KEYSTORE", folder_.string()},
            {"ROS_SECURITY_ENCLAVE_OVERRIDE", enclave}};
  }

 private:
  /// Without slashes, which separate fields in a subject for openssl.
  static std::string common_name(const std::string& enclave) {
    std::string name = enclave.substr(1);
    for (char& c : name) c = c == '/' ? '_' : c;
    return name;
  }
  static std::string topics(const char* element, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += "<topic>" + name + "</topic>";
    return text.empty()
               ? text
               : std::string("<") + element + "><topics>" + text + "</topics></" + element + ">";
  }
  /// Like ROS 2's own policy: nobody without keys, everything encrypted.
  static std::string governance() {
    return R"(<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
     xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_governance.xsd">
<domain_access_rules><domain_rule>
<domains><id_range><min>0</min><max>230</max></id_range></domains>
<allow_unauthenticated_participants>false</allow_unauthenticated_participants>
<enable_join_access_control>true</enable_join_access_control>
<discovery_protection_kind>ENCRYPT</discovery_protection_kind>
<liveliness_protection_kind>ENCRYPT</liveliness_protection_kind>
<rtps_protection_kind>SIGN</rtps_protection_kind>
<topic_access_rules><topic_rule><topic_expression>*</topic_expression>
<enable_discovery_protection>true</enable_discovery_protection>
<enable_liveliness_protection>true</enable_liveliness_protection>
<enable_read_access_control>true</enable_read_access_control>
<enable_write_access_control>true</enable_write_access_control>
<metadata_protection_kind>ENCRYPT</metadata_protection_kind>
<data_protection_kind>ENCRYPT</data_protection_kind>
</topic_rule></topic_access_rules>
</domain_rule></domain_access_rules></dds>
)";
  }
  static std::string permissions(const std::string& enclave, const Rights& rights) {
    return R"(<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
     xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_permissions.xsd">
<permissions><grant name=")" +
           enclave + R"("><subject_name>CN=)" + common_name(enclave) + R"(</subject_name>
<validity><not_before>2020-01-01T00:00:00</not_before><not_after>2120-01-01T00:00:00</not_after></validity>
<allow_rule><domains><id_range><min>0</min><max>230</max></id_range></domains>)" +
           topics("publish", rights.publish) + topics("subscribe", rights.subscribe) +
           R"(</allow_rule><default>DENY</default></grant></permissions></dds>
)";
  }

  void sign(const std::string& document) const {
    shell("openssl smime -sign -text -in " + document + ".xml -out " + document +
          ".p7s -signer ca.cert.pem -inkey ca.key.pem");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void shell(const std::string& command) const {
    const std::filesystem::path log = folder_ / "log";
    const std::string line =
        "cd '" + folder_.string() + "' && " + command + " > '" + log.string() + "' 2>&1";
    if (std::system(line.c_str()) == 0) return;  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
    std::ifstream file(log);
    throw std::runtime_error(
        command + ": " +
        std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
  }

  std::filesystem::path folder_;
};

}  // namespace spatial_dynamics::test
