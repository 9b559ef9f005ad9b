#include "cli/common/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using cli::ModelOptions;

ModelOptions parsed(std::vector<std::string> arguments, bool robot_is_required = true) {
  CLI::App app;
  ModelOptions options;
  cli::add_model_options(app, options);
  app.get_option("robot")->required(robot_is_required);
  arguments = cli::join_numbers(arguments);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  app.parse(arguments);
  return options;
}

void expect_parse_error(const std::vector<std::string>& arguments, const std::string& says) {
  try {
    (void)parsed(arguments);
    ADD_FAILURE() << "not rejected; expected: " << says;
  } catch (const CLI::ParseError& error) {
    EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
  }
}

TEST(ModelOptions, DefaultsAreThoseOfTheLibrary) {
  const ModelOptions options = parsed({"robot.urdf"});
  EXPECT_EQ(options.file, "robot.urdf");
  EXPECT_FALSE(options.load.strict);
  EXPECT_FALSE(options.load.floating_base);
  EXPECT_TRUE(options.load.armature.empty());
  EXPECT_TRUE(options.load.locked.empty());
  EXPECT_TRUE(options.load.payloads.empty());
  EXPECT_EQ(options.load.gravity, kStandardGravity);
  EXPECT_FALSE(options.gravity_given);
}

TEST(ModelOptions, EveryOptionReachesTheLoader) {
  const ModelOptions options =
      parsed({"--strict", "--floating-base", "--armature", "a=0.5", "--armature", "b=+1e-3", "-",
              "--lock", "c=-2", "--payload", "l=1.5", "--payload", "m=2,0.1,-0.2,.3"});
  EXPECT_EQ(options.file, "-");
  EXPECT_TRUE(options.load.strict);
  EXPECT_TRUE(options.load.floating_base);
  EXPECT_EQ(options.load.armature, (std::map<std::string, double>{{"a", 0.5}, {"b", 1e-3}}));
  EXPECT_EQ(options.load.locked, (std::map<std::string, double>{{"c", -2.0}}));
  ASSERT_EQ(options.load.payloads.size(), 2U);
  EXPECT_EQ(options.load.payloads[0].link, "l");
  EXPECT_EQ(options.load.payloads[0].mass_properties.mass, 1.5);
  EXPECT_EQ(options.load.payloads[0].mass_properties.com, Vector3::Zero());
  EXPECT_EQ(options.load.payloads[1].mass_properties.com, Vector3(0.1, -0.2, 0.3));
}

TEST(ModelOptions, GravityIsThreeNumbersInOneArgumentOrThree) {
  for (const std::vector<std::string>& gravity :
       {std::vector<std::string>{"0.5,-.5,-1.62"}, {"0.5", "-.5", "-1.62"}}) {
    for (const bool robot_is_last : {false, true}) {
      std::vector<std::string> arguments{"--gravity"};
      arguments.insert(arguments.end(), gravity.begin(), gravity.end());
      arguments.insert(robot_is_last ? arguments.end() : arguments.begin(), "r");
      for (const bool required : {true, false}) {
        const ModelOptions options = parsed(arguments, required);
        EXPECT_EQ(options.file, "r");
        EXPECT_EQ(options.load.gravity, Vector3(0.5, -0.5, -1.62));
        EXPECT_TRUE(options.gravity_given);
      }
    }
  }
  expect_parse_error({"r", "--gravity", "0,0"}, "--gravity");
  expect_parse_error({"r", "--gravity", "0,0,0,1"}, "--gravity");
  expect_parse_error({"r", "--gravity", "0,0,down"}, "'down'");
  expect_parse_error({"r", "--gravity", "9806.65,0,0"}, "-1000 to 1000");
}

TEST(ModelOptions, JoinsTheNumbersOfAVector) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(cli::join_numbers({"--position", "1", "-.5", "r", "2"}),
            (Words{"--position", "1,-.5", "r", "2"}));
  EXPECT_EQ(cli::join_numbers({"--gravity", "1,2,3", "r"}), (Words{"--gravity", "1,2,3", "r"}));
  EXPECT_EQ(cli::join_numbers({"--dt", "1", "2"}), (Words{"--dt", "1", "2"}));
}

TEST(ModelOptions, PayloadMayHaveAnInertia) {
  const ModelOptions options = parsed({"r", "--payload", "l=2,0,0,0.5,1,2,3,4,5,6"});
  Matrix3 expected;
  expected << 1, 4, 5, 4, 2, 6, 5, 6, 3;
  EXPECT_EQ(options.load.payloads.at(0).mass_properties.inertia_about_com, expected);
  expect_parse_error({"r", "--payload", "l=2,0,0,0.5,1,2,3"}, "--payload");
}

TEST(ModelOptions, NamesMayContainAnEqualsSign) {
  EXPECT_EQ(parsed({"r", "--lock", "a=b=2"}).load.locked.at("a=b"), 2.0);
}

TEST(ModelOptions, RejectsMalformedArguments) {
  expect_parse_error({}, "robot");
  expect_parse_error({"r", "--lock", "a"}, "'a'");
  expect_parse_error({"r", "--lock", "=1"}, "JOINT=VALUE");
  expect_parse_error({"r", "--lock", "a="}, "''");
  expect_parse_error({"r", "--lock", "a=one"}, "'one'");
  expect_parse_error({"r", "--lock", "a=1,2"}, "one number");
  expect_parse_error({"r", "--lock", "a=1", "--lock", "a=2"}, "'a' twice");
  expect_parse_error({"r", "--armature", "a=inf"}, "'inf'");
  expect_parse_error({"r", "--payload", "l=1,2"}, "LINK=MASS[,X,Y,Z");
  expect_parse_error({"r", "--payload", "l=1,2,3,4,"}, "''");
}

TEST(LoadModel, LoadsTheFileWithItsOptions) {
  ModelReport report;
  const ModelOptions options =
      parsed({shipped_urdf("double_pendulum"), "--lock", "elbow=0.5", "--floating-base"});
  const Model model = cli::load_model(options, report);
  EXPECT_EQ(model.nv(), 7);
  EXPECT_EQ(report.dof, 7);
  ASSERT_EQ(report.locked.size(), 1U);
  EXPECT_EQ(report.locked[0].joint, "elbow");
}

TEST(LoadModel, RejectsAPayloadWithoutEffect) {
  ModelOptions options = parsed({shipped_urdf("double_pendulum"), "--payload", "base=1"});
  ModelReport report;
  try {
    static_cast<void>(cli::load_model(options, report));
    FAIL() << "taken";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("fixed to the world"), std::string::npos);
  }
  options.load.floating_base = true;
  EXPECT_NO_THROW(static_cast<void>(cli::load_model(options, report)));
}

TEST(LoadModel, NotesOnlyFindingsOnUnitsAndMass) {
  const auto note_of = [](const std::vector<Finding>& findings) {
    ModelReport report;
    report.findings = findings;
    testing::internal::CaptureStderr();
    cli::note_findings(parsed({"arm.urdf"}), report);
    return testing::internal::GetCapturedStderr();
  };
  const Finding grams{FindingCode::kGrams, Severity::kWarning, "", "", ""};
  EXPECT_EQ(note_of({}), "");
  EXPECT_EQ(note_of({{FindingCode::kNoEffortLimit, Severity::kWarning, "", "", ""},
                     {FindingCode::kMasslessEndLink, Severity::kInfo, "", "", ""}}),
            "");
  EXPECT_EQ(note_of({grams, grams}),
            "note: 2 serious findings in arm.urdf; `spatial_dynamics check arm.urdf` lists them\n");
}

TEST(LoadModel, ErrorsBeginWithTheFile) {
  ModelReport report;
  try {
    (void)cli::load_model(parsed({shipped_urdf("double_pendulum"), "--lock", "knee=1"}), report);
    ADD_FAILURE() << "not rejected";
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string(error.what()).find(shipped_urdf("double_pendulum") + ": "), 0U)
        << error.what();
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
