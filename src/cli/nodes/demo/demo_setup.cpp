#include "cli/nodes/demo/demo_setup.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "cli/nodes/common/process.hpp"
#include "dds/node.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/robot_source.hpp"
#include "spatial_dynamics/model/coordinates.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kSimulator = "robot_simulator";
constexpr double kSlowestSimulationHz = 1000.0;

/// Appends the arguments that all nodes of the demo share.
void append_common(const dds::RosArguments& ros, std::vector<std::string>& arguments) {
  for (const dds::RemapRule& rule : ros.remaps) {
    arguments.emplace_back("-r");
    arguments.push_back((rule.node.empty() ? "" : rule.node + ":") + rule.from + ":=" + rule.to);
  }
  for (const dds::LoggerLevel& level : ros.log_levels) {
    arguments.emplace_back("--log-level");
    arguments.push_back((level.logger.empty() ? "" : level.logger + ":=") + level.level);
  }
}

/// The node's robot for the simulator, in its initial posture.
ParameterSet simulator_parameters(const ParameterSet& dynamics, const Model& model,
                                  const dds::RosArguments& ros) {
  ParameterChanges given;
  for (const ParameterDescription& row : simulator_parameter_table()) {
    const ParameterDescription* const same = find_parameter(parameter_table(), row.name);
    if (same == nullptr || same->group != row.group) continue;
    given.emplace_back(row.name, dynamics.get(row.name));
    const auto by_joint = dynamics.by_joint().find(row.name);
    if (by_joint == dynamics.by_joint().end()) continue;
    for (const auto& [joint, value] : by_joint->second) {
      given.emplace_back(row.name + "." + joint, value);
    }
  }
  given.emplace_back("rate_hz", std::max(kSlowestSimulationHz, dynamics.get_number("rate_hz")));
  given.emplace_back("initial_position", middle_posture(model));
  dds::RosArguments own = ros;
  own.parameters.clear();
  for (const dds::ParameterArgument& argument : ros.parameters) {
    if (!argument.node.empty()) own.parameters.push_back(argument);
  }
  return node_parameters(simulator_parameter_table(), own, kSimulator, given);
}

Model load(const Config& config) {
  std::error_code ignored;  // of a folder without permission: loading reports it
  const std::filesystem::file_status status = std::filesystem::status(config.urdf_file, ignored);
  if (config.robot_description.empty() && std::filesystem::exists(status) &&
      !std::filesystem::is_regular_file(status)) {
    throw std::runtime_error("file " + in_quotes(config.urdf_file) +
                             " is not a regular file: the demo reads it in three processes, and a "
                             "pipe can be read once; write it to a file first.");
  }
  const std::string urdf = configured_urdf(config);
  try {
    Model model = load_robot(urdf, config);
    const Simulator simulator(model);  // rejects a robot that can't be simulated
    return model;
  } catch (const ModelError& error) {
    const std::string file = config.robot_description.empty() ? config.urdf_file + ": " : "";
    throw std::runtime_error(file + error.what());
  }
}

DemoSubject describe(const Model& model, const Config& config, const JointSettings& joints) {
  DemoSubject subject;
  subject.robot = model.name();
  subject.mode = to_string(config.torque_mode);
  subject.rate_hz = config.rate_hz;
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    const JointType type = model.joint(c.joint).type;
    const bool is_length =
        type == JointType::kPrismatic || (type == JointType::kPlanar && !c.wraps);
    const bool still = config.torque_mode == TorqueMode::kComputedTorque &&
                       !(model.joint(c.joint).limits.velocity > 0.0);
    DemoSubject::JointInfo info{c.name, is_length, joints.effort_limit(c.v), still};
    const bool detects = config.contact.reaction != ContactReaction::kNone &&
                         config.torque_mode != TorqueMode::kHandGuiding;
    if (detects) {
      info.contact_threshold = joints.contact_threshold(c.v);
    }
    if (const EnvelopeLimits& limits = joints.envelope; limits.enabled) {
      info.soft_lower = limits.soft_lower(c.v);
      info.soft_upper = limits.soft_upper(c.v);
      info.hard_lower = limits.hard_lower(c.v);
      info.hard_upper = limits.hard_upper(c.v);
      info.velocity_cap = limits.velocity(c.v);
    }
    subject.joints.push_back(info);
  }
  return subject;
}

/// Empty if the effort limits suffice.
std::string remark_on_effort(const SmoothReference& reference) {
  const auto needs = [](const SmoothReference::Demand& demand) {
    return joint_element(demand.joint) +
           (std::isinf(demand.share)
                ? " has an effort limit of 0 and needs more to "
                : " needs " + rounded_text(100.0 * demand.share) + " % of its effort limit to ");
  };
  if (reference.holding().share > SmoothReference::kEffortShare) {
    return needs(reference.holding()) +
           "hold the robot in the middle of its ranges; check its effort limit, and the masses of "
           "the links that it carries";
  }
  if (reference.demand().share > SmoothReference::kEffortShare) {
    return needs(reference.demand()) +
           "move with a hundredth of the usual amplitude; check its effort limit, and the inertias "
           "of "
           "the links that it moves (spatial_dynamics check names those that look wrong)";
  }
  return {};
}

/// The view shows external torques where a hand pushes or contacts cause a reaction.
bool shows_external_torque(const Config& config) {
  return DemoHand::acts_in(config.torque_mode) || config.contact.reaction != ContactReaction::kNone;
}

}  // namespace

DemoSetup make_demo_setup(const DemoOptions& options, const dds::RosArguments& ros) {
  ParameterChanges given = robot_parameters(options.model);
  ParameterChanges defaults{{"urdf_file", shipped_robot()},
                            {"torque_mode", std::string("computed_torque")}};
  if (!options.mode.empty()) given.emplace_back("torque_mode", options.mode);
  if (options.rate_hz > 0.0) given.emplace_back("rate_hz", options.rate_hz);
  if (options.model.load.floating_base) {
    defaults.emplace_back("gravity", std::vector<double>{0.0, 0.0, 0.0});
  }
  ParameterSet parameters = node_parameters(parameter_table(), ros, "dynamics", given, defaults);
  if (shows_external_torque(make_config(parameters))) {
    defaults.emplace_back("publish.external_torque", true);
    parameters = node_parameters(parameter_table(), ros, "dynamics", given, defaults);
  }
  const Config config = make_config(parameters);
  require_robot_file(options.model.file, parameters);
  const Model model = load(config);
  const JointSettings joints = resolve_joint_settings(config, model);

  DemoSetup setup;
  setup.subject = describe(model, config, joints);
  if (setup.subject.joints.empty()) {
    throw std::runtime_error("robot " + in_quotes(model.name()) +
                             " has no joint that moves; choose another one.");
  }
  const SmoothReference reference(model, joints.effort_limit);
  if (config.torque_mode == TorqueMode::kComputedTorque) {
    setup.reference = reference;
  }
  setup.hand = DemoHand::of(config.torque_mode, model);
  setup.remark = remark_on_effort(reference);
  setup.dynamics = dds::resolve_node_name("dynamics", "/", ros.remaps).full();
  setup.simulator = dds::resolve_node_name(kSimulator, "/", ros.remaps).full();

  setup.dynamics_arguments = {"run", "--ros-args"};
  append_parameters(parameters, setup.dynamics_arguments);
  append_common(ros, setup.dynamics_arguments);
  setup.simulator_arguments = {"simulate", "--dds", "--ros-args"};
  append_parameters(simulator_parameters(parameters, model, ros), setup.simulator_arguments);
  append_common(ros, setup.simulator_arguments);
  if (setup.dynamics.substr(setup.dynamics.rfind('/') + 1) != "dynamics") {  // it was renamed
    setup.simulator_arguments.emplace_back("-r");
    setup.simulator_arguments.push_back("dynamics/torque:=" + setup.dynamics + "/torque");
  }
  return setup;
}

void keep_to_this_host() {
  for (const char* const name : {"ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_DOMAIN_ID",
                                 "ROS_STATIC_PEERS", "ROS_LOCALHOST_ONLY", "CYCLONEDDS_URI"}) {
    if (std::getenv(name) != nullptr) return;  // NOLINT(concurrency-mt-unsafe): one thread yet
  }
  ::setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace spatial_dynamics::cli
