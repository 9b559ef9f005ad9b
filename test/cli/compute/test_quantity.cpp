#include "cli/compute/quantity.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/compute/json_reader.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using cli::InputError;
using cli::parse_quantity;
using cli::Quantity;
using cli::RequestedQuantity;

class QuantityOfTheArm : public ::testing::Test {
 protected:
  Model model = load_urdf_file(shipped_urdf("arm7"));

  void expect_rejected(const std::string& text, const std::string& says) const {
    try {
      (void)parse_quantity(text, model);
      ADD_FAILURE() << text << " is not rejected";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  }
};

TEST_F(QuantityOfTheArm, EveryListedNameIsParsedAndWrittenBack) {
  std::istringstream list(cli::quantity_names());
  std::vector<RequestedQuantity> seen;
  for (std::string text; list >> text;) {
    if (const std::size_t link = text.find("LINK"); link != std::string::npos) {
      text.replace(link, 4, "flange");
    }
    const RequestedQuantity request = parse_quantity(text, model);
    EXPECT_EQ(to_string(request, model), text);
    for (const RequestedQuantity& other : seen) EXPECT_FALSE(other == request) << text;
    seen.push_back(request);
  }
  EXPECT_EQ(seen.size(), 19U);
}

TEST_F(QuantityOfTheArm, LinksAreThoseOfTheRobot) {
  EXPECT_TRUE((parse_quantity("pose:flange", model) ==
               RequestedQuantity{Quantity::kPose, model.find_link("flange")}));
  EXPECT_FALSE(parse_quantity("pose:flange", model) == parse_quantity("pose:base", model));
  expect_rejected("pose:tentacle", "no link 'tentacle'");
  expect_rejected("jacobian:", "no link ''");
  expect_rejected("pose: flange", "no link ' flange'");
}

TEST_F(QuantityOfTheArm, ErrorForAnUnknownNameListsAllQuantities) {
  for (const char* text :
       {"", "ID", "id ", "torque", "pose", "jacobian", "id:flange", ":", ":flange"}) {
    expect_rejected(text, "choose among " + cli::quantity_names());
  }
}

TEST(RequestedQuantity, LinkNamesMayContainColons) {
  const Model model = load_urdf("<robot name='r'><link name='left:arm'/></robot>");
  EXPECT_EQ(parse_quantity("pose:left:arm", model).link, 0);
  EXPECT_EQ(to_string(parse_quantity("pose:left:arm", model), model), "pose:left:arm");
}

}  // namespace
}  // namespace spatial_dynamics::test
