#include "spatial_dynamics/model/weight_torque.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/coordinates.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kG = 9.80665;

/// A pendulum about y whose hand hangs `length` below the joint at 0.
Model pendulum(double length, double lower, double upper) {
  const std::string limits = "lower=\"" + std::to_string(lower) + "\" upper=\"" +
                             std::to_string(upper) + "\" effort=\"12\" velocity=\"2\"";
  return load_urdf(R"(<robot name="pendulum"><link name="base"/>
<link name="rod"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="hand"/>
<joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit )" +
                   limits + R"(/></joint>
<joint name="grip" type="fixed"><parent link="rod"/><child link="hand"/><origin xyz="0 0 )" +
                   std::to_string(-length) + R"("/></joint></robot>)");
}

Inertia point_mass(double mass, const Vector3& at = Vector3::Zero()) {
  return Inertia::from_com(mass, at, Matrix3::Zero());
}

TEST(WeightTorque, OfAPendulumIsMassTimesGravityTimesLength) {
  const Model model = pendulum(0.7, -3.0, 3.0);
  const VectorXd worst =
      worst_weight_torque(model, model.find_link("hand"), point_mass(2.0), kStandardGravity);
  EXPECT_NEAR(worst(0), 2.0 * kG * 0.7, 1e-9);
}

TEST(WeightTorque, KeepsToThePositionLimits) {
  const Model model = pendulum(0.7, -0.5, 0.2);
  const VectorXd worst =
      worst_weight_torque(model, model.find_link("hand"), point_mass(2.0), kStandardGravity);
  EXPECT_NEAR(worst(0), 2.0 * kG * 0.7 * std::sin(0.5), 1e-9);
}

TEST(WeightTorque, OfAStretchedDoublePendulumHasBothLengths) {
  const Model model = load_urdf_file(shipped_urdf("double_pendulum"));
  const Index tip = last_moving_link(model);
  // The hand's distance from each joint when the arm is straight; both joints turn about the same
  // horizontal axis.
  textbook::Data data(model);
  const Inertia payload = point_mass(3.0, {0.0, 0.0, 0.1});
  const VectorXd worst = worst_weight_torque(model, tip, payload, kStandardGravity);
  // Laws, not the robot's figures: no pose of ten thousand is worse, and the worst is reached up to
  // a percent.
  VectorXd largest = VectorXd::Zero(model.nv());
  Random random{3};
  Model loaded = model;
  loaded.set_payload(tip, payload);
  for (int i = 0; i < 10000; ++i) {
    VectorXd q = 3.2 * random_vector(random, model.nq());
    for (Index k = 0; k < q.size(); ++k) {
      const JointLimits& limits = model.joint(k + 1).limits;
      q(k) = std::clamp(q(k), limits.lower, limits.upper);
    }
    const VectorXd bare = gravity_torque(model, data, q);
    textbook::Data loaded_data(loaded);
    const VectorXd weight = gravity_torque(loaded, loaded_data, q) - bare;
    largest = largest.cwiseMax(weight.cwiseAbs());
  }
  for (Index k = 0; k < model.nv(); ++k) {
    EXPECT_LE(largest(k), worst(k) * (1.0 + 1e-9)) << k;
    EXPECT_GE(largest(k), worst(k) * 0.95) << k;
  }
}

TEST(WeightTorque, NoSampledPoseOfAnArmExceedsIt) {
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  const Index tip = last_moving_link(model);
  const Inertia payload = point_mass(2.0, {0.05, 0.0, 0.1});
  const VectorXd worst = worst_weight_torque(model, tip, payload, kStandardGravity);
  Model loaded = model;
  loaded.set_payload(tip, payload);
  textbook::Data data(model), loaded_data(loaded);
  Random random{5};
  for (int i = 0; i < 20000; ++i) {
    VectorXd q(model.nq());
    for (Index k = 0; k < q.size(); ++k) {
      const JointLimits& limits = model.joint(k + 1).limits;
      q(k) =
          limits.lower + (0.5 + 0.5 * random_vector(random, 1)(0)) * (limits.upper - limits.lower);
      q(k) = std::clamp(q(k), limits.lower, limits.upper);
    }
    const VectorXd weight = gravity_torque(loaded, loaded_data, q) - gravity_torque(model, data, q);
    for (Index k = 0; k < q.size(); ++k) {
      ASSERT_LE(std::abs(weight(k)), worst(k) * (1.0 + 1e-9) + 1e-9) << "joint " << k;
    }
  }
}

TEST(WeightTorque, IsTheSameEveryTime) {
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  const auto once = [&] {
    return worst_weight_torque(model, last_moving_link(model), point_mass(2.0), kStandardGravity);
  };
  EXPECT_EQ(once(), once());
}

TEST(WeightTorque, IgnoresJointsWithoutLoad) {
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  const VectorXd worst =
      worst_weight_torque(model, model.link_count() > 4 ? 3 : 1, point_mass(2.0), kStandardGravity);
  EXPECT_EQ(worst(6), 0.0);
}

TEST(WeightTorque, OfTheWholeRobotIsNotExceededBySampledPoses) {
  for (const char* name : {"arm7", "gripper", "gantry", "humanoid"}) {
    const Model model = load_urdf_file(shipped_urdf(name));
    const VectorXd worst = worst_weight_torque(model);
    textbook::Data data(model);
    Random random{7};
    for (int i = 0; i < 3000; ++i) {
      VectorXd q = neutral_configuration(model);
      for (const Index j : model.coordinate_joints()) {
        const Joint& joint = model.joint(j);
        if (joint.nq != 1) continue;
        const double share = 0.5 + 0.5 * random_vector(random, 1)(0);
        const bool is_bounded = std::isfinite(joint.limits.upper - joint.limits.lower);
        q(joint.q_index) =
            is_bounded ? joint.limits.lower + share * (joint.limits.upper - joint.limits.lower)
                       : M_PI * (2.0 * share - 1.0);
      }
      const VectorXd weight = gravity_torque(model, data, q);
      for (Index k = 0; k < model.nv(); ++k) {
        ASSERT_LE(std::abs(weight(k)), worst(k) * (1.0 + 1e-9) + 1e-9) << name << " " << k;
      }
    }
  }
}

TEST(WeightTorque, OfAVerticalAxisIsZero) {
  EXPECT_EQ(worst_weight_torque(load_urdf_file(shipped_urdf("arm7")))(0), 0.0);
}

TEST(WeightTorque, OfTheWholeRobotIncludesPayloadsAndGravity) {
  Model model = pendulum(0.7, -3.0, 3.0);  // the rod's centre of mass is on the axis
  EXPECT_NEAR(worst_weight_torque(model)(0), 0.0, 1e-12);
  model.set_payload(model.find_link("hand"), point_mass(2.0));
  EXPECT_NEAR(worst_weight_torque(model)(0), 2.0 * kG * 0.7, 1e-9);
  model.set_gravity({1.62, 0.0, 0.0});
  EXPECT_NEAR(worst_weight_torque(model)(0), 2.0 * 1.62 * 0.7, 1e-9);
}

TEST(WeightTorque, OfAFloatingRobotIsThatOfItsLimbs) {
  LoadOptions options;
  options.floating_base = true;
  const Model model = load_urdf_file(shipped_urdf("quadruped"), options);
  const VectorXd worst = worst_weight_torque(model);
  EXPECT_NEAR(worst(5), model.total_mass() * kG, 1e-9) << "the force on the base";
  EXPECT_GT(worst.tail(12).minCoeff(), 0.0);
}

TEST(WeightTorque, OfARobotWithAFloatingJointInTheTreeIsComputed) {
  JointDescription joint;
  joint.name = "loose";
  joint.type = JointType::kFloating;
  joint.parent = "base";
  joint.child = "ball";
  const Model model = ModelBuilder("loose")
                          .add_link("base")
                          .add_link("ball", {1.0, Vector3::Zero(), Matrix3::Identity()})
                          .add_joint(joint)
                          .build();
  EXPECT_NEAR(worst_weight_torque(model)(5), kG, 1e-12);
}

ModelReport weighed(const Model& model, double effort) {
  ModelReport report;
  CoordinateEntry entry;
  entry.name = "hinge";
  entry.limits.effort = effort;
  report.joints.push_back(entry);
  add_weights(model, report);
  return report;
}

TEST(AddWeights, ReportsEffortLimitsBelowTheWeight) {
  Model model = pendulum(0.7, -3.0, 3.0);
  model.set_payload(model.find_link("hand"), point_mass(2.0));  // 13.73 N m
  const ModelReport weak = weighed(model, 13.7);
  EXPECT_NEAR(weak.joints[0].weight.value(), 2.0 * kG * 0.7, 1e-9);
  ASSERT_EQ(weak.findings.size(), 1U);
  EXPECT_EQ(weak.findings[0].code, FindingCode::kWeightExceedsEffort);
  EXPECT_EQ(weak.findings[0].element, "joint 'hinge'");
  EXPECT_NE(weak.findings[0].what.find("needs up to 13.73 N m"), std::string::npos);
  EXPECT_NE(weak.findings[0].what.find("effort limit is 13.7 N m"), std::string::npos);
  EXPECT_EQ(weak.findings[0].severity, Severity::kInfo);
  EXPECT_EQ(weighed(model, 6.9).findings.at(0).severity, Severity::kInfo);
  EXPECT_EQ(weighed(model, 6.8).findings.at(0).severity, Severity::kWarning) << "less than half";
  EXPECT_TRUE(weighed(model, 13.8).findings.empty());
  EXPECT_TRUE(weighed(model, kUnlimited).findings.empty());
  EXPECT_TRUE(weighed(model, 0.0).findings.empty()) << "a finding of its own";
}

}  // namespace
}  // namespace spatial_dynamics::test
