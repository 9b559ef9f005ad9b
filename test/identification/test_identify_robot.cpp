// Identifies robots from their falsified URDFs, by the library alone.
#include "spatial_dynamics/identification/identify_robot.hpp"

#include <gtest/gtest.h>

#include "identification/identification_rig.hpp"
#include "spatial_dynamics/identification/correct_links.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr const char* kReachRobots[] = {"arm6", "arm7", "planar_arm", "gripper", "scara"};

std::vector<double> effort_offsets(const Identification& result) {
  std::vector<double> offsets;
  for (const IdentifiedJoint& joint : result.joints) offsets.push_back(joint.offset);
  return offsets;
}

/// The model of the corrected URDF, with the identified rotor inertias.
Model corrected_model(const std::string& urdf, const Model& model, const Identification& result) {
  LoadOptions options;
  for (const IdentifiedJoint& joint : result.joints) options.armature[joint.name] = joint.armature;
  options.strict = true;  // rejects physically inconsistent inertias
  return load_urdf(edit_urdf(urdf, correct_links(model, result).changes), options);
}

/// Root mean square of measured minus predicted efforts, divided by the deviation of the noise.
VectorXd errors_in_noise(const Model& robot, const Model& model, const JointMotion& motion,
                         const std::vector<double>& offsets, std::uint64_t seed) {
  LogSettings settings;
  settings.seconds = 10.0;
  settings.rate_hz = 200.0;
  settings.seed = seed;
  TrueEfforts truth;
  const RobotLog log = recorded_log(robot, motion, settings, &truth);
  Data data(model);
  VectorXd squares = VectorXd::Zero(model.nv()), q, v, a;
  for (Index i = 0; i < log.size(); ++i) {
    sample(motion, log.time[to_size(i)], q, v, a);
    VectorXd left = log.effort.col(i) - inverse_dynamics(model, data, q, v, a);
    for (Index k = 0; k < left.size(); ++k) left(k) -= offsets[to_size(k)];
    squares += left.cwiseAbs2();
  }
  return (squares / static_cast<double>(log.size())).cwiseSqrt().cwiseQuotient(truth.noise);
}

/// The largest error of the gravity torque of each joint at random poses, relative to its largest
/// torque. For a joint without weight, relative to the friction that with_friction() gives it: the
/// noise of its efforts leaves a small first moment about its axis.
VectorXd gravity_errors(const Model& robot, const Model& model) {
  std::mt19937_64 random(5);
  Data of_robot(robot), of_model(model);
  VectorXd q(robot.nq()), largest = VectorXd::Constant(robot.nv(), 1e-9);
  VectorXd error = VectorXd::Zero(robot.nv());
  for (int i = 0; i < 2000; ++i) {
    for (const Index j : robot.coordinate_joints()) {
      const JointLimits& limits = robot.joint(j).limits;
      q(robot.joint(j).q_index) = std::uniform_real_distribution<double>(
          std::max(limits.lower, -M_PI), std::min(limits.upper, M_PI))(random);
    }
    const VectorXd g = gravity_torque(robot, of_robot, q);
    largest = largest.cwiseMax(g.cwiseAbs());
    error = error.cwiseMax((gravity_torque(model, of_model, q) - g).cwiseAbs());
  }
  for (Index k = 0; k < error.size(); ++k) {
    const double limit = robot.joint(robot.coordinate_joints()[to_size(k)]).limits.effort;
    if (largest(k) < 1e-6) largest(k) = std::isfinite(limit) ? 0.03 * limit : 0.1;
  }
  return error.cwiseQuotient(largest);
}

class IdentifyRobotReach : public testing::TestWithParam<const char*> {};

TEST_P(IdentifyRobotReach, ExplainsAnotherMotionAndTheWeight) {
  double worst_error = 0.0, worst_weight = 0.0;
  for (std::uint64_t seed = 1; seed <= reach_seeds(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::string truth = with_friction(rig_urdf(GetParam()), seed);
    const std::string wrong = falsified(truth, seed);
    const Model robot = load_urdf(truth), model = load_urdf(wrong);
    LogSettings settings;
    settings.seed = seed;
    const RobotLog log = recorded_log(robot, test_motion(model, seed), settings);
    const Identification result = identify_robot(model, log);
    for (const IdentifiedBody& body : result.bodies) {
      EXPECT_TRUE(is_physical(body.after)) << body.link;
    }
    const Model corrected = corrected_model(wrong, model, result);
    const JointMotion other = test_motion(robot, 100 + seed, 20);
    const std::vector<double> offsets = effort_offsets(result);
    const double error = errors_in_noise(robot, corrected, other, offsets, 50 + seed).maxCoeff();
    EXPECT_LT(error, 1.2);
    const double weight = gravity_errors(robot, corrected).maxCoeff();
    EXPECT_LT(weight, 0.02);
    worst_error = std::max(worst_error, error);
    worst_weight = std::max(worst_weight, weight);
  }
  RecordProperty("worst_error_in_noise", std::to_string(worst_error));
  RecordProperty("worst_gravity_error", std::to_string(worst_weight));
  std::printf("%s: torque errors at most %.4f of the noise, gravity at most %.3f %%\n", GetParam(),
              worst_error, 100.0 * worst_weight);
}
INSTANTIATE_TEST_SUITE_P(Robots, IdentifyRobotReach, testing::ValuesIn(kReachRobots),
                         [](const auto& robot) { return std::string(robot.param); });

TEST(IdentifyRobotTest, IntervalsCoverTheTruth) {
  std::size_t inside = 0, all = 0;
  for (const char* name : {"arm7", "scara", "planar_arm"}) {
    const std::string truth = with_friction(rig_urdf(name), 3);
    const Model robot = load_urdf(truth);
    const JointMotion motion = test_motion(robot, 2);
    for (std::uint64_t seed = 1; seed <= reach_seeds(); ++seed) {
      LogSettings settings;
      settings.seed = seed;
      const Model model = load_urdf(falsified(truth, seed));
      const Identification result = identify_robot(model, recorded_log(robot, motion, settings));
      const VectorXd values = base_values(base_parameters(model), robot);
      ASSERT_EQ(static_cast<Index>(result.base.size()), values.size());
      for (std::size_t i = 0; i < result.base.size(); ++i) {
        const BaseEstimate& estimate = result.base[i];
        ASSERT_TRUE(estimate.determined) << estimate.name;
        const double error = std::abs(estimate.value - values(static_cast<Index>(i)));
        inside += error < 1.96 * estimate.deviation ? 1 : 0;
        ++all;
      }
    }
  }
  const double share = static_cast<double>(inside) / static_cast<double>(all);
  std::printf("95 %% intervals cover %.2f %% of %zu base parameters\n", 100.0 * share, all);
  EXPECT_GT(share, 0.90);
  EXPECT_LT(share, 0.99);
}

TEST(IdentifyRobotTest, FindsTheLagOfEfforts) {
  const Model robot = load_urdf(with_friction(rig_urdf("planar_arm"), 1));
  const JointMotion motion = test_motion(robot, 1);
  RobotLog log = recorded_log(robot, motion, {});
  const Index late = 3;  // samples
  log.effort.rightCols(log.size() - late) = log.effort.leftCols(log.size() - late).eval();
  const Identification result = identify_robot(robot, log);
  EXPECT_NEAR(result.lag_s, 0.006, std::max(3.0 * result.lag_deviation_s, 1e-4));
  EXPECT_LT(result.lag_deviation_s, 5e-4);
}

TEST(IdentifyRobotTest, IsDeterministic) {
  const Model robot = load_urdf(rig_urdf("planar_arm"));
  LogSettings settings;
  settings.seconds = 8.0;
  const RobotLog log = recorded_log(robot, test_motion(robot, 1, 30), settings);
  const Identification first = identify_robot(robot, log), second = identify_robot(robot, log);
  for (std::size_t i = 0; i < first.parameters.size(); ++i) {
    EXPECT_EQ(first.parameters[i].value, second.parameters[i].value);
  }
}

TEST(IdentifyRobotTest, KeepsWhatTheLogDoesNotDetermineNearTheModel) {
  // The base parameters say nothing about how mass is shared along a vertical axis of rotation.
  const std::string truth = rig_urdf("scara");
  const Model robot = load_urdf(truth);
  const Identification result =
      identify_robot(robot, recorded_log(robot, test_motion(robot, 1), {}));
  for (const IdentifiedParameter& p : result.parameters) {
    if (p.parameter.name == "mass of link 'upper_arm'") {
      EXPECT_FALSE(p.determined);
      EXPECT_NEAR(p.value, 6.2, 0.5);
    }
    if (p.parameter.name == "friction of joint 'elbow'") {
      EXPECT_TRUE(p.determined);
      EXPECT_NEAR(p.value, 0.9, 0.05);
    }
  }
}

TEST(IdentifyRobotTest, AJointThatNeverMovesKeepsItsFriction) {
  const Model robot = load_urdf(with_friction(rig_urdf("planar_arm"), 1));
  ExcitationOptions options;
  options.evaluations = 60;
  options.still["extension"] = 0.1;
  const Identification result =
      identify_robot(robot, recorded_log(robot, optimise_excitation(robot, options).motion, {}));
  const IdentifiedJoint& still = result.joints[2];
  ASSERT_EQ(still.name, "extension");
  EXPECT_NEAR(still.damping, robot.joint(3).damping, 1e-6);
  bool named = false;
  for (const IdentifiedParameter& p : result.parameters) {
    if (p.parameter.name == "damping of joint 'extension'") named = !p.determined;
  }
  EXPECT_TRUE(named);
}

TEST(IdentifyRobotTest, EffortsWithoutGravityGiveTheSameInertias) {
  const std::string truth = with_friction(rig_urdf("planar_arm"), 1);
  const Model robot = load_urdf(truth);
  const JointMotion motion = test_motion(robot, 1);
  RobotLog log = recorded_log(robot, motion, {});
  Data data(robot);
  for (Index i = 0; i < log.size(); ++i) {
    log.effort.col(i) -= gravity_torque(robot, data, log.q.col(i));
  }
  log.without_gravity = true;
  const Identification result = identify_robot(load_urdf(falsified(truth, 1)), log);
  for (const IdentifiedJoint& joint : result.joints) {
    EXPECT_LT(joint.error_after, 0.2 * joint.error_before) << joint.name;
  }
}

/// Recorded numbers are efforts divided by these.
constexpr double kUnitsPerEffort[] = {7.0, 4.0, 11.0};

RobotLog in_currents(RobotLog log) {
  for (Index k = 0; k < log.effort.rows(); ++k) log.effort.row(k) /= kUnitsPerEffort[k];
  log.effort_kind = EffortKind::kCurrent;
  return log;
}

TEST(IdentifyRobotTest, CurrentsNeedAKnownPayload) {
  const Model robot = load_urdf(with_friction(rig_urdf("planar_arm"), 1));
  const RobotLog log = in_currents(recorded_log(robot, test_motion(robot, 1), {}));
  EXPECT_THROW(
      {
        try {
          identify_robot(robot, log);
        } catch (const LogError& error) {
          EXPECT_NE(std::string(error.what()).find("--log-payload"), std::string::npos);
          throw;
        }
      },
      LogError);
}

TEST(IdentifyRobotTest, CurrentsWithAPayloadInOneLog) {
  const Model robot = load_urdf(with_friction(rig_urdf("planar_arm"), 1));
  Model loaded = robot;
  const MassProperties payload{2.0, Vector3(0.25, 0.0, 0.0), 0.001 * Matrix3::Identity()};
  loaded.set_payload(robot.find_link("rod"),
                     Inertia::from_com(payload.mass, payload.com, payload.inertia_about_com));
  const JointMotion motion = test_motion(robot, 1);
  const RobotLog without = recorded_log(robot, motion, {}), with = recorded_log(loaded, motion, {});
  RobotLog log = without;
  const Index n = without.size();
  log.q.conservativeResize(Eigen::NoChange, 2 * n);
  log.effort.conservativeResize(Eigen::NoChange, 2 * n);
  log.q.rightCols(n) = with.q;
  log.effort.rightCols(n) = with.effort;
  for (const double t : with.time) log.time.push_back(t + 100.0);
  log.segments = {{0, 0}, {n, 1}};
  log.sources.resize(2);
  log.payloads.push_back({1, {"rod", payload}});
  const Identification result = identify_robot(robot, in_currents(log));
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(result.joints[k].gain, kUnitsPerEffort[k], 0.03 * kUnitsPerEffort[k]);
  }
}

/// The message of the LogError for a log.
std::string rejection(const Model& model, const RobotLog& log) {
  try {
    identify_robot(model, log);
  } catch (const LogError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(IdentifyRobotTest, RejectsLogsThatCanNotBeUsed) {
  const Model robot = load_urdf(rig_urdf("planar_arm"));
  const RobotLog log = recorded_log(robot, test_motion(robot, 1, 10), {});
  RobotLog still = log;
  still.q.colwise() = Vector3(0.1, 0.2, 0.1);
  EXPECT_NE(rejection(robot, still).find("no joint moves"), std::string::npos);
  RobotLog unmeasured = log;
  unmeasured.has_effort.assign(3, false);
  EXPECT_NE(rejection(robot, unmeasured).find("no efforts"), std::string::npos);
  RobotLog brief = log;
  brief.time.resize(100);
  brief.q.conservativeResize(Eigen::NoChange, 100);
  brief.effort.conservativeResize(Eigen::NoChange, 100);
  EXPECT_NE(rejection(robot, brief).find("too short"), std::string::npos)
      << rejection(robot, brief);
  brief.time.resize(20);
  brief.q.conservativeResize(Eigen::NoChange, 20);
  brief.effort.conservativeResize(Eigen::NoChange, 20);
  EXPECT_NE(rejection(robot, brief).find("record for longer"), std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test
