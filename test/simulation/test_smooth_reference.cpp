// The demo's motion begins at rest, has consistent derivatives, and stays within the robot's
// limits.
#include "spatial_dynamics/simulation/smooth_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/coordinates.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"

namespace spatial_dynamics {
namespace {

/// nv numbers from the URDF.
VectorXd effort_limits(const Model& model) {
  VectorXd limits(model.nv());
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    limits(c.v) = model.joint(c.joint).limits.effort;
  }
  return limits;
}

class ShippedRobots : public testing::TestWithParam<std::string> {
 protected:
  Model model_ =
      load_urdf_file(std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/" + GetParam() + ".urdf");
  VectorXd effort_limit_ = effort_limits(model_);
  std::vector<ScalarCoordinate> coordinates_ = scalar_coordinates(model_);
  SmoothReference reference_{model_, effort_limit_};

  MotionPoint at(double t) const {
    MotionPoint point;
    reference_.sample(t, point);
    return point;
  }
};

TEST_P(ShippedRobots, BeginAtRestAtThePresentPosition) {
  std::vector<double> present = middle_posture(model_);
  for (double& position : present) position += 0.1;
  reference_.begin(present);
  for (const double t : {-1.0, 0.0}) {
    const MotionPoint point = at(t);
    EXPECT_EQ(point.position, present);
    EXPECT_EQ(point.velocity, std::vector<double>(present.size(), 0.0));
    EXPECT_EQ(point.acceleration, std::vector<double>(present.size(), 0.0));
  }
}

TEST_P(ShippedRobots, MoveWithTheDerivativesOfTheirPosition) {
  std::vector<double> present = middle_posture(model_);
  for (double& position : present) position -= 0.2;
  reference_.begin(present);
  // Central differences: an error of h^2 / 6 times a third derivative, which stays below 10 here,
  // plus rounding 1e-16 / h.
  constexpr double h = 1e-5;
  for (double t = 0.05; t < 5.0; t += 0.0371) {
    const MotionPoint before = at(t - h), now = at(t), after = at(t + h);
    for (std::size_t k = 0; k < present.size(); ++k) {
      EXPECT_NEAR(now.velocity[k], (after.position[k] - before.position[k]) / (2 * h), 1e-9);
      EXPECT_NEAR(now.acceleration[k], (after.velocity[k] - before.velocity[k]) / (2 * h), 1e-8);
    }
  }
}

TEST_P(ShippedRobots, StayWithinTheLimitsAndMove) {
  textbook::Data data(model_);
  VectorXd q = VectorXd::Zero(model_.nq()), v = VectorXd::Zero(model_.nv()), a = v;
  VectorXd lowest = VectorXd::Constant(model_.nv(), 1e9), highest = -lowest;
  for (double t = 0.0; t < 120.0; t += 0.05) {
    const MotionPoint point = at(t);
    for (std::size_t k = 0; k < coordinates_.size(); ++k) {
      const ScalarCoordinate& c = coordinates_[k];
      const JointLimits& limits = model_.joint(c.joint).limits;
      EXPECT_GT(point.position[k], limits.lower) << c.name << " at " << t;
      EXPECT_LT(point.position[k], limits.upper) << c.name << " at " << t;
      EXPECT_LE(std::abs(point.velocity[k]), 0.5 * limits.velocity) << c.name << " at " << t;
      q(c.q) = point.position[k];
      v(c.v) = point.velocity[k];
      a(c.v) = point.acceleration[k];
      lowest(c.v) = std::min(lowest(c.v), point.position[k]);
      highest(c.v) = std::max(highest(c.v), point.position[k]);
    }
    const VectorXd& torque = inverse_dynamics(model_, data, q, v, a);
    EXPECT_LT((torque.array().abs() / effort_limit_.array()).maxCoeff(), 0.85) << "at " << t;
  }
  EXPECT_GT((highest - lowest).minCoeff(), 0.005);
  EXPECT_LE(reference_.demand().share, SmoothReference::kEffortShare);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedRobots, testing::Values("arm6", "arm7", "double_pendulum"),
                         [](const auto& robot) { return robot.param; });

TEST(SmoothReference, HasSmallerAmplitudesForWeakMotors) {
  const Model model =
      load_urdf_file(std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/double_pendulum.urdf");
  const VectorXd plenty = VectorXd::Constant(model.nv(), 1e6);
  const SmoothReference strong(model, plenty);
  // The middle position is an equilibrium, so that any motor can move the robot a little.
  const SmoothReference weak(model, plenty * strong.demand().share / 4.0);
  EXPECT_LE(weak.demand().share, SmoothReference::kEffortShare);
  MotionPoint wide, narrow;
  strong.sample(7.0, wide);
  weak.sample(7.0, narrow);
  const double centre = middle_posture(model)[0];
  EXPECT_LT(std::abs(narrow.position[0] - centre), 0.8 * std::abs(wide.position[0] - centre));
  EXPECT_GT(std::abs(narrow.position[0] - centre), 0.0);
}

TEST(SmoothReference, NamesTheJointWithTooSmallAnEffortLimit) {
  const Model model = load_urdf_file(std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/urdf/arm7.urdf");
  VectorXd limit = VectorXd::Constant(model.nv(), 1e6);
  limit(3) = 1.0;
  const SmoothReference weak(model, limit);
  EXPECT_EQ(weak.holding().joint, "elbow");
  EXPECT_GT(weak.holding().share, 1.0);
  EXPECT_EQ(weak.demand().joint, "elbow");
  EXPECT_GE(weak.demand().share, weak.holding().share);

  Model heavy = model;  // what turns about its own middle is no load while it stands
  const Index wrist = heavy.find_link("link7");
  heavy.set_payload(wrist, Inertia::from_com(1e-6, Vector3::Zero(), 1e6 * Matrix3::Identity()));
  limit.setConstant(1e9);
  limit(6) = 10.0;
  const SmoothReference inert(heavy, limit);
  EXPECT_LT(inert.holding().share, SmoothReference::kEffortShare);
  EXPECT_EQ(inert.demand().joint, "wrist_roll");
  EXPECT_GT(inert.demand().share, SmoothReference::kEffortShare);
}

}  // namespace
}  // namespace spatial_dynamics
