// Rows 80 to 83: stops, velocity caps, the power cap, and limits that are missing.
#include <gtest/gtest.h>

#include <cmath>

#include "faults/bench.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

/// The shipped arm in simulation, with its controller at 1 kHz.
class EnvelopeRows : public ::testing::Test {
 protected:
  EnvelopeRows() : simulator(bench.controller.model(), without_stops()) {
    bench.settings.config.envelope.enabled = true;
    bench.settings.config.torque_mode = TorqueMode::kComputedTorque;
    bench.resolve();
    start({0.0, 0.0, 0.0, -1.5, 0.0, 1.5, 0.0});
  }
  static SimulatorOptions without_stops() {
    SimulatorOptions options;
    options.joint_stops = false;
    return options;
  }
  void start(const std::vector<double>& q) {
    bench.q = q;
    simulator.reset(Eigen::Map<const VectorXd>(q.data(), 7));
  }
  /// The robot moves by the torques that are sent.
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      VectorXd::Map(bench.q.data(), 7) = simulator.q();
      VectorXd::Map(bench.v.data(), 7) = simulator.v();
      bench.run(1);
      faults |= bench.out.faults;
      if (bench.out.limited.stop >= 0) stop = bench.out.limited.stop;
      if (bench.out.limited.speed >= 0) speed = bench.out.limited.speed;
      ASSERT_TRUE(simulator.step(1e-3, bench.out.torque));
      highest = std::max(highest, simulator.q()(kElbow));
      fastest = std::max(fastest, simulator.v()(kElbow));
    }
  }
  /// The reference of the elbow; all other joints stay.
  void refer(double elbow) {
    std::vector<double> position = bench.q;
    position[kElbow] = elbow;
    ASSERT_EQ(bench.refer(position), RejectionReason::kNone);
  }

  static constexpr Index kElbow = 3;
  Bench bench{load_urdf_file(shipped_urdf("arm7"))};
  Simulator simulator;
  Faults faults = 0;
  Index stop = -1, speed = -1;
  double highest = -10.0, fastest = 0.0;
};

TEST_F(EnvelopeRows, Row80ReferenceBeyondALimitEndsAtTheSoftStop) {
  // Friction stops the joint before its stop if feedback is weak.
  bench.settings.config.kp = {1000.0};
  bench.settings.config.kd = {60.0};
  bench.resolve();
  run(400);
  EXPECT_EQ(faults, 0u) << "inside";
  for (int i = 0; i < 5; ++i) {
    refer(0.5);  // clipped to the limit itself
    run(400);
  }
  const EnvelopeLimits& limits = bench.settings.joints.envelope;
  EXPECT_TRUE(has(faults, Fault::kStopReached));
  EXPECT_EQ(stop, kElbow);
  EXPECT_LT(highest, limits.hard_upper(kElbow));
  EXPECT_NEAR(simulator.q()(kElbow), limits.soft_upper(kElbow), 5e-3);
}

TEST_F(EnvelopeRows, Row81FastReferenceIsCutToTheVelocityCap) {
  bench.settings.config.envelope.velocity_scale = 0.2;
  bench.resolve();
  run(400);
  refer(-0.5);
  run(400);
  EXPECT_TRUE(has(faults, Fault::kSpeedCap));
  EXPECT_EQ(speed, kElbow);
  EXPECT_LT(fastest, 1.02 * 0.2 * 2.175);
  EXPECT_GT(fastest, 0.9 * 0.2 * 2.175);
}

TEST_F(EnvelopeRows, Row82PowerIsCutToItsLimit) {
  bench.settings.config.envelope.power_limit = 5.0;
  bench.resolve();
  run(400);
  refer(-0.5);
  for (int i = 0; i < 300; ++i) {
    const VectorXd v = simulator.v();
    run(1);
    EXPECT_LE(bench.out.torque.cwiseProduct(v).cwiseMax(0.0).sum(), 5.0 + 1e-9) << i;
  }
  EXPECT_TRUE(has(faults, Fault::kPowerCap));
}

TEST_F(EnvelopeRows, Row83MissingVelocityLimitIsReportedAndCapsNothing) {
  const Model model = load_urdf(R"(<robot name="pendulum"><link name="base"/><link name="rod">
<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 -1 0"/>
<limit lower="-3" upper="3" effort="12" velocity="0"/></joint></robot>)");
  const JointSettings joints = resolve_joint_settings(ControlSettings{}, model);
  EXPECT_TRUE(std::isinf(joints.envelope.velocity(0)));
  EXPECT_EQ(joints.envelope.without_velocity_limit, std::vector<std::string>{"hinge"});
  EXPECT_NE(joints.envelope.missing.find("'hinge'"), std::string::npos) << joints.envelope.missing;
  ControlSettings off;
  off.envelope.enabled = false;
  EXPECT_EQ(resolve_joint_settings(off, model).envelope.missing, "");
}

}  // namespace
}  // namespace spatial_dynamics::test
