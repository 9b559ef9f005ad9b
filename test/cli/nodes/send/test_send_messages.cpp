// Messages of `send` from their arguments.
#include "cli/nodes/send/send.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/nodes/listen/json_line.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(SendMessages, PayloadHasLinkMassCenterAndInertia) {
  EXPECT_EQ(cli::json_line(*cli::payload_message("a=b=2,0.5,0.25,0.125,1,2,3,4,5,6")),
            R"({"stamp":0.000000000,"frame":"a=b","mass":2,"center":[0.5,0.25,0.125],)"
            R"("inertia":{"ixx":1,"iyy":2,"izz":3,"ixy":4,"ixz":5,"iyz":6}})");
  EXPECT_EQ(cli::payload_message("l=2")->inertia.com.z, 0.0);
  for (const char* const text : {"l", "l=", "=2", "l=1,2", "l=1,2,3,4,5", "l=heavy", "l=nan"}) {
    EXPECT_THROW((void)cli::payload_message(text), CLI::ValidationError) << text;
  }
}

TEST(SendMessages, GravityIsThreeNumbers) {
  EXPECT_EQ(cli::json_line(*cli::gravity_message("-9.5,0,1")),
            R"({"stamp":0.000000000,"frame":"","vector":[-9.5,0,1]})");
  for (const char* const text : {"", "1", "1,2", "1,2,3,4", "1,2,x"}) {
    EXPECT_THROW((void)cli::gravity_message(text), CLI::ValidationError) << text;
  }
}

TEST(SendMessages, WrenchIsAForceWithOrWithoutATorque) {
  EXPECT_EQ(cli::json_line(*cli::wrench_message("l=1,2,3,4,5,6")),
            R"({"stamp":0.000000000,"frame":"l","force":[1,2,3],"torque":[4,5,6]})");
  EXPECT_EQ(cli::json_line(*cli::wrench_message("l=1,2,3")),
            R"({"stamp":0.000000000,"frame":"l","force":[1,2,3],"torque":[0,0,0]})");
  EXPECT_THROW((void)cli::wrench_message("l=1,2"), CLI::ValidationError);
}

TEST(SendMessages, ReferenceEndsAtRestAfterItsTime) {
  EXPECT_EQ(cli::json_line(*cli::reference_message({"a=0.5", "b=-1"}, 1.5)),
            R"({"stamp":0.000000000,"points":[{"time_from_start":1.500000000,)"
            R"("position":{"a":0.5,"b":-1},"velocity":{"a":0,"b":0},)"
            R"("acceleration":{"a":0,"b":0}}]})");
  EXPECT_THROW((void)cli::reference_message({"a=0.5,1"}, 1.5), CLI::ValidationError);
}

TEST(SendMessages, EffortsAreByJoint) {
  EXPECT_EQ(cli::json_line(*cli::effort_message({"a=0.5", "b=-1"})),
            R"({"stamp":0.000000000,"effort":{"a":0.5,"b":-1}})");
  EXPECT_THROW((void)cli::effort_message({"a"}), CLI::ValidationError);
}

TEST(SendMessages, StiffnessIsByJointOrForAll) {
  EXPECT_EQ(cli::json_line(*cli::stiffness_message({"a=50", "b=0"})),
            R"({"stamp":0.000000000,"effort":{"a":50,"b":0}})");
  const auto all = cli::stiffness_message({"50"});
  EXPECT_EQ(all->name._length, 0u);
  ASSERT_EQ(all->effort._length, 1u);
  EXPECT_EQ(all->effort._buffer[0], 50.0);
  const auto sentence = [](const std::vector<std::string>& texts) -> std::string {
    try {
      (void)cli::stiffness_message(texts);
    } catch (const CLI::ValidationError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(sentence({"a=1", "b=-5"}),
            "STIFFNESS: of joint 'b' is -5; give 0 or more, in N m/rad or N/m");
  EXPECT_EQ(sentence({"-5"}), "STIFFNESS: of all joints is -5; give 0 or more, in N m/rad or N/m");
  for (const char* const text : {"soft", "nan", "inf", "1,2", "a=1,2", "a=nan", "a", "=1"}) {
    EXPECT_NE(sentence({text}), "") << text;
  }
  EXPECT_NE(sentence({"5", "6"}), "") << "more than one number for all";
}

}  // namespace
}  // namespace spatial_dynamics::test
