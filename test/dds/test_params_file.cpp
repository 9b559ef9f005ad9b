#include "dds/params_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "dds/error.hpp"
#include "runtime/parameters_table.hpp"
#include "support/german_locale.hpp"

namespace spatial_dynamics::test {
namespace {

using dds::apply_params_file;
using dds::parse_params;
using dds::section_matches;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

/// A file that is deleted at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(::testing::TempDir() + "spatial_dynamics_params_" + std::to_string(::getpid()) +
              ".yaml") {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

ParameterSet read(const std::string& text, const std::string& node = "/dynamics") {
  const TemporaryFile file(text);
  ParameterSet parameters(parameter_table());
  apply_params_file(file.path(), node, parameters);
  return parameters;
}

/// The error of a rejected file, without the path before the line number.
std::string rejection_of_file(const std::string& text) {
  const TemporaryFile file(text);
  ParameterSet parameters(parameter_table());
  try {
    apply_params_file(file.path(), "/dynamics", parameters);
    ADD_FAILURE() << "accepted: " << text.substr(0, 200);
  } catch (const dds::Error& error) {
    for (const auto& row : parameter_table()) {
      EXPECT_EQ(parameters.get(row.name), row.default_value) << "a rejected file changes nothing";
    }
    const std::string sentence = error.what();
    EXPECT_EQ(sentence.rfind(file.path() + ":", 0), 0U) << sentence;
    return sentence.substr(file.path().size() + 1);
  }
  return "";
}

std::string under_all(const std::string& lines) { return "/**:\n  ros__parameters:\n" + lines; }

TEST(SectionNames, MatchAsInRos2) {
  EXPECT_TRUE(section_matches("/**", "/dynamics"));
  EXPECT_TRUE(section_matches("/**", "/left/arm/dynamics"));
  EXPECT_TRUE(section_matches("dynamics", "/dynamics"));
  EXPECT_TRUE(section_matches("/dynamics", "/dynamics"));
  EXPECT_FALSE(section_matches("dynamics", "/left/dynamics"));
  EXPECT_FALSE(section_matches("dynamics", "/dynamics2"));
  EXPECT_TRUE(section_matches("/left/dynamics", "/left/dynamics"));
  EXPECT_TRUE(section_matches("left/dynamics", "/left/dynamics"));
  EXPECT_FALSE(section_matches("/left/dynamics", "/right/dynamics"));
  EXPECT_TRUE(section_matches("/*/dynamics", "/left/dynamics"));
  EXPECT_FALSE(section_matches("/*/dynamics", "/dynamics"));
  EXPECT_FALSE(section_matches("/*/dynamics", "/a/b/dynamics"));
  EXPECT_TRUE(section_matches("/**/dynamics", "/dynamics"));
  EXPECT_TRUE(section_matches("/**/dynamics", "/a/b/dynamics"));
  EXPECT_FALSE(section_matches("/**/dynamics", "/a/b/simulator"));
  EXPECT_TRUE(section_matches("/left/**", "/left/a/b"));
  EXPECT_TRUE(section_matches("/left/*", "/left/dynamics"));
  EXPECT_FALSE(section_matches("/left/*", "/left"));
  EXPECT_TRUE(section_matches("/*", "/dynamics"));
  EXPECT_FALSE(section_matches("/*", "/left/dynamics"));
  EXPECT_TRUE(section_matches("/**/a/**/b", "/x/a/y/a/z/b"));
}

TEST(ParamsFile, ErrorsQuoteNoControlCharacters) {
  EXPECT_STREQ(dds::Error("no '\x1b[2J' here").what(), "no '?[2J' here");
}

TEST(ParamsFile, ValuesOfEveryTypeArrive) {
  const ParameterSet p = read(
      under_all("    rate_hz: 500\n    strict: true\n    realtime:\n      cpu: 3\n    torque_mode: "
                "computed_torque\n"
                "    gains: {kp: [1, 2.5, 3], kd: 4}\n    gravity:\n    - 0\n    - 0\n    - -1.62\n"
                "    command_joints: [elbow, \"7\"]\n    publish.mass_matrix: yes\n"
                "    robot_description: |\n      <robot name=\"r\">\n      </robot>\n"));
  EXPECT_EQ(p.get_number("rate_hz"), 500.0);
  EXPECT_TRUE(p.get_bool("strict"));
  EXPECT_EQ(p.get_integer("realtime.cpu"), 3);
  EXPECT_EQ(p.get_text("torque_mode"), "computed_torque");
  EXPECT_EQ(p.get_numbers("gains.kp"), (Numbers{1.0, 2.5, 3.0}));
  EXPECT_EQ(p.get_numbers("gains.kd"), Numbers{4.0});
  EXPECT_EQ(p.get_numbers("gravity"), (Numbers{0.0, 0.0, -1.62}));
  EXPECT_EQ(p.get_texts("command_joints"), (Texts{"elbow", "7"}));
  EXPECT_TRUE(p.get_bool("publish.mass_matrix"));
  EXPECT_EQ(p.get_text("robot_description"), "<robot name=\"r\">\n</robot>\n");
}

TEST(ParamsFile, EmptyArraysAndTextsAreEmptyValues) {
  const ParameterSet p = read(
      under_all("    command_joints: \"\"\n    effort_limits: []\n    compensated_by_hardware: "
                "[]\n    urdf_file: ''\n"));
  EXPECT_EQ(p.get_texts("command_joints"), Texts{});
  EXPECT_EQ(p.get_numbers("effort_limits"), Numbers{});
}

TEST(ParamsFile, ParametersOfEveryRos2NodeAreIgnored) {
  const ParameterSet p = read(
      "/dynamics: {ros__parameters: {armature: '', start_type_description_service: true, ramp_s: "
      "0.2,\n"
      "  qos_overrides: {/clock: {subscription: {depth: 1}}}}}\n");
  EXPECT_EQ(p.get_numbers("armature"), Numbers());
  EXPECT_EQ(p.get_number("ramp_s"), 0.2);
}

TEST(ParamsFile, OnlyTheNodesOwnSectionsCount) {
  const std::string text =
      "/**:\n  ros__parameters:\n    ramp_s: 1.0\n"
      "dynamics:\n  ros__parameters:\n    rate_hz: 100.0\n"
      "left:\n  dynamics:\n    ros__parameters:\n      rate_hz: 200.0\n"
      "/right:\n  dynamics:\n    ros__parameters: {rate_hz: 300.0}\n"
      "/*/dynamics:\n  ros__parameters:\n    strict: true\n"
      "camera:\n  ros__parameters:\n    exposure: {auto: true, list: [a, b]}\n";
  EXPECT_EQ(read(text).get_number("rate_hz"), 100.0);
  EXPECT_FALSE(read(text).get_bool("strict"));
  EXPECT_EQ(read(text, "/left/dynamics").get_number("rate_hz"), 200.0);
  EXPECT_TRUE(read(text, "/left/dynamics").get_bool("strict"));
  EXPECT_EQ(read(text, "/right/dynamics").get_number("rate_hz"), 300.0);
  EXPECT_EQ(read(text, "/other").get_number("rate_hz"), 1000.0);
  EXPECT_EQ(read(text, "/other").get_number("ramp_s"), 1.0);
}

TEST(ParamsFile, LaterValuesOverrideEarlierOnes) {
  const std::string all = "/**:\n  ros__parameters:\n    rate_hz: 100\n";
  const std::string own = "dynamics:\n  ros__parameters:\n    rate_hz: 200\n";
  EXPECT_EQ(read(all + own).get_number("rate_hz"), 200.0);
  EXPECT_EQ(read(own + all).get_number("rate_hz"), 100.0);
}

TEST(ParamsFile, EmptyFilesAndSectionsKeepDefaults) {
  for (const char* text : {"", "# nothing\n", "---\n", "/**:\n", "/**:\n  ros__parameters:\n",
                           "/**:\n  ros__parameters: {}\n"}) {
    EXPECT_EQ(read(text).get_number("rate_hz"), 1000.0) << text;
  }
}

TEST(ParamsFile, ErrorsNameTheLine) {
  EXPECT_EQ(rejection_of_file(under_all("    ramp_s: 1.0\n    rate: 500.0\n")),
            "4: there is no parameter 'rate'; did you mean 'rate_hz'?");
  EXPECT_EQ(rejection_of_file(under_all("    rate_hz: 0\n")),
            "3: parameter 'rate_hz' is 0, but must be from 1 to 20000 Hz.");
  EXPECT_EQ(rejection_of_file(under_all("    rate_hz: fast\n")),
            "3: parameter 'rate_hz' is 'fast', but must be a number.");
  EXPECT_EQ(rejection_of_file(under_all("    rate_hz: 1,5\n")),
            "3: parameter 'rate_hz' is '1,5', but must be a number.");
  EXPECT_EQ(rejection_of_file(under_all("    rate_hz: .nan\n")),
            "3: parameter 'rate_hz' is nan, but must be finite.");
  EXPECT_EQ(rejection_of_file(under_all("    gains:\n      kp: [1, -1]\n")).substr(0, 25),
            "4: parameter 'gains.kp' i");
  EXPECT_EQ(rejection_of_file(under_all("    fallback: off\n")),
            "3: parameter 'fallback' is false, but must be a text (in quotes, if it could be read "
            "as another type).");
  EXPECT_EQ(rejection_of_file(under_all("    gains: 5\n")),
            "3: there is no parameter 'gains'; did you mean 'gains.kp'?");
}

TEST(ParamsFile, NonValuesAreRejected) {
  EXPECT_EQ(rejection_of_file(under_all("    rate_hz:\n    ramp_s: 1.0\n")).substr(0, 43),
            "3: parameter 'rate_hz': there is no value; ");
  EXPECT_NE(rejection_of_file(under_all("    rate_hz: ~\n")).find("there is no value"),
            std::string::npos);
  EXPECT_NE(
      rejection_of_file(under_all("    gains.kp: [1, elbow]\n")).find("'elbow' is not a number"),
      std::string::npos);
  EXPECT_NE(rejection_of_file(under_all("    gains.kp: [true]\n")).find("numbers or texts only"),
            std::string::npos);
  EXPECT_NE(
      rejection_of_file(under_all("    gains.kp: [[1], [2]]\n")).find("numbers or texts only"),
      std::string::npos);
  EXPECT_NE(rejection_of_file(under_all("    gains.kp: [1, ~]\n")).find("numbers or texts only"),
            std::string::npos);
}

TEST(ParamsFile, NonParameterFilesAreRejected) {
  EXPECT_NE(
      rejection_of_file("rate_hz: 500\n").find("1: 'rate_hz' must have names and values below it"),
      std::string::npos);
  EXPECT_NE(rejection_of_file("ros__parameters:\n  rate_hz: 5\n").find("no node name above it"),
            std::string::npos);
  EXPECT_NE(rejection_of_file("/**:\n  ros__parameters: 5\n").find("2: ros__parameters must have"),
            std::string::npos);
  EXPECT_NE(rejection_of_file("just text\n").find("not a parameter file"), std::string::npos);
  EXPECT_NE(rejection_of_file("- a\n- b\n").find("not a parameter file"), std::string::npos);
  EXPECT_NE(rejection_of_file("/**:\n  [a]: b\n").find("a name must be before the colon"),
            std::string::npos);
  EXPECT_NE(
      rejection_of_file("a: {ros__parameters: {}}\n---\nb: {}\n").find("more than one document"),
      std::string::npos);
}

TEST(ParamsFile, MalformedYamlIsRejectedWithItsLine) {
  EXPECT_NE(rejection_of_file("/**:\n  ros__parameters:\n    rate_hz: [1, 2\n    x: y: z\n")
                .find("not valid YAML"),
            std::string::npos);
  EXPECT_EQ(rejection_of_file("/**:\n  ros__parameters:\n    a: b: c\n").substr(0, 23),
            "3: it is not valid YAML");
  EXPECT_NE(rejection_of_file("/**:\n\tros__parameters:\n").find("not valid YAML"),
            std::string::npos);
  EXPECT_NE(rejection_of_file("{").find("not valid YAML"), std::string::npos);
  EXPECT_NE(rejection_of_file("\"open").find("not valid YAML"), std::string::npos);
}

TEST(ParamsFile, NestedAliasesAreRejected) {
  // Nine levels of nine aliases each would be 387 million values.
  std::string laughs = "a0: &a0 [x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 1; k < 9; ++k) laughs += ", " + before;
    laughs += "]\n";
  }
  EXPECT_NE(rejection_of_file(laughs).find("aliases (*name) are not supported"), std::string::npos);
}

TEST(ParamsFile, DepthAndSizeAreBounded) {
  for (const char* unit : {"[", "{a: ", "- ", "? "}) {
    std::string deep;
    while (deep.size() < 100000) deep += unit;
    const std::string sentence = rejection_of_file(deep);
    EXPECT_NE(sentence.find("deep"), std::string::npos) << unit << ": " << sentence.substr(0, 200);
  }
  const TemporaryFile large(std::string(dds::kLargestParamsFile + 1, '#'));
  ParameterSet parameters(parameter_table());
  try {
    apply_params_file(large.path(), "/dynamics", parameters);
    ADD_FAILURE();
  } catch (const dds::Error& error) {
    EXPECT_NE(std::string(error.what()).find("larger than 1 MiB"), std::string::npos);
  }
  EXPECT_NO_THROW(read(std::string(dds::kLargestParamsFile, '#')));
}

TEST(ParamsFile, UnreadableFilesAreNamed) {
  ParameterSet parameters(parameter_table());
  const auto sentence = [&](const std::string& path) -> std::string {
    try {
      apply_params_file(path, "/dynamics", parameters);
    } catch (const dds::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(sentence("/no/such.yaml"),
            "parameter file '/no/such.yaml' can't be opened: No such file or directory.");
  EXPECT_NE(sentence(::testing::TempDir()).find("can't be read"), std::string::npos);
}

TEST(ParamsFile, RandomBytesNeverCrash) {
  std::uint32_t state = 1;
  const std::string alphabet = "/*:{}[]-?!&\"'|>#,\n\t ab01.~%@`\\\xff\xc3\xa4";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      state = state * 1664525U + 1013904223U;
      text += alphabet[(state >> 16U) % alphabet.size()];
    }
    try {
      (void)parse_params(text, "noise");
    } catch (const dds::Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("noise:", 0), 0U) << error.what();
    }
  }
}

TEST(ParamsFile, ReadsTheSameNumbersInEveryLocale) {
  const std::string text = under_all("    rate_hz: 1234.5\n    gains: {kp: [0.5, 1e-3]}\n");
  const auto expect_same = [&] {
    const ParameterSet p = read(text);
    EXPECT_EQ(p.get_number("rate_hz"), 1234.5);
    EXPECT_EQ(p.get_numbers("gains.kp"), (Numbers{0.5, 1e-3}));
    EXPECT_NE(
        rejection_of_file(under_all("    rate_hz: 1,5\n")).find("'1,5', but must be a number"),
        std::string::npos);
  };
  {
    const CommaStreams streams;
    expect_same();
  }
  const GermanLocale german;
  if (!german.is_set()) {
    GTEST_SKIP() << "no de_DE.UTF-8, and localedef cannot make it (Debian: locales)";
  }
  expect_same();
}

TEST(ParamsFile, PerJointNumbersByNameOverrideTheArrayInAnyOrder) {
  const ParameterSet set = read(under_all(R"(    effort_limits: {shoulder: 40.0, elbow: 20}
    gains:
      kp:
        elbow: 5.0
    gains.kd.elbow: 7.0
)") + R"(dynamics:
  ros__parameters:
    effort_limits: [50.0]
)");
  EXPECT_EQ(set.by_joint().at("effort_limits"),
            (NumbersByJoint{{"shoulder", 40.0}, {"elbow", 20.0}}));
  EXPECT_EQ(set.get_numbers("effort_limits"), Numbers{50.0});
  EXPECT_EQ(set.by_joint().at("gains.kp").at("elbow"), 5.0);
  EXPECT_EQ(set.by_joint().at("gains.kd").at("elbow"), 7.0);
  EXPECT_EQ(set.get_numbers("gains.kp"), Numbers{100.0}) << "the default";
}

TEST(ParamsFile, PerJointNumbersByNameAreCheckedAsTheRest) {
  EXPECT_NE(rejection_of_file(under_all("    effort_limits: {shoulder: -1.0}\n"))
                .find("effort_limits.shoulder"),
            std::string::npos);
  EXPECT_NE(rejection_of_file(under_all("    rate_hz: {shoulder: 1.0}\n")).find("rate_hz.shoulder"),
            std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test
