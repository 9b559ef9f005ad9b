#include "dds/security_options.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "dds_test.hpp"

namespace spatial_dynamics::dds {
namespace {

namespace fs = std::filesystem;
using test::environment_of;
using test::error_of;
using test::Variables;

/// A keystore with empty files: these tests do not read them.
class SecurityOptionsTest : public ::testing::Test {
 protected:
  SecurityOptionsTest() {
    std::string name = fs::temp_directory_path() / "keys.XXXXXX";
    keystore = ::mkdtemp(name.data());
    folder = keystore / "enclaves/arm/dynamics";
    fs::create_directories(folder);
    for (const char* file : {"identity_ca.cert.pem", "cert.pem", "key.pem",
                             "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s"}) {
      std::ofstream(folder / file) << "\n";
    }
    variables = {{"ROS_SECURITY_ENABLE", "true"},
                 {"ROS_SECURITY_STRATEGY", "Enforce"},
                 {"ROS_SECURITY_KEYSTORE", keystore}};
  }
  ~SecurityOptionsTest() override { fs::remove_all(keystore); }

  [[nodiscard]] SecurityOptions options(const std::string& enclave = "/arm/dynamics") const {
    return security_options_from(environment_of(variables), enclave);
  }
  [[nodiscard]] std::string rejection(const std::string& enclave = "/arm/dynamics") const {
    return error_of([&] { (void)options(enclave); });
  }
  static std::string property(const SecurityOptions& options, const std::string& name) {
    for (const auto& [key, value] : options.properties) {
      if (key == name) return value;
    }
    return {};
  }

  fs::path keystore, folder;
  Variables variables;
};

TEST(SecurityOptions, SecurityIsOffWithoutVariables) {
  const SecurityOptions options = security_options_from(environment_of({}), "");
  EXPECT_FALSE(options.enabled());
  EXPECT_EQ(options.enclave, "/");
  EXPECT_TRUE(options.warnings.empty());
}

TEST_F(SecurityOptionsTest, FilesOfTheEnclaveBecomeDdsSecuritysProperties) {
  const SecurityOptions options = this->options();
  EXPECT_TRUE(options.enabled());
  EXPECT_EQ(options.enclave, "/arm/dynamics");
  EXPECT_TRUE(options.warnings.empty());
  const std::string prefix = "file:" + folder.string() + "/";
  EXPECT_EQ(property(options, "dds.sec.auth.identity_ca"), prefix + "identity_ca.cert.pem");
  EXPECT_EQ(property(options, "dds.sec.auth.identity_certificate"), prefix + "cert.pem");
  EXPECT_EQ(property(options, "dds.sec.auth.private_key"), prefix + "key.pem");
  EXPECT_EQ(property(options, "dds.sec.access.permissions_ca"), prefix + "permissions_ca.cert.pem");
  EXPECT_EQ(property(options, "dds.sec.access.governance"), prefix + "governance.p7s");
  EXPECT_EQ(property(options, "dds.sec.access.permissions"), prefix + "permissions.p7s");
  EXPECT_EQ(property(options, "org.eclipse.cyclonedds.sec.auth.crl"), "");
}

TEST_F(SecurityOptionsTest, PluginsAreNamedByTheirFullPath) {
  const SecurityOptions options = this->options();
  for (const char* part : {"auth", "crypto", "access"}) {
    const fs::path path = property(options, std::string("dds.sec.") + part + ".library.path");
    EXPECT_TRUE(path.is_absolute()) << path;
    EXPECT_TRUE(fs::is_regular_file(path)) << path;
  }
  EXPECT_EQ(property(options, "dds.sec.access.library.init"), "init_access_control");
  EXPECT_EQ(property(options, "dds.sec.auth.library.finalize"), "finalize_authentication");
}

TEST_F(SecurityOptionsTest, RevocationListIsPassedToDds) {
  std::ofstream(folder / "crl.pem") << "\n";
  EXPECT_EQ(property(options(), "org.eclipse.cyclonedds.sec.auth.crl"),
            "file:" + (folder / "crl.pem").string());
}

TEST_F(SecurityOptionsTest, EnforceNamesMissingFiles) {
  fs::remove(folder / "key.pem");
  fs::remove(folder / "governance.p7s");
  EXPECT_EQ(rejection(),
            "security is enforced, but the folder " + folder.string() +
                " lacks key.pem, governance.p7s; create the enclave '/arm/dynamics' or "
                "set ROS_SECURITY_ENCLAVE_OVERRIDE.");
  EXPECT_NE(
      rejection("/other").find("there is no folder " + (keystore / "enclaves/other").string()),
      std::string::npos);
  variables["ROS_SECURITY_KEYSTORE"] = "";
  EXPECT_NE(rejection().find("ROS_SECURITY_KEYSTORE is not set"), std::string::npos);
}

TEST_F(SecurityOptionsTest, PermissiveWarnsOfMissingFiles) {
  fs::remove(folder / "key.pem");
  variables["ROS_SECURITY_STRATEGY"] = "Permissive";
  const SecurityOptions options = this->options();
  EXPECT_FALSE(options.enabled());
  ASSERT_EQ(options.warnings.size(), 1U);
  EXPECT_NE(options.warnings[0].find("lacks key.pem: the node is open to everyone"),
            std::string::npos);
}

TEST_F(SecurityOptionsTest, UnknownSpellingsAreWarnedAbout) {
  variables["ROS_SECURITY_ENABLE"] = "True";
  EXPECT_FALSE(options().enabled());
  EXPECT_EQ(options().warnings,
            std::vector<std::string>{"ROS_SECURITY_ENABLE is 'True', which is not 'true': the node "
                                     "is open to everyone, as in ROS 2."});
  variables["ROS_SECURITY_ENABLE"] = "true";
  variables["ROS_SECURITY_STRATEGY"] = "enforce";
  EXPECT_EQ(options().warnings.size(), 1U);
}

TEST_F(SecurityOptionsTest, TheOverrideWinsOverTheArgument) {
  variables["ROS_SECURITY_ENCLAVE_OVERRIDE"] = "/arm/dynamics";
  EXPECT_EQ(options("/somebody/else").enclave, "/arm/dynamics");
}

TEST_F(SecurityOptionsTest, EnclavesStayInTheKeystore) {
  EXPECT_EQ(rejection("/../elsewhere"), "enclave '/../elsewhere' must not have .. in it.");
  EXPECT_EQ(rejection("arm"), "enclave 'arm' must begin with /.");
}

}  // namespace
}  // namespace spatial_dynamics::dds
