#include "identification/pseudo_inertia.hpp"

#include <gtest/gtest.h>

#include <random>

namespace spatial_dynamics::test {
namespace {

LogCholesky random_theta(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  LogCholesky theta;
  for (Index i = 0; i < 10; ++i) theta(i) = 0.7 * normal(random);
  return theta;
}

TEST(PseudoInertiaTest, IsLinearInTheParametersAndBack) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 20; ++n) {
    InertialParameters p;
    for (Index i = 0; i < 10; ++i) p(i) = normal(random);
    EXPECT_LT((parameters_of(pseudo_inertia(p)) - p).norm(), 1e-14);
  }
}

TEST(PseudoInertiaTest, EveryLogCholeskyVectorIsAPhysicalInertia) {
  std::mt19937_64 random(2);
  for (int n = 0; n < 200; ++n) {
    const LogCholesky theta = random_theta(random);
    const PseudoInertia J = pseudo_inertia_of(theta);
    EXPECT_TRUE(is_physical(inertia_from_parameters(parameters_of(J))));
    EXPECT_NEAR(parameters_of(J)(0), std::exp(2.0 * theta(0)), 1e-12 * std::exp(2.0 * theta(0)));
    EXPECT_LT((log_cholesky(J) - theta).norm(), 1e-9);
    EXPECT_NEAR(std::log(J.determinant()), log_determinant_gradient().dot(theta), 1e-8);
  }
}

TEST(PseudoInertiaTest, JacobianIsThatOfDifferences) {
  std::mt19937_64 random(3);
  const LogCholesky theta = random_theta(random);
  const auto jacobian = parameters_jacobian(theta);
  constexpr double kStep = 1e-6;
  for (Index i = 0; i < 10; ++i) {
    const LogCholesky step = kStep * LogCholesky::Unit(i);
    const InertialParameters slope = (parameters_of(pseudo_inertia_of(theta + step)) -
                                      parameters_of(pseudo_inertia_of(theta - step))) /
                                     (2.0 * kStep);
    EXPECT_LT((slope - jacobian.col(i)).norm(), 1e-7 * (1.0 + slope.norm()));
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
