#include "cli/identify/payload_text.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(PayloadText, APointMassHasNoInertias) {
  const NamedPayload payload{"flange",
                             Inertia::from_com(2.0, Vector3(0, 0.25, -1e-5), Matrix3::Zero())};
  EXPECT_EQ(cli::payload_parameters({payload}),
            "/**:\n  ros__parameters:\n    payloads:\n      links: ['flange']\n"
            "      masses: [2.0]  # kg\n"
            "      centers: [0.0, 0.25, -1.0e-05]  # m, in the frame of each link\n");
}

TEST(PayloadText, InertiasAreInTheOrderOfTheParameter) {
  Matrix3 about_com;
  about_com << 0.5, 0.01, 0.02, 0.01, 0.75, 0.03, 0.02, 0.03, 1.0;
  const std::string text =
      cli::payload_parameters({{"a", Inertia::from_com(1.0, Vector3::Zero(), Matrix3::Zero())},
                               {"it's", Inertia::from_com(3.0, Vector3::Zero(), about_com)}});
  EXPECT_NE(text.find("links: ['a', 'it''s']\n"), std::string::npos) << text;
  EXPECT_NE(text.find("inertias: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.75, 1.0, 0.01, 0.02, 0.03]"),
            std::string::npos)
      << text;
}

TEST(PayloadText, ArgumentHasTheInertiaUnlessItIsAPointMass) {
  const Vector3 com(0.0, 0.25, -0.5);
  EXPECT_EQ(cli::payload_argument({"flange", Inertia::from_com(2.0, com, Matrix3::Zero())}),
            "flange=2,0,0.25,-0.5");
  Matrix3 about_com;
  about_com << 0.5, 0.01, 0.02, 0.01, 0.75, 0.03, 0.02, 0.03, 1.0;
  EXPECT_EQ(cli::payload_argument({"flange", Inertia::from_com(2.0, com, about_com)}),
            "flange=2,0,0.25,-0.5,0.5,0.75,1,0.01,0.02,0.03");
}

TEST(PayloadText, MessageNamesTheLink) {
  const std::string text =
      cli::payload_message({"flange", Inertia::from_com(2.0, Vector3(0, 0, 0.5), Matrix3::Zero())});
  EXPECT_NE(text.find("{frame_id: flange}, inertia: {m: 2, com: {x: 0, y: 0, z: 0.5}"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace spatial_dynamics::test
