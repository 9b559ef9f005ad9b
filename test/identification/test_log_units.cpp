// Logs in wrong units are rejected with the cause; plausible logs never are.
#include "identification/log_units.hpp"

#include <gtest/gtest.h>

#include "identification/recorded_log.hpp"
#include "simulation/simulation_run.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kToDegrees = 180.0 / M_PI;

std::string problem_of(const Model& model, const RobotLog& log) {
  return unit_problem(model, log, make_samples(log, 0.0));
}
testing::AssertionResult names(const std::string& problem, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (problem.find(word) == std::string::npos) {
      return testing::AssertionFailure() << "no \"" << word << "\" in \"" << problem << '"';
    }
  }
  return testing::AssertionSuccess();
}
void scale_time(RobotLog& log, double factor) {
  for (double& t : log.time) t *= factor;
}
RobotLog without_velocities(RobotLog log) {
  log.v.resize(0, 0);
  return log;
}
Recording at_rate(double rate_hz) {
  Recording recording;
  recording.rate_hz = rate_hz;
  recording.seconds = std::min(12.0, 6000.0 / rate_hz);
  return recording;
}
Recording rough_sensors() {
  Recording recording;
  recording.sensors.position_noise = 1e-4;
  recording.sensors.velocity_noise = 1e-2;
  recording.sensors.effort_noise = 0.2;
  return recording;
}

/// Every n-th sample.
RobotLog thinned(const RobotLog& log, Index n) {
  RobotLog result;
  const Index size = (log.size() + n - 1) / n;
  result.q.resize(log.q.rows(), size);
  result.v = result.effort = result.q;
  for (Index i = 0; i < size; ++i) {
    result.time.push_back(log.time[to_size(i * n)]);
    result.q.col(i) = log.q.col(i * n);
    result.v.col(i) = log.v.col(i * n);
    result.effort.col(i) = log.effort.col(i * n);
  }
  result.has_effort = log.has_effort;
  return result;
}

/// A pendulum that turns with constant speed; `wrapped` positions stay within half a turn.
RobotLog turning(double speed, double rate_hz, bool wrapped) {
  const Model model = pendulum();
  textbook::Data data(model);
  RobotLog log;
  const Index n = 400;
  log.q.resize(1, n);
  log.v = log.effort = log.q;
  log.has_effort = {true};
  for (Index i = 0; i < n; ++i) {
    const double t = static_cast<double>(i) / rate_hz;
    const VectorXd q = VectorXd::Constant(1, speed * t), v = VectorXd::Constant(1, speed);
    log.time.push_back(t);
    log.q(0, i) = wrapped ? std::remainder(q(0), 2.0 * M_PI) : q(0);
    log.v(0, i) = speed;
    log.effort(0, i) = inverse_dynamics(model, data, q, v, VectorXd::Zero(1))(0);
  }
  return log;
}

/// A slider that lifts 2 kg by 0.1 to 0.4 m.
Model lift() {
  return load_urdf(
      R"(<robot name="lift"><link name="base"/><link name="fork"><inertial><mass value="2"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="slider" type="prismatic"><parent link="base"/><child link="fork"/><axis xyz="0 0 1"/>
      <limit lower="0" upper="0.5" effort="100" velocity="1"/></joint></robot>)");
}
RobotLog lifting() {
  const Model model = lift();
  textbook::Data data(model);
  RobotLog log;
  const Index n = 1000;
  log.q.resize(1, n);
  log.v = log.effort = log.q;
  log.has_effort = {true};
  for (Index i = 0; i < n; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    const VectorXd q = VectorXd::Constant(1, 0.25 + 0.15 * std::sin(t)),
                   v = VectorXd::Constant(1, 0.15 * std::cos(t)),
                   a = VectorXd::Constant(1, -0.15 * std::sin(t));
    log.time.push_back(t);
    log.q.col(i) = q;
    log.v.col(i) = v;
    log.effort.col(i) = inverse_dynamics(model, data, q, v, a);
  }
  return log;
}

const RobotLog& arm_log() {
  static const RobotLog log = record(arm7(), arm7(), rough_sensors());
  return log;
}

TEST(LogUnits, FindsTimesInMilliMicroAndNanoseconds) {
  for (const bool with_velocity : {true, false}) {
    for (const auto& [factor, name] :
         {std::pair{1e3, "milliseconds"}, {1e6, "microseconds"}, {1e9, "nanoseconds"}}) {
      RobotLog log = with_velocity ? arm_log() : without_velocities(arm_log());
      scale_time(log, factor);
      EXPECT_TRUE(names(problem_of(arm7(), log), {"times is in", name, "divide it by"}));
      for (double& t : log.time) t += 1.7e9 * factor;  // since 1970
      EXPECT_TRUE(names(problem_of(arm7(), log), {name}));
    }
  }
}

TEST(LogUnits, FindsAnglesInDegrees) {
  for (const bool with_velocity : {true, false}) {
    RobotLog log = with_velocity ? arm_log() : without_velocities(arm_log());
    log.q *= kToDegrees;
    log.v *= kToDegrees;
    EXPECT_TRUE(names(problem_of(arm7(), log),
                      {"in degrees", "joint 'shoulder_yaw'", "limits are", "multiply"}));
  }
  RobotLog turns = swing(pendulum());  // no limits
  turns.q *= kToDegrees;
  turns.v *= kToDegrees;
  EXPECT_TRUE(names(problem_of(pendulum(), turns), {"in degrees", "joint 'hinge'"}));
}

TEST(LogUnits, NamesTheOneJointInDegrees) {
  RobotLog log = record(arm7(), arm7());
  log.q.row(3) *= kToDegrees;
  log.v.row(3) *= kToDegrees;
  EXPECT_TRUE(names(problem_of(arm7(), log), {"the angles of joint 'elbow' alone are in degrees",
                                              "multiply its positions"}));
}

TEST(LogUnits, FindsDegreesAlsoWithAWrongPayload) {
  RobotLog log = record(arm7_with(2.0, Vector3(0, 0, 0.1)), arm7(), rough_sensors());
  EXPECT_EQ(problem_of(arm7(), log), "");
  log.q *= kToDegrees;
  log.v *= kToDegrees;
  EXPECT_TRUE(names(problem_of(arm7(), log), {"in degrees"}));
}

TEST(LogUnits, FindsVelocitiesInOtherUnitsThanPositions) {
  RobotLog log = arm_log();
  log.v *= kToDegrees;
  EXPECT_TRUE(names(problem_of(arm7(), log), {"the velocity of joint", "degrees per second"}));
  log = arm_log();
  log.q *= kToDegrees;
  EXPECT_TRUE(names(problem_of(arm7(), log), {"the position of joint", "in degrees"}));
  log = arm_log();
  log.v *= 30.0 / M_PI;
  EXPECT_TRUE(names(problem_of(arm7(), log), {"revolutions per minute"}));
  log = arm_log();
  log.v.row(3) *= -1.0;
  EXPECT_TRUE(names(problem_of(arm7(), log), {"joint 'elbow'", "change the sign"}));
  log = arm_log();
  log.v.row(3) *= 100.0;  // of the motor, before the gear
  EXPECT_TRUE(names(problem_of(arm7(), log), {"joint 'elbow'", "different units"}));
}

TEST(LogUnits, FindsAccelerationsInMillimetres) {
  RobotLog log = lifting();
  log.a = -(log.q.array() - 0.25).matrix();
  EXPECT_EQ(problem_of(lift(), log), "");
  log.a *= 1e3;
  EXPECT_TRUE(names(problem_of(lift(), log), {"the acceleration of joint 'slider'"}));
}

TEST(LogUnits, FindsMillimetres) {
  for (const bool with_velocity : {true, false}) {
    RobotLog log = with_velocity ? lifting() : without_velocities(lifting());
    EXPECT_EQ(problem_of(lift(), log), "");
    log.q *= 1e3;
    log.v *= 1e3;
    EXPECT_TRUE(names(problem_of(lift(), log), {"joint 'slider'", "millimetres", "0 to 0.5 m"}));
  }
  RobotLog log = lifting();
  log.v *= 1e3;
  EXPECT_TRUE(names(problem_of(lift(), log), {"the velocity", "millimetres per second"}));
}

TEST(LogUnits, FindsEffortsInMillinewtonMetres) {
  RobotLog log = arm_log();
  log.effort *= 1e3;
  EXPECT_TRUE(names(problem_of(arm7(), log), {"mN m", "divide them by 1000"}));
  log = arm_log();
  log.effort.row(3) *= 1e3;  // a torque constant
  EXPECT_EQ(problem_of(arm7(), log), "");
}

TEST(LogUnits, AcceptsLogsFromTenHertzToFiveKilohertz) {
  for (const double rate_hz : {10.0, 50.0, 100.0, 250.0, 1000.0, 5000.0}) {
    const RobotLog log = rate_hz < 400.0
                             ? thinned(arm_log(), static_cast<Index>(std::lround(500.0 / rate_hz)))
                             : record(arm7(), arm7(), at_rate(rate_hz));
    EXPECT_EQ(problem_of(arm7(), log), "") << rate_hz;
    EXPECT_EQ(problem_of(arm7(), without_velocities(log)), "") << rate_hz;
  }
}

TEST(LogUnits, AcceptsSlowMotionsAndRest) {
  for (const double slower : {10.0, 100.0}) {
    RobotLog log = arm_log();
    scale_time(log, slower);
    log.v /= slower;
    EXPECT_EQ(problem_of(arm7(), log), "") << slower;
    EXPECT_EQ(problem_of(arm7(), without_velocities(log)), "") << slower;
  }
  RobotLog rest = arm_log();
  rest.q = rest.q.col(0).replicate(1, rest.size()).eval() + 1e-5 * MatrixXd::Random(7, rest.size());
  rest.v = 1e-4 * MatrixXd::Random(7, rest.size());
  EXPECT_EQ(problem_of(arm7(), rest), "");
  EXPECT_EQ(problem_of(arm7(), without_velocities(rest)), "");
  rest.v = MatrixXd::Constant(7, rest.size(), 1e-3);  // an offset
  EXPECT_EQ(problem_of(arm7(), rest), "");
}

TEST(LogUnits, AcceptsListsOfPosesWithZeroVelocity) {
  RobotLog log = thinned(arm_log(), 100);
  log.v.setZero();
  log.a = log.v;
  scale_time(log, 100.0);  // 20 s apart
  EXPECT_EQ(problem_of(arm7(), log), "");
}

TEST(LogUnits, AcceptsManyTurns) {
  for (const double speed : {1.0, 40.0, 300.0}) {
    for (const double rate_hz : {10.0, 100.0, 1000.0}) {
      for (const bool wrapped : {false, true}) {
        const RobotLog log = turning(speed, rate_hz, wrapped);
        EXPECT_EQ(problem_of(pendulum(), log), "") << speed << ' ' << rate_hz << ' ' << wrapped;
      }
    }
  }
}

TEST(LogUnits, AcceptsAPayloadAndFrictionThatTheModelLacks) {
  RobotLog log = record(arm7_with(4.0, Vector3(0, 0.1, 0.2)), arm7(), rough_sensors());
  log.effort += 20.0 * log.v;
  EXPECT_EQ(problem_of(arm7(), log), "");
}

/// A joint whose encoder counts turns from where it was switched on.
TEST(LogUnits, AcceptsPositionsThatAreWholeTurnsBeyondTheLimits) {
  RobotLog log = arm_log();
  log.q.row(4).array() += 6.0 * M_PI;
  EXPECT_EQ(problem_of(arm7(), log), "");
}

TEST(LogUnits, AcceptsPositionsBeyondWrongLimits) {
  RobotLog log = arm_log();
  log.q.row(0).array() += 1.5;  // turns about the vertical: no torque depends on it
  EXPECT_EQ(problem_of(arm7(), log), "");
}

TEST(LogUnits, AcceptsTablesOfSimulate) {
  for (const ControllerKind controller :
       {ControllerKind::kNone, ControllerKind::kGravityCompensation,
        ControllerKind::kComputedTorque}) {
    for (const char* const name : {"arm7", "double_pendulum"}) {
      const Model model = load_urdf_file(shipped_urdf(name));
      SimulationSetup setup;
      setup.controller = controller;
      const std::vector<double> middle = middle_posture(model);
      const VectorXd q = Eigen::Map<const VectorXd>(middle.data(), model.nq()).array() + 0.01;
      SimulationRun run(model, setup, q, VectorXd::Zero(model.nv()));
      run.run([](double) {});
      RobotLog log;
      const Index n = model.nv(), rows = static_cast<Index>(run.history().rows());
      log.q.resize(n, rows);
      log.v = log.a = log.effort = log.q;
      for (Index i = 0; i < rows; ++i) {
        log.time.push_back(run.history().time(to_size(i)));
        for (Index k = 0; k < n; ++k) {
          log.q(k, i) = run.history().value(to_size(i), to_size(k));
          log.v(k, i) = run.history().value(to_size(i), to_size(n + k));
          log.a(k, i) = run.history().value(to_size(i), to_size(2 * n + k));
          log.effort(k, i) = run.history().value(to_size(i), to_size(3 * n + k));
        }
      }
      log.has_effort.assign(to_size(n), true);
      EXPECT_EQ(problem_of(model, log), "") << name << ' ' << static_cast<int>(controller);
    }
  }
}

/// Each joint swings by 2.6 degrees about 1.1 degrees. Angles are multiplied by `scale`.
RobotLog small_motion(const Model& model, double scale) {
  textbook::Data data(model);
  const Index n = model.nv(), rows = 2000;
  RobotLog log;
  log.q.resize(n, rows);
  log.v = log.effort = log.q;
  log.has_effort.assign(to_size(n), true);
  for (Index i = 0; i < rows; ++i) {
    const double t = 0.005 * static_cast<double>(i);
    VectorXd q(n), v(n), a(n);
    for (Index k = 0; k < n; ++k) {
      const double w = 1.0 + 0.3 * static_cast<double>(k), size = 2.6 / kToDegrees;
      q(k) = 1.1 / kToDegrees + size * std::sin(w * t);
      v(k) = size * w * std::cos(w * t);
      a(k) = -size * w * w * std::sin(w * t);
    }
    log.time.push_back(t);
    log.q.col(i) = scale * q;
    log.v.col(i) = scale * v;
    log.effort.col(i) = inverse_dynamics(model, data, q, v, a);
  }
  return log;
}

/// It stays within all limits, also in other units.
TEST(LogUnits, SmallMotionsInOtherUnitsAreRecognisedByTheirEfforts) {
  std::vector<Model> models{load_urdf_file(shipped_urdf("arm6")), pendulum()};
  if (const std::string ur5 = public_robot("ur5_robot"); !ur5.empty()) {
    models.push_back(load_urdf_file(ur5));
  }
  for (const Model& model : models) {
    EXPECT_EQ(problem_of(model, small_motion(model, 1.0)), "") << model.name();
    EXPECT_TRUE(names(problem_of(model, small_motion(model, kToDegrees)),
                      {"the angles are in degrees", "by 0.0174533."}))
        << model.name();
  }
  // Of a pendulum near the bottom, the efforts in revolutions and rad differ by a factor.
  const Model arm = load_urdf_file(shipped_urdf("arm6"));
  RobotLog turns = record(arm, arm);
  turns.q /= 2.0 * M_PI;
  turns.v /= 2.0 * M_PI;
  EXPECT_TRUE(names(problem_of(arm, turns), {"the angles are in revolutions", "by 6.28319."}));
}

}  // namespace
}  // namespace spatial_dynamics::test
