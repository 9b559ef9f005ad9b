// The double pendulum three ways: by its textbook formula, by ModelBuilder and from URDF text.
#include <gtest/gtest.h>

#include <cmath>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

// Two rods that hang along -z and rotate about y; the second angle is relative to the first.
constexpr double kMass1 = 1.5, kMass2 = 0.8;          // kg
constexpr double kLength1 = 0.9;                      // m, between the hinges
constexpr double kCom1 = 0.4, kCom2 = 0.35;           // m, from hinge to centre of mass
constexpr double kInertia1 = 0.11, kInertia2 = 0.06;  // kg m^2 about y through the centre of mass
constexpr double kGravity = 9.80665;

struct Formula {
  Eigen::Matrix2d M;
  Eigen::Vector2d coriolis, gravity;
};

Formula formula(const VectorXd& q, const VectorXd& v) {
  const double c2 = std::cos(q(1)), s2 = std::sin(q(1));
  const double a = kInertia1 + kInertia2 + kMass1 * kCom1 * kCom1 +
                   kMass2 * (kLength1 * kLength1 + kCom2 * kCom2);
  const double b = kMass2 * kLength1 * kCom2;
  const double d = kInertia2 + kMass2 * kCom2 * kCom2;
  Formula f;
  f.M << a + 2 * b * c2, d + b * c2, d + b * c2, d;
  f.coriolis << -b * s2 * (2 * v(0) * v(1) + v(1) * v(1)), b * s2 * v(0) * v(0);
  const double second = kMass2 * kCom2 * kGravity * std::sin(q(0) + q(1));
  f.gravity << (kMass1 * kCom1 + kMass2 * kLength1) * kGravity * std::sin(q(0)) + second, second;
  return f;
}

Model by_builder() {
  JointDescription upper, lower;
  upper.name = "upper_hinge";
  upper.parent = "base";
  upper.child = "upper";
  lower.name = "lower_hinge";
  lower.parent = "upper";
  lower.child = "lower";
  lower.origin = Transform::translation({0, 0, -kLength1});
  for (JointDescription* joint : {&upper, &lower}) {
    joint->type = JointType::kContinuous;
    joint->axis = Vector3::UnitY();
  }
  const Vector3 i1(0.2, kInertia1, 0.2), i2(0.1, kInertia2, 0.1);
  return ModelBuilder("double_pendulum")
      .add_link("base")
      .add_link("upper", {kMass1, {0, 0, -kCom1}, i1.asDiagonal()})
      .add_link("lower", {kMass2, {0, 0, -kCom2}, i2.asDiagonal()})
      .add_joint(upper)
      .add_joint(lower)
      .build();
}

Model by_urdf() {
  return load_urdf(R"(<robot name="double_pendulum">
    <link name="base"/>
    <link name="upper"><inertial><origin xyz="0 0 -0.4"/><mass value="1.5"/>
      <inertia ixx="0.2" iyy="0.11" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="lower"><inertial><origin xyz="0 0 -0.35"/><mass value="0.8"/>
      <inertia ixx="0.1" iyy="0.06" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="upper_hinge" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
    <joint name="lower_hinge" type="continuous"><parent link="upper"/><child link="lower"/>
      <origin xyz="0 0 -0.9"/><axis xyz="0 1 0"/></joint>
  </robot>)");
}

class DoublePendulum : public ::testing::TestWithParam<Model (*)()> {};
INSTANTIATE_TEST_SUITE_P(Ways, DoublePendulum, ::testing::Values(&by_builder, &by_urdf),
                         [](const auto& way) { return way.index == 0 ? "Builder" : "Urdf"; });

TEST_P(DoublePendulum, AgreesWithItsFormula) {
  const Model model = GetParam()();
  textbook::Data data(model);
  Random random(1);
  constexpr double kTolerance = 1e-14 * 30;  // torques of up to 30 N m
  for (int trial = 0; trial < 100; ++trial) {
    const VectorXd q = 3.0 * random_vector(random, 2), v = 3.0 * random_vector(random, 2),
                   a = 3.0 * random_vector(random, 2);
    const Formula f = formula(q, v);
    const Eigen::Vector2d tau = f.M * a + f.coriolis + f.gravity;
    EXPECT_LT((mass_matrix(model, data, q) - f.M).norm(), kTolerance);
    EXPECT_LT((gravity_torque(model, data, q) - f.gravity).norm(), kTolerance);
    EXPECT_LT((bias_torque(model, data, q, v) - f.coriolis - f.gravity).norm(), kTolerance);
    EXPECT_LT((inverse_dynamics(model, data, q, v, a) - tau).norm(), kTolerance);
    // cond(M) is below 100
    EXPECT_LT((forward_dynamics(model, data, q, v, VectorXd(tau)) - a).norm(), 100 * kTolerance);
  }
}

TEST(DoublePendulum, BuilderAndUrdfAgreeBitForBit) {
  const Model built = by_builder(), loaded = by_urdf();
  textbook::Data a(built), b(loaded);
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorXd q = random_vector(random, 2), v = random_vector(random, 2);
    EXPECT_EQ(bias_torque(built, a, q, v), bias_torque(loaded, b, q, v));
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
