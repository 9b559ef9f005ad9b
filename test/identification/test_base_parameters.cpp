#include "spatial_dynamics/identification/base_parameters.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <random>

#include "identification/identification_rig.hpp"
#include "identification/robot_regressor.hpp"

namespace spatial_dynamics::test {
namespace {

/// Rows of the regressor by inverse dynamics of the textbook, one inertia at a time: an independent
/// computation, column by column.
MatrixXd inertial_columns_by_payloads(const Model& model, int states) {
  const std::vector<RobotParameter> parameters = robot_parameters(model, {false, false, false});
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  MatrixXd rows(states * model.nv(), static_cast<Index>(parameters.size()));
  Data data(model);
  for (int s = 0; s < states; ++s) {
    VectorXd q(model.nq()), v(model.nv()), a(model.nv());
    for (VectorXd* const x : {&q, &v, &a}) {
      for (Index i = 0; i < x->size(); ++i) (*x)(i) = number(random);
    }
    const VectorXd tau = inverse_dynamics(model, data, q, v, a);
    for (Index i = 0; i < rows.cols(); ++i) {
      const RobotParameter& p = parameters[to_size(i)];
      Model changed = model;
      changed.set_payload(main_link(model, p.body),
                          inertia_from_parameters(InertialParameters::Unit(p.entry)));
      Data of_changed(changed);
      rows.col(i).segment(s * model.nv(), model.nv()) =
          inverse_dynamics(changed, of_changed, q, v, a) - tau;
    }
  }
  return rows;
}

TEST(BaseParametersTest, RankIsTheNumericRankOfAnIndependentRegressor) {
  for (const char* name : {"arm6", "arm7", "planar_arm", "scara", "gripper", "double_pendulum"}) {
    const Model model = load_urdf(rig_urdf(name));
    BaseOptions options;
    options.parameters = {false, false, false};
    const BaseParameters base = base_parameters(model, options);
    MatrixXd rows = inertial_columns_by_payloads(model, 40);
    for (Index i = 0; i < rows.cols(); ++i) {
      const double norm = rows.col(i).norm();
      if (norm > 1e-9) rows.col(i) /= norm;
    }
    Eigen::JacobiSVD<MatrixXd> svd(rows);
    svd.setThreshold(1e-9);
    EXPECT_EQ(base.rank(), svd.rank()) << name;
  }
}

TEST(BaseParametersTest, ArmsHaveTheRankOfTheLiterature) {
  // Gautier and Khalil: 36 for a robot with the structure of a UR-type arm whose first axis is
  // vertical, 43 for a seven-joint arm with intersecting axes.
  BaseOptions options;
  options.parameters = {false, false, false};
  EXPECT_EQ(base_parameters(load_urdf(rig_urdf("arm6")), options).rank(), 36);
  EXPECT_EQ(base_parameters(load_urdf(rig_urdf("arm7")), options).rank(), 43);
}

TEST(BaseParametersTest, CombinationsReproduceAllEfforts) {
  for (const char* name : {"arm7", "gripper", "scara"}) {
    const Model model = load_urdf(rig_urdf(name));
    const BaseParameters base = base_parameters(model);
    RobotRegressor regressor(model, base.parameters);
    const VectorXd p = values_in_model(base.parameters), x = base.combination * p;
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    for (int s = 0; s < 20; ++s) {
      VectorXd q(model.nq()), v(model.nv()), a(model.nv());
      for (VectorXd* const y : {&q, &v, &a}) {
        for (Index i = 0; i < y->size(); ++i) (*y)(i) = number(random);
      }
      regressor.compute(q, v, a, friction_direction(model, v));
      VectorXd reduced = VectorXd::Zero(model.nv());
      for (Index b = 0; b < base.rank(); ++b) {
        reduced += x(b) * regressor.matrix().col(base.independent[to_size(b)]);
      }
      const VectorXd full = regressor.matrix() * p;
      EXPECT_LT((reduced - full).norm(), 1e-9 * (1.0 + full.norm())) << name;
      Data data(model);
      const VectorXd tau = inverse_dynamics(model, data, q, v, a);
      EXPECT_LT((full + regressor.known() - tau).norm(), 1e-9 * (1.0 + tau.norm())) << name;
    }
  }
}

TEST(BaseParametersTest, NamesWhatHasNoEffectAndWhatStandsAlone) {
  const BaseParameters base = base_parameters(load_urdf(rig_urdf("planar_arm")));
  for (std::size_t i = 0; i < base.parameters.size(); ++i) {
    const std::string& name = base.parameters[i].name;
    if (name == "my of link 'rod'" || name == "Ixx of link 'rod'") {
      EXPECT_TRUE(base.without_effect[i]) << name;
    }
    if (name == "friction of joint 'elbow'") {
      EXPECT_TRUE(base.alone[i]);
    }
    if (name == "rotor inertia of joint 'shoulder'") {
      EXPECT_FALSE(base.alone[i]);
    }
  }
}

TEST(BaseParametersTest, StillAndUnmeasuredCoordinatesReduceTheRank) {
  const Model model = load_urdf(rig_urdf("arm7"));
  const Index all = base_parameters(model).rank();
  BaseOptions still;
  still.still.assign(7, false);
  still.still[6] = true;
  still.position = VectorXd::Zero(7);
  EXPECT_LT(base_parameters(model, still).rank(), all);
  BaseOptions unmeasured;
  unmeasured.unmeasured = {true, true, true, true, true, true, false};
  const BaseParameters last = base_parameters(model, unmeasured);
  EXPECT_GT(last.rank(), 0);
  for (const Index i : last.independent) {
    const RobotParameter& p = last.parameters[to_size(i)];
    EXPECT_TRUE(p.body == 7 || p.joint == 7) << p.name;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
