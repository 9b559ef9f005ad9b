// How the engine begins, ends and changes hands: without a jump, and deaf to commands once it is told to end.
#include <memory>

#include "runtime/engine_harness.hpp"
#include "spatial_dynamics/runtime/engine.hpp"

namespace spatial_dynamics::test {
namespace {

class TransitionTest : public EngineTest {
 protected:
  TransitionTest() {
    settings.config.torque_mode = TorqueMode::kComputedTorque;
    resolve();
  }
  [[nodiscard]] double off_gravity() {
    return (out.torque - gravity_torque(model, data, states.q)).cwiseAbs().maxCoeff();
  }
  void ask_for(double distance) {
    set_reference(states.q + VectorXd::Constant(7, distance), VectorXd::Zero(7), VectorXd::Zero(7));
  }
  double largest_step(int cycles) {
    double largest = 0.0;
    repeat(cycles, [&] {
      const VectorXd before = out.torque;
      cycle();
      largest = std::max(largest, (out.torque - before).cwiseAbs().maxCoeff());
    });
    return largest;
  }
};

TEST_F(TransitionTest, AtActivationFeedbackGrowsTowardsAReferenceThatIsFarAway) {
  states.received[3] = 0;
  step();
  ASSERT_EQ(out.phase, Phase::kWaiting);
  ask_for(2.0);
  cycle();
  ASSERT_EQ(out.phase, Phase::kRunning);
  EXPECT_NEAR(out.position_error.maxCoeff(), 2.0, 1e-12) << "it was taken up";
  EXPECT_LT(off_gravity(), 1e-9) << "the weight is carried at once, and nothing more";
  EXPECT_LT(largest_step(300), 1.5) << "87 N m in 0.3 s, with some speed on the way";
  EXPECT_GT(off_gravity(), 20.0);
}

TEST_F(TransitionTest, AReferenceThatComesWhileItWindsDownIsNotObeyed) {
  repeat(400, [&] { cycle(); });
  active = false;
  cycle();
  const double at_first = out.torque.cwiseAbs().maxCoeff();
  ask_for(2.0);
  EXPECT_LT(largest_step(298), at_first / 250.0);
  EXPECT_EQ(out.phase, Phase::kWindingDown);
  repeat(5, [&] { cycle(); });
  EXPECT_EQ(out.phase, Phase::kInactive);
}

TEST_F(TransitionTest, ATrajectoryThatIsUnderWayEndsWithTheRamp) {
  repeat(400, [&] { cycle(); });
  ++generation;
  for (std::size_t k = 0; k < 7; ++k) {
    const double goal = states.q(static_cast<Index>(k)) + 3.0;
    references.joints[k] = full_reference(generation, now, false, {{1.0, goal, 0.0, 0.0, 0.0}});
  }
  repeat(100, [&] { cycle(); });
  active = false;
  cycle();
  const VectorXd error = out.position_error;
  repeat(200, [&] { cycle(); });
  EXPECT_EQ(out.position_error, error) << "the reference stands";
}

TEST_F(TransitionTest, AnotherModeWhileItWindsDownDoesNotStepTheTorque) {
  repeat(400, [&] { cycle(); });
  ask_for(0.2);
  repeat(400, [&] { cycle(); });
  active = false;
  cycle();
  const double at_first = out.torque.cwiseAbs().maxCoeff();
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  EXPECT_LT(largest_step(299), at_first / 250.0);
}

// ---- another robot takes over ---------------------------------------------------------------------------------------------------

class TakeOverTest : public TransitionTest {
 protected:
  TakeOverTest() {
    LoadOptions options;
    options.payloads.push_back({model.link(model.link_count() - 1).name,
                                {9.0, Vector3(0, 0, 0.1), 0.01 * Matrix3::Identity()}});
    heavy = load_urdf_file(shipped_urdf("arm7"), options);
    repeat(400, [&] { cycle(); });
  }
  /// So many cycles, a robot after the other, each for ten of them; in the end out is the last one's.
  void take_turns(int cycles, bool states_come) {
    std::unique_ptr<Engine> before, next;
    for (int i = 0; i < cycles; ++i) {
      if (i % 10 == 0) {
        next = std::make_unique<Engine>(i % 20 == 0 ? heavy : model);
        next->continue_from(before == nullptr ? engine : *before);
        before = std::move(next);
      }
      now += kMillisecond;
      if (states_come) see_states();
      before->step(
          now, {settings, states, references, effort_command, wrenches, payloads, gravity, active},
          out);
    }
  }
  Model heavy = model;
};

TEST_F(TakeOverTest, InTheCycleThatDeactivatesItDoesNotStepTheTorque) {
  const VectorXd last = out.torque;
  Engine next(heavy);
  next.continue_from(engine);
  now += kMillisecond;
  see_states();
  next.step(now, {settings, states, references, effort_command, wrenches, payloads, gravity, false},
            out);
  ASSERT_EQ(out.phase, Phase::kWindingDown);
  EXPECT_LE((out.torque - last).cwiseAbs().maxCoeff(), last.cwiseAbs().maxCoeff() / 290.0)
      << "nine kilograms more are not asked for on the way out";
}

TEST_F(TakeOverTest, AgainAndAgainItDoesNotMakeWindingDownLonger) {
  active = false;
  take_turns(302, true);
  EXPECT_EQ(out.phase, Phase::kInactive);
  EXPECT_TRUE(out.torque.isZero(0.0));
}

TEST_F(TakeOverTest, AgainAndAgainItDoesNotMakeAFallbackToZeroLonger) {
  take_turns(101, false);
  EXPECT_FALSE(out.torque.isZero(0.0));
  repeat(400, [&] { cycle(); });
  take_turns(100 + 302, false);
  EXPECT_EQ(out.phase, Phase::kFallback);
  EXPECT_TRUE(out.torque.isZero(0.0));
}

// ---- whose coordinates are the same ---------------------------------------------------------------------------------------------

std::string one_joint(const char* type, const char* root) {
  return std::string("<robot name='r'><link name='w'/>") + root +
         "<link name='base'><inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
         "iyz='0' "
         "izz='1'/></inertial></link><link name='arm'><inertial><mass value='1'/><inertia ixx='1' "
         "ixy='0' "
         "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link><joint name='j' type='" +
         type +
         "'><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' "
         "effort='9' "
         "velocity='1'/></joint></robot>";
}
constexpr const char* kBolted =
    "<joint name='root' type='fixed'><parent link='w'/><child link='base'/></joint>";
constexpr const char* kFree =
    "<joint name='root' type='floating'><parent link='w'/><child link='base'/></joint>";

TEST(CoordinatesOf, TwoRobotsAreTheSameOnlyWhereNameKindAndPlaceAre) {
  const auto engine = [](const char* type, const char* root) {
    return Engine(load_urdf(one_joint(type, root)));
  };
  const Engine hinge = engine("revolute", kBolted);
  EXPECT_TRUE(hinge.has_coordinates_of(engine("revolute", kBolted)));
  EXPECT_FALSE(hinge.has_coordinates_of(engine("prismatic", kBolted))) << "N m are not N";
  EXPECT_FALSE(hinge.has_coordinates_of(engine("continuous", kBolted)));
  EXPECT_FALSE(hinge.has_coordinates_of(engine("revolute", kFree)));
  EXPECT_FALSE(engine("revolute", kFree).has_coordinates_of(hinge));
}

// ---- what the hardware adds -----------------------------------------------------------------------------------------------------

class HardwareTest : public EngineTest {
 protected:
  HardwareTest() { states.v = random_vector(random, 7); }
};

/// The robot moves as the reference asks, whoever adds the torques for it.
TEST_F(HardwareTest, AccelerationCountsWhatTheHardwareAdds) {
  for (const auto part : {&HardwareCompensation::gravity, &HardwareCompensation::coriolis,
                          &HardwareCompensation::friction}) {
    settings.config.compensated_by_hardware = {};
    settings.config.compensated_by_hardware.*part = true;
    repeat(301, [&] { cycle(); });
    ASSERT_TRUE(out.send_acceleration);
    EXPECT_LT(out.acceleration.cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST_F(HardwareTest, ItsCoriolisTorquesMoveTheRobotInGravityCompensationToo) {
  settings.config.torque_mode = TorqueMode::kGravityCompensation;
  settings.config.compensated_by_hardware.coriolis = true;
  cycle();
  const VectorXd weight = gravity_torque(model, data, states.q);
  EXPECT_LT((out.torque - weight).cwiseAbs().maxCoeff(), 1e-9);
  const VectorXd coriolis = bias_torque(model, data, states.q, states.v) - weight;
  const VectorXd effort = weight + coriolis;
  const VectorXd expected = forward_dynamics(model, data, states.q, states.v, effort);
  EXPECT_LT((out.acceleration - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.norm());
}

}  // namespace
}  // namespace spatial_dynamics::test
