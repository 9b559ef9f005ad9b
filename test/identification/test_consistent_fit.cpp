#include "identification/consistent_fit.hpp"

#include <gtest/gtest.h>

#include "identification/identification_rig.hpp"
#include "identification/robot_regressor.hpp"

namespace spatial_dynamics::test {
namespace {

struct Problem {
  explicit Problem(const std::string& urdf) : model(load_urdf(urdf)), base(base_parameters(model)) {
    options.error = VectorXd::Ones(static_cast<Index>(base.parameters.size()));
    options.held.assign(base.parameters.size(), false);
  }
  /// Equations that say x = value, with this standard deviation.
  [[nodiscard]] WeightedEquations exactly(const VectorXd& value, double deviation) const {
    return {MatrixXd::Identity(value.size(), value.size()) / deviation, value / deviation};
  }

  Model model;
  BaseParameters base;
  ConsistentFitOptions options;
};

TEST(ConsistentFitTest, WithoutInformationItStaysAtTheModel) {
  const Problem problem(rig_urdf("scara"));
  const VectorXd p0 = values_in_model(problem.base.parameters);
  const Index n = problem.base.rank();
  const ConsistentFit fit =
      fit_consistently({MatrixXd::Zero(n, n), VectorXd::Zero(n)}, problem.base, problem.options);
  EXPECT_LT((fit.parameters - p0).norm(), 1e-8);
  EXPECT_LT((fit.uncertainty - VectorXd::Ones(p0.size())).norm(), 1e-9);
}

TEST(ConsistentFitTest, ReachesTheBaseParametersOfAnotherRobotExactly) {
  for (const char* name : {"scara", "planar_arm", "arm7"}) {
    const std::string truth = with_friction(rig_urdf(name), 1);
    const Problem problem(falsified(truth, 1));
    const VectorXd value = base_values(problem.base, load_urdf(truth));
    const ConsistentFit fit =
        fit_consistently(problem.exactly(value, 1e-6), problem.base, problem.options);
    EXPECT_LT((problem.base.combination * fit.parameters - value).cwiseAbs().maxCoeff(), 1e-5)
        << name;
    EXPECT_LT(fit.iterations, 40) << name;
    for (Index i = 0; i < fit.parameters.size(); ++i) {
      if (problem.base.parameters[to_size(i)].entry != 0) continue;
      EXPECT_TRUE(
          is_physical(inertia_from_parameters(fit.parameters.segment<kInertialParameters>(i))));
    }
  }
}

TEST(ConsistentFitTest, EquationsOfAnImpossibleRobotGiveAPossibleOne) {
  const Problem problem(rig_urdf("planar_arm"));
  VectorXd value = -problem.base.combination * values_in_model(problem.base.parameters);
  const ConsistentFit fit =
      fit_consistently(problem.exactly(value, 0.1), problem.base, problem.options);
  for (Index i = 0; i < fit.parameters.size(); ++i) {
    const RobotParameter& p = problem.base.parameters[to_size(i)];
    if (p.kind != ParameterKind::kInertial) {
      if (p.kind != ParameterKind::kOffset) {
        EXPECT_GE(fit.parameters(i), 0.0) << p.name;
      }
    } else if (p.entry == 0) {
      EXPECT_TRUE(
          is_physical(inertia_from_parameters(fit.parameters.segment<kInertialParameters>(i))));
    }
  }
}

TEST(ConsistentFitTest, HeldParametersKeepTheirValues) {
  Problem problem(rig_urdf("planar_arm"));
  const VectorXd p0 = values_in_model(problem.base.parameters);
  for (std::size_t i = 0; i < problem.base.parameters.size(); ++i) {
    problem.options.held[i] = problem.base.parameters[i].kind == ParameterKind::kDamping;
  }
  const VectorXd value = 1.2 * (problem.base.combination * p0);
  const ConsistentFit fit =
      fit_consistently(problem.exactly(value, 0.01), problem.base, problem.options);
  for (Index i = 0; i < p0.size(); ++i) {
    const RobotParameter& p = problem.base.parameters[to_size(i)];
    if (p.kind == ParameterKind::kDamping) {
      EXPECT_NEAR(fit.parameters(i), p0(i), 1e-9) << p.name;
    }
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
