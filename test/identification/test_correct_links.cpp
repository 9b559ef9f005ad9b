#include "spatial_dynamics/identification/correct_links.hpp"

#include <gtest/gtest.h>

#include "identification/identification_rig.hpp"

namespace spatial_dynamics::test {
namespace {

/// An identification that changes only one body.
Identification changed_body(const Model& model, const std::string& link, double factor) {
  Identification result;
  const Index body = model.link(model.find_link(link)).body;
  result.bodies.push_back({body, link, model.inertia(body), factor * model.inertia(body)});
  return result;
}

void expect_body(const std::string& urdf, Index body, const Inertia& inertia) {
  LoadOptions strict;
  strict.strict = true;
  ModelReport before, after;
  load_urdf(rig_urdf("planar_arm"), {}, &before);
  const Model model = load_urdf(urdf, strict, &after);
  EXPECT_LT((inertial_parameters(model.inertia(body)) - inertial_parameters(inertia)).norm(), 1e-7);
  EXPECT_LE(after.findings.size(), before.findings.size());
}

TEST(CorrectLinksTest, TheMainLinkTakesTheChangeOfItsBody) {
  const std::string urdf = rig_urdf("planar_arm");
  const Model model = load_urdf(urdf);
  const Identification result = changed_body(model, "forearm", 1.2);
  const LinkCorrections corrections = correct_links(model, result);
  ASSERT_EQ(corrections.changes.links.size(), 1U);
  EXPECT_EQ(corrections.changes.links[0].link, "forearm");
  EXPECT_TRUE(corrections.notes.empty());
  expect_body(edit_urdf(urdf, corrections.changes), result.bodies[0].body, result.bodies[0].after);
}

TEST(CorrectLinksTest, ScalesTheOtherLinksIfTheMainLinkWouldBeImpossible) {
  // The cover alone has 0.3 kg; the whole body is found to have 0.28 kg.
  const std::string urdf = rig_urdf("planar_arm");
  const Model model = load_urdf(urdf);
  const Identification result = changed_body(model, "forearm", 0.1);
  const LinkCorrections corrections = correct_links(model, result);
  ASSERT_EQ(corrections.notes.size(), 1U);
  EXPECT_NE(corrections.notes[0].find("link 'forearm'"), std::string::npos);
  ASSERT_EQ(corrections.changes.links.size(), 2U);
  EXPECT_EQ(corrections.changes.links[0].link, "cover");
  expect_body(edit_urdf(urdf, corrections.changes), result.bodies[0].body, result.bodies[0].after);
}

TEST(CorrectLinksTest, ChangesFrictionOnlyWhereItDiffers) {
  const Model model = load_urdf(rig_urdf("planar_arm"));
  Identification result;
  IdentifiedJoint same, other;
  same.name = "shoulder";
  same.damping = 0.8;
  same.friction = 1.5;
  other.name = "elbow";
  other.damping = 0.4;
  other.friction = 0.7;
  result.joints = {same, other};
  const LinkCorrections corrections = correct_links(model, result);
  ASSERT_EQ(corrections.changes.joints.size(), 1U);
  EXPECT_EQ(corrections.changes.joints[0].joint, "elbow");
  EXPECT_EQ(corrections.changes.joints[0].damping, 0.4);
}

}  // namespace
}  // namespace spatial_dynamics::test
