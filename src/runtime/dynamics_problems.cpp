#include "runtime/dynamics_problems.hpp"

#include <algorithm>
#include <cstdio>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

/// Problems of states that are accepted.
void add_states(const Inbox& inbox, const Config& config, Problems& problems) {
  using Level = Diagnostics::Level;
  const std::string disputed = inbox.disputed_joint();
  if (!disputed.empty()) {
    problems.add(Level::kWarning, "states of joint '" + disputed + "' come from two publishers");
  }
  if (inbox.odometry_disputed()) {
    problems.add(Level::kWarning, "base state (odom) comes from two publishers");
  }
  const std::string without_effort = inbox.joint_without_effort();
  if (config.effort_source == EffortSource::kMeasured && !without_effort.empty()) {
    problems.add(
        Level::kWarning,
        "states of joint '" + without_effort +
            "' carry no effort, so accelerations and ~/external_torque are not sent: publish "
            "efforts, or set forward.effort_source to auto or own");
  }
  const std::string undamped = inbox.joint_without_velocity();
  if (!undamped.empty() && config.torque_mode == TorqueMode::kComputedTorque &&
      config.missing_velocity == MissingVelocity::kZero) {
    problems.add(
        Level::kWarning,
        "states of joint '" + undamped +
            "' carry no velocity, so computed_torque does not damp it: publish velocities, or "
            "set missing_velocity to differentiate");
  }
  const double lag_s = to_seconds(inbox.stamp_lag());
  if (lag_s > config.state_timeout_s) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", lag_s);
    problems.add(
        Level::kWarning,
        std::string("stamps of states are ") + text +
            " behind this node's clock: the clocks differ, or states come late (their age is "
            "counted from their arrival)");
  }
}

Diagnostics::Level level_of(Fault fault) noexcept {
  switch (fault) {
    case Fault::kStaleState:
    case Fault::kNonFinite:
    case Fault::kNotSent:
    case Fault::kWrongSize:
    case Fault::kContact:
      return Diagnostics::Level::kError;
    case Fault::kStaleReference:
    case Fault::kSaturated:
    case Fault::kRateLimited:
    case Fault::kSingular:
    case Fault::kStaleCommand:
    case Fault::kStaleWrench:
    case Fault::kNoEffort:
    case Fault::kFollowingError:
    case Fault::kStopReached:
    case Fault::kSpeedCap:
    case Fault::kPowerCap:
      return Diagnostics::Level::kWarning;
  }
  return Diagnostics::Level::kWarning;
}

}  // namespace

void DynamicsProblems::note_incompatible_qos(const QosMismatch& mismatch) {
  const std::string line = mismatch_lines_.pass(mismatch.sentence(), steady_now_ns());
  if (!line.empty()) front_end_.log(LogLevel::kWarning, line);
  constexpr std::size_t kMostKinds = 64;  // bounds the memory, whatever peers there are
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = mismatches_.find({mismatch.topic, mismatch.policy});
  if (found != mismatches_.end()) {
    ++found->second;
  } else if (mismatches_.size() < kMostKinds) {
    mismatches_.emplace(std::make_pair(mismatch.topic, mismatch.policy), 1);
  }
}

/// Others who publish our torque topics, and the gate that they keep closed.
void DynamicsProblems::add_rivals(Problems& problems) const {
  std::map<std::string, std::string> topics;  // by node
  for (const ForeignPublisher& publisher : cycle_.gate().publishers()) {
    std::string& list = topics[publisher.node];
    list.append(list.empty() ? "" : " and ").append(publisher.topic);
  }
  for (const auto& [node, list] : topics) {
    std::string sentence = node.empty() ? "an unknown node" : "node " + node;
    sentence.append(" also publishes ").append(list);
    sentence.append(": end one of the two nodes, or remap the topics of one of them");
    problems.add(Diagnostics::Level::kError, sentence);
  }
  if (!cycle_.waits_at_gate()) return;
  const std::string obstacle = cycle_.gate().obstacle(steady_now_ns());
  problems.add(Diagnostics::Level::kWarning,
               "activation waits: " +
                   (obstacle.empty() ? "looking for other nodes on the torque topics" : obstacle));
}

/// Problems outside of this process, whether there is a robot or not.
void DynamicsProblems::add_surroundings(const Config& config, Problems& problems) const {
  if (config.use_sim_time && front_end_.ros_now() == 0) {
    problems.add(
        Diagnostics::Level::kWarning,
        "waiting for /clock (use_sim_time is set): states are used, trajectories with a stamp "
        "are rejected");
  }
  add_rivals(problems);
  const Surroundings others = front_end_.surroundings();
  const auto robots = cycle_.robots().alive();
  const bool floating = std::any_of(robots->begin(), robots->end(), [](const auto& robot) {
    return robot->controller.coordinates().floating_base();
  });
  // Publishers that start with the node are discovered within a second or two.
  const bool discovered = steady_now_ns() - begun_.load() >= kDiscovery;
  // A publisher that is missing is as bad as its consequence.
  const Phase phase = cycle_.phase();
  const Diagnostics::Level level = phase == Phase::kFallback || phase == Phase::kStopped
                                       ? Diagnostics::Level::kError
                                       : Diagnostics::Level::kWarning;
  for (const Surroundings::Input& input : others.inputs) {
    const bool needed = input.topic == Topic::kJointStates ||
                        (input.topic == Topic::kOdometry && floating) ||
                        (input.topic == Topic::kRobotDescription && robots->empty());
    if (input.is_published || !needed || !discovered) continue;
    problems.add(level,
                 "nobody publishes " + input.name + " in domain " + std::to_string(others.domain) +
                     " (check remaps, namespaces, ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE)");
  }
  if (std::count(others.nodes.begin(), others.nodes.end(), others.node) > 1) {
    problems.add(Diagnostics::Level::kWarning,
                 "another node has the same name: end one of the two, or give one a namespace");
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [what, peers] : mismatches_) {
    const auto& [topic, policy] = what;
    std::string sentence = "quality of service of a peer on '";
    sentence.append(topic).append("' does not fit ours: ").append(policy);
    problems.add(Diagnostics::Level::kWarning, sentence);
  }
}

/// Joints without a state since `time`. States of a caller are not in the inbox: of those only the
/// joint with the oldest state is known.
std::vector<std::string> DynamicsProblems::silent_joints(const Robot& robot, const Config& config,
                                                         std::int64_t time) const {
  if (config.trigger != Trigger::kCaller) return robot.inbox.joints_silent_since(time);
  const Coordinates& coordinates = robot.controller.coordinates();
  const auto k = static_cast<std::size_t>(cycle_.stalest());
  return k < coordinates.size() ? std::vector<std::string>{coordinates[k].name}
                                : std::vector<std::string>{};
}

/// Whether torques are sent, and if not, why.
void DynamicsProblems::add_phase(const Robot& robot, const Config& config,
                                 Problems& problems) const {
  using Level = Diagnostics::Level;
  const Phase phase = cycle_.phase();
  if (phase == Phase::kWaiting) {
    const std::vector<std::string> missing = silent_joints(robot, config, 1);
    const auto k = static_cast<std::size_t>(cycle_.stalest());
    const Coordinates& coordinates = robot.controller.coordinates();
    std::string of = "the base (odom)";
    if (!missing.empty()) {
      of = joints_text(missing);
    } else if (k < coordinates.size()) {
      of = joints_text({coordinates[k].name});
    }
    problems.add(Level::kWarning, "waiting for the state of " + of);
  }
  if (phase == Phase::kFallback) {
    problems.add(Level::kError,
                 std::string("fallback '") + to_string(config.fallback) + "' is active");
  }
  if (phase == Phase::kStopped) {
    problems.add(
        Level::kError,
        "stopped until the next activation (topic ~/set_active, spatial_dynamics activate, "
        "or a lifecycle transition)");
  }
}

/// What the envelope limits, with the joint that it limits most.
std::string DynamicsProblems::envelope_text(const Robot& robot, Fault fault) const {
  const Coordinates& coordinates = robot.controller.coordinates();
  const auto k = static_cast<std::size_t>(cycle_.limited(fault));
  const std::string text = to_string(fault);
  return k < coordinates.size() ? text + ": " + joints_text({coordinates[k].name}) : text;
}

/// All faults since the last report.
void DynamicsProblems::add_faults(const Robot& robot, const Config& config, Faults faults,
                                  Problems& problems) const {
  for_each_fault(faults, [&](Fault fault) {
    const bool envelope =
        fault == Fault::kStopReached || fault == Fault::kSpeedCap || fault == Fault::kPowerCap;
    const Coordinates& coordinates = robot.controller.coordinates();
    const auto touched = static_cast<std::size_t>(cycle_.contact());
    if (fault == Fault::kContact && touched < coordinates.size()) {
      problems.add(level_of(fault),
                   std::string(to_string(fault)) + ", joint '" + coordinates[touched].name + "'");
    } else if (envelope) {
      problems.add(level_of(fault), envelope_text(robot, fault));
    } else if (fault != Fault::kStaleState) {
      problems.add(level_of(fault), to_string(fault));
    } else if (cycle_.phase() == Phase::kRunning) {
      problems.add(Diagnostics::Level::kWarning, "running again after stale joint states");
    } else {
      const auto timeout = static_cast<std::int64_t>(1e9 * config.state_timeout_s);
      const auto stale = silent_joints(robot, config, steady_now_ns() - timeout);
      const std::string which = stale.empty() ? "" : ": " + joints_text(stale);
      problems.add(level_of(fault), to_string(fault) + which);
    }
  });
}

Problems DynamicsProblems::find(const Robot* robot, const Config& config,
                                const std::string& rejection, Faults faults) const {
  using Level = Diagnostics::Level;
  Problems problems;
  // Causes before consequences.
  if (!rejection.empty()) {
    problems.add(Level::kError, "robot description rejected: " + rejection);
  }
  add_surroundings(config, problems);
  if (robot == nullptr) {
    problems.add(Level::kWarning,
                 "no robot yet: set urdf_file or robot_description, or publish robot_description");
    return problems;
  }
  add_phase(*robot, config, problems);
  add_faults(*robot, config, faults, problems);
  add_states(robot->inbox, config, problems);
  const std::string drive_rejection = robot->joints()->drive_rejection;
  if (config.publish.torque_array && !drive_rejection.empty()) {
    problems.add(Level::kWarning, "~/torque_array stays off, because " + drive_rejection);
  }
  for (const PayloadCheck::Warning& warning : payload_check_.warnings(*robot)) {
    problems.add(Level::kWarning, warning.text);
  }
  return problems;
}

}  // namespace spatial_dynamics
