#include "simulation/joint_resistance.hpp"

#include "simulation/two_sliders.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

class Resistance : public LawTest {
 protected:
  double speed() const { return model.friction_speed(); }
};
INSTANTIATE_TEST_SUITE_P(Robots, Resistance, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Resistance, SecantTimesVelocityIsTheFrictionTorqueAndAtLeastTheTangent) {
  const JointResistance resistance(model, true);
  VectorXd s(model.nv()), t(model.nv());
  for (const double scale : {1.0, 1e-3, 1e-6, 1e-12, 0.0}) {
    const VectorXd v = scale * random_vector(random, model.nv());
    resistance.friction_coefficients(speed(), v, s, t);
    const VectorXd expected = friction_torque(model, data, v);
    EXPECT_TRUE((t.array() >= 0.0).all() && (s.array() >= t.array()).all());
    // tanh_over() leaves out u^4 terms below u = 1e-4.
    EXPECT_LT(largest(s.cwiseProduct(v) - expected), 1e-14 * (1.0 + largest(expected)));
  }
}

/// Two sliders with these limits; the second follows the first.
Model gripper(double lower, double upper, const MimicDescription& mimic) {
  ModelBuilder builder("gripper");
  builder.add_link("palm");
  for (const char* const name : {"left", "right"}) {
    builder.add_link(name, {0.1, Vector3::Zero(), 1e-4 * Matrix3::Identity()});
    JointDescription joint;
    joint.name = name;
    joint.type = JointType::kPrismatic;
    joint.parent = "palm";
    joint.child = name;
    joint.limits.lower = lower;
    joint.limits.upper = upper;
    if (joint.name == "right") joint.mimic = mimic;
    builder.add_joint(joint);
  }
  return builder.build();
}

TEST(Stops, OfAMimicJointStopItsLeader) {
  const JointResistance resistance(gripper(-0.5, 0.5, {"left", -2.0, 0.1}), true);
  // right = -2 left + 0.1 in [-0.5, 0.5]: left in [-0.2, 0.3]
  VectorXd q(1), lower(1), upper(1);
  q << 0.0;
  resistance.velocity_bounds(q, 1.0, lower, upper);
  EXPECT_NEAR(lower(0), -0.2, 1e-15);
  EXPECT_NEAR(upper(0), 0.3, 1e-15);
}

// As in PR2's URDF: right = -left, and both in [0, 0.5].
TEST(Stops, OfAMimicJointThatWouldBlockItsLeaderAreIgnored) {
  const JointResistance resistance(gripper(0.0, 0.5, {"left", -1.0, 0.0}), true);
  VectorXd q(1), lower(1), upper(1);
  q << 0.0;
  resistance.velocity_bounds(q, 1.0, lower, upper);
  EXPECT_EQ(lower(0), 0.0);
  EXPECT_EQ(upper(0), 0.5);
}

TEST(Stops, HoldJointsFromBeyond) {
  const Model model = two_sliders(0.0, -1.0, 1.0);
  const JointResistance resistance(model, true);
  const VectorXd q = (VectorXd(2) << 1.5, -1.5).finished();
  VectorXd lower(2), upper(2);
  resistance.velocity_bounds(q, 0.1, lower, upper);
  EXPECT_EQ(upper(0), 0.0);
  EXPECT_EQ(lower(1), 0.0);
  EXPECT_FALSE(resistance.is_within_stops(q));
}

}  // namespace
}  // namespace spatial_dynamics::test
