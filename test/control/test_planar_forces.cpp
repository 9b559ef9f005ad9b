#include "control/planar_forces.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/configuration.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

Model planar_and_hinge() {
  JointDescription slide, hinge;
  slide.name = "slide";
  slide.type = JointType::kPlanar;
  slide.parent = "base";
  slide.child = "cart";
  slide.axis = Vector3::UnitZ();
  hinge.name = "hinge";
  hinge.type = JointType::kRevolute;
  hinge.parent = "cart";
  hinge.child = "arm";
  const MassProperties box{1.0, Vector3(0.1, 0.0, 0.0), 0.1 * Matrix3::Identity()};
  ModelBuilder builder("planar");
  builder.add_link("base").add_link("cart", box).add_link("arm", box);
  return builder.add_joint(slide).add_joint(hinge).build();
}

TEST(PlanarForces, DoTheWorkThatThePositionsTake) {
  const Model model = planar_and_hinge();
  const Coordinates coordinates(model);
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const VectorXd q = 3.0 * random_vector(random, 4), v = random_vector(random, 4),
                   force = random_vector(random, 4);
    VectorXd rotated = force, moved(4);
    rotate_planar_forces(coordinates, q, rotated);
    constexpr double kStep = 1e-6;
    integrate(model, q, v, kStep, moved);
    EXPECT_NEAR(rotated.dot(v), force.dot(moved - q) / kStep, 1e-5);
    EXPECT_EQ(rotated.tail(2), force.tail(2)) << "angle and hinge";
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
