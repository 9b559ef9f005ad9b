// Robots near the limits of double precision: the bounds of docs/safety.md.
#include <gtest/gtest.h>

#include <cmath>

#include "model/rejections.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// The error of forward dynamics after inverse dynamics, relative to the largest acceleration.
double round_trip_error(const Model& model, const VectorXd& q, const VectorXd& v,
                        const VectorXd& a) {
  textbook::Data data(model);
  const VectorXd tau = inverse_dynamics(model, data, q, v, a);
  const VectorXd back = forward_dynamics(model, data, q, v, tau);
  EXPECT_TRUE(back.allFinite());
  return (back - a).cwiseAbs().maxCoeff() / a.cwiseAbs().maxCoeff();
}

/// A chain of `joints` hinges whose masses alternate between 1 and `ratio`, each with the inertia
/// of a ball of that mass.
Model alternating_chain(int joints, double ratio) {
  ModelBuilder builder("alternating");
  builder.add_link("base");
  for (int i = 1; i <= joints; ++i) {
    const std::string child = "l" + std::to_string(i);
    const double mass = i % 2 == 0 ? ratio : 1.0;
    builder.add_link(child, {mass, Vector3(0.5, 0, 0), 0.1 * mass * Matrix3::Identity()});
    JointDescription joint = joint_between("j" + std::to_string(i), JointType::kContinuous,
                                           i == 1 ? "base" : "l" + std::to_string(i - 1), child);
    joint.origin = Transform::translation(Vector3::UnitX());
    joint.axis = i % 3 == 0 ? Vector3::UnitX() : Vector3::UnitZ();
    builder.add_joint(joint);
  }
  return builder.build();
}

TEST(NumericalTrouble, MassRatioOfAHundredMillionKeepsExpectedPrecision) {
  Random random(1);
  for (const double ratio : {1e-8, 1e-4, 1e4, 1e8}) {
    const Model model = alternating_chain(6, ratio);
    textbook::Data data(model);
    const VectorXd q = random_vector(random, 6), v = random_vector(random, 6);
    const double condition = condition_number(mass_matrix(model, data, q));
    EXPECT_LT(round_trip_error(model, q, v, random_vector(random, 6)), 1e3 * kEpsilon * condition)
        << "mass ratio " << ratio << ", condition " << condition;
  }
}

TEST(NumericalTrouble, NearlySingularMassMatrixGivesFiniteAccelerations) {
  Random random(2);
  for (const double speck : {1e-3, 1e-6, 1e-9, 1e-12}) {  // kg, at the end of a chain of 1 kg balls
    ModelBuilder builder = chain(4);
    builder.add_link("tip", {speck, Vector3(0.01, 0, 0), 1e-4 * speck * Matrix3::Identity()});
    builder.add_joint(joint_between("wrist", JointType::kContinuous, "l4", "tip"));
    const Model model = builder.build();
    ASSERT_EQ(model.why_forward_dynamics_fails(), "");
    textbook::Data data(model);
    const VectorXd q = random_vector(random, 5), v = random_vector(random, 5);
    const double condition = condition_number(mass_matrix(model, data, q));
    EXPECT_LT(round_trip_error(model, q, v, random_vector(random, 5)), 1e3 * kEpsilon * condition)
        << "a tip of " << speck << " kg";
  }
}

TEST(NumericalTrouble, AChainOfAThousandLinksKeepsSixDigits) {
  // Levers of a kilometre: errors of the far links count a thousandfold at the near ones.
  Random random(3);
  const Model model = chain(1000).build();
  const VectorXd q = random_vector(random, 1000), v = 0.01 * random_vector(random, 1000);
  EXPECT_LT(round_trip_error(model, q, v, random_vector(random, 1000)), 1e-6);
}

TEST(NumericalTrouble, AQuaternionStaysUnitOverAMillionSteps) {
  LoadOptions options;
  options.floating_base = true;
  const Model model = load_urdf(kPendulum, options);
  VectorXd q = neutral_configuration(model), v = VectorXd::Zero(model.nv());
  v.head(6) << 3.0, -2.0, 1.0, 0.1, 0.2, 0.3;
  for (int i = 0; i < 1'000'000; ++i) integrate(model, q, v, 1e-3, q);
  EXPECT_LT(std::abs(q.segment(3, 4).norm() - 1.0), 1e-14);
}

TEST(NumericalTrouble, VelocitiesOfAMillionAreAsExactAsSmallOnes) {
  // Without friction the torque of velocities is quadratic in them [L4 RNEA].
  Random random(4);
  const Model model = chain(7).build();
  textbook::Data data(model);
  const VectorXd q = random_vector(random, 7), v = random_vector(random, 7),
                 rest = VectorXd::Zero(7);
  const VectorXd gravity = inverse_dynamics(model, data, q, rest, rest);
  const VectorXd slow = inverse_dynamics(model, data, q, v, rest) - gravity;
  const VectorXd fast = inverse_dynamics(model, data, q, VectorXd(1e6 * v), rest) - gravity;
  EXPECT_TRUE(fast.allFinite());
  EXPECT_LT((1e-12 * fast - slow).norm(), 1e-12 * (slow.norm() + gravity.norm()));
}

}  // namespace
}  // namespace spatial_dynamics::test
