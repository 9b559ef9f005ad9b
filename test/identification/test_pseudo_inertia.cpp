#include "identification/pseudo_inertia.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

namespace spatial_dynamics::test {
namespace {

TEST(PseudoInertiaTest, IsLinearInTheParametersAndBack) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 20; ++n) {
    InertialParameters p;
    for (Index i = 0; i < 10; ++i) p(i) = normal(random);
    EXPECT_LT((parameters_of(pseudo_inertia(p)) - p).norm(), 1e-14);
  }
}

TEST(PseudoInertiaTest, TheMetricIsTheSameInEveryFrame) {
  const Inertia body =
      Inertia::from_com(2.0, Vector3(0.1, -0.2, 0.3), Vector3(0.02, 0.03, 0.025).asDiagonal());
  const Inertia change =
      Inertia::from_com(0.1, Vector3(0.2, 0.1, 0.1), Vector3(0.001, 0.002, 0.002).asDiagonal());
  const Transform X = Transform::from_pose(
      Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix(), Vector3(1, -2, 3));
  const auto size = [](const Inertia& at, const Inertia& by) {
    const InertialParameters p = inertial_parameters(by);
    return p.dot(relative_metric(pseudo_inertia(inertial_parameters(at))) * p);
  };
  EXPECT_NEAR(size(body, change), size(to_parent(X, body), to_parent(X, change)), 1e-6);
  // A change of everything by a share s has the size 4 s^2.
  EXPECT_NEAR(size(body, 0.3 * body), 4.0 * 0.09, 1e-12);
}

TEST(PseudoInertiaTest, WidensPointMassesAndNothingElse) {
  const Inertia point = Inertia::from_com(3.0, Vector3(0.1, 0.2, 0.3), Matrix3::Zero());
  const PseudoInertia wide = with_least_spread(pseudo_inertia(inertial_parameters(point)), 0.01);
  const Inertia result = inertia_from_parameters(parameters_of(wide));
  EXPECT_NEAR(result.mass, 3.0, 1e-12);
  EXPECT_LT((result.com() - point.com()).norm(), 1e-12);
  EXPECT_LT((result.inertia_about_com() - 2.0 * 3.0 * 1e-4 * Matrix3::Identity()).norm(), 1e-12);
  const Inertia body =
      Inertia::from_com(2.0, Vector3(0.1, -0.2, 0.3), Vector3(0.02, 0.03, 0.025).asDiagonal());
  const PseudoInertia J = pseudo_inertia(inertial_parameters(body));
  EXPECT_LT((with_least_spread(J, 0.01) - J).norm(), 1e-12);
}

}  // namespace
}  // namespace spatial_dynamics::test
