#include "cli/want.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/json_reader.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using cli::InputError;
using cli::parse_want;
using cli::Quantity;
using cli::Want;

class WantOfTheArm : public ::testing::Test {
 protected:
  Model model = load_urdf_file(shipped_urdf("arm7"));

  void expect_refused(const std::string& text, const std::string& says) const {
    try {
      (void)parse_want(text, model);
      ADD_FAILURE() << text << " is not refused";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  }
};

TEST_F(WantOfTheArm, EverySpellingInTheListIsUnderstoodAndSpelledBack) {
  std::istringstream list(cli::list_of_wants());
  std::vector<Want> seen;
  for (std::string text; list >> text;) {
    if (const std::size_t link = text.find("LINK"); link != std::string::npos) {
      text.replace(link, 4, "flange");
    }
    const Want want = parse_want(text, model);
    EXPECT_EQ(to_string(want, model), text);
    for (const Want& other : seen) EXPECT_FALSE(other == want) << text;
    seen.push_back(want);
  }
  EXPECT_EQ(seen.size(), 17U);
}

TEST_F(WantOfTheArm, LinksAreThoseOfTheRobot) {
  EXPECT_TRUE(
      (parse_want("pose:flange", model) == Want{Quantity::kPose, model.find_link("flange")}));
  EXPECT_FALSE(parse_want("pose:flange", model) == parse_want("pose:base", model));
  expect_refused("pose:tentacle", "no link 'tentacle'");
  expect_refused("jacobian:", "no link ''");
  expect_refused("pose: flange", "no link ' flange'");
}

TEST_F(WantOfTheArm, WhatIsUnknownIsAnsweredWithTheList) {
  for (const char* text :
       {"", "ID", "id ", "torque", "pose", "jacobian", "id:flange", ":", ":flange"}) {
    expect_refused(text, "choose among " + cli::list_of_wants());
  }
}

TEST(Want, NamesOfLinksMayHoldColons) {
  const Model model = load_urdf("<robot name='r'><link name='left:arm'/></robot>");
  EXPECT_EQ(parse_want("pose:left:arm", model).link, 0);
  EXPECT_EQ(to_string(parse_want("pose:left:arm", model), model), "pose:left:arm");
}

}  // namespace
}  // namespace spatial_dynamics::test
