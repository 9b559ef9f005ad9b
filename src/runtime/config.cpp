#include "runtime/config.hpp"

#include <algorithm>

#include "runtime/parameters_table.hpp"
#include "runtime/parameters_text.hpp"
#include "runtime/simulator_config.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

// Enumerators stand in the order in which the table lists the choices, so that the table alone
// spells them.

/// The enumerator for the parameter's present choice.
template <typename Enum>
Enum chosen(const ParameterSet& parameters, std::string_view name) {
  const auto& choices = find_parameter(parameters.table(), name)->choices;
  const auto found = std::find(choices.begin(), choices.end(), parameters.get_text(name));
  return static_cast<Enum>(found - choices.begin());
}

/// The spelling of an enumerator.
template <typename Enum>
const char* spelled(const char* parameter, Enum value) noexcept {
  const ParameterDescription* const description = find_parameter(parameter_table(), parameter);
  return description->choices[static_cast<std::size_t>(value)].c_str();
}

bool all_zero(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0.0; });
}

/// The array and what was given by joint name.
bool all_zero(const RobotConfig& config, const char* parameter, const std::vector<double>& array) {
  const auto found = config.by_joint.find(parameter);
  return all_zero(array) &&
         (found == config.by_joint.end() ||
          std::all_of(found->second.begin(), found->second.end(),
                      [](const auto& of_joint) { return of_joint.second == 0.0; }));
}

HardwareCompensation hardware_compensation(const std::vector<std::string>& terms) {
  HardwareCompensation result;
  for (const std::string& term : terms) {
    result.gravity |= term == "gravity";
    result.coriolis |= term == "coriolis";
    result.friction |= term == "friction";
  }
  return result;
}

/// Of ixx iyy izz ixy ixz iyz.
Matrix3 symmetric_matrix(const double* six) {
  Matrix3 m;
  m << six[0], six[3], six[4],  //
      six[3], six[1], six[5],   //
      six[4], six[5], six[2];
  return m;
}

Vector3 to_vector3(const std::vector<double>& numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

/// At least two periods, so that one late cycle misses no deadline.
bool keeps_deadline(const Config& config, double deadline_s) {
  return config.trigger == Trigger::kState || deadline_s == 0.0 ||
         deadline_s * config.rate_hz >= 2.0 * (1.0 - 1e-9);
}

void check_together(const Config& config) {
  if (!keeps_deadline(config, config.deadline_s)) {
    throw ParameterError("deadline_s", "parameter 'deadline_s' is " +
                                           to_text(ParameterValue(config.deadline_s)) +
                                           " s, but must be at least two periods of 'rate_hz' (" +
                                           to_text(ParameterValue(config.rate_hz)) +
                                           " Hz); give a longer deadline or a higher rate.");
  }
  if (config.torque_mode == TorqueMode::kComputedTorque &&
      all_zero(config, "gains.kp", config.kp) && all_zero(config, "gains.kd", config.kd)) {
    throw ParameterError("gains.kp",
                         "parameters 'gains.kp' and 'gains.kd' are all zero, but 'torque_mode' "
                         "'computed_torque' needs feedback; give gains, or choose "
                         "'inverse_dynamics'.");
  }
  check_command_joints(config.command_joints);
}

/// Throws ParameterError unless array `name` has `per_entry` numbers for each entry of `entries`.
void require_length(const ParameterSet& p, const char* name, const char* entries,
                    std::size_t per_entry) {
  const std::size_t count = p.get_texts(entries).size(), size = p.get_numbers(name).size();
  if (size == per_entry * count) return;
  const std::string quoted = "'" + std::string(entries) + "'";
  throw ParameterError(name, "parameter '" + std::string(name) + "' has " +
                                 count_text(size, "number") + ", but " + quoted + " has " +
                                 count_text(count, "name") + "; give " +
                                 count_text(per_entry, "number") + " per name.");
}

std::vector<Payload> read_payloads(const ParameterSet& p) {
  const std::vector<double>&centers = p.get_numbers("payloads.centers"),
        &inertias = p.get_numbers("payloads.inertias");
  require_length(p, "payloads.masses", "payloads.links", 1);
  if (!centers.empty()) require_length(p, "payloads.centers", "payloads.links", 3);
  if (!inertias.empty()) require_length(p, "payloads.inertias", "payloads.links", 6);
  std::vector<Payload> payloads;
  for (const std::string& link : p.get_texts("payloads.links")) {
    const std::size_t i = payloads.size();
    Payload payload;
    payload.link = link;
    payload.mass_properties.mass = p.get_numbers("payloads.masses")[i];
    if (!centers.empty()) {
      payload.mass_properties.com = Eigen::Map<const Vector3>(&centers[3 * i]);
    }
    if (!inertias.empty()) {
      payload.mass_properties.inertia_about_com = symmetric_matrix(&inertias[6 * i]);
    }
    payloads.push_back(std::move(payload));
  }
  return payloads;
}

std::map<std::string, double> read_locked(const ParameterSet& p) {
  require_length(p, "locked.positions", "locked.joints", 1);
  std::map<std::string, double> locked;
  const std::vector<std::string>& joints = p.get_texts("locked.joints");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (locked.emplace(joints[i], p.get_numbers("locked.positions")[i]).second) continue;
    throw ParameterError("locked.joints", "parameter 'locked.joints' names joint " +
                                              in_quotes(joints[i]) + " twice; name it once.");
  }
  return locked;
}

void read_robot(const ParameterSet& p, RobotConfig& c) {
  c.robot_description = p.get_text("robot_description");
  c.urdf_file = p.get_text("urdf_file");
  c.floating_base = p.get_bool("floating_base");
  c.strict = p.get_bool("strict");
  c.armature = p.get_numbers("armature");
  c.friction_speed = p.get_number("friction_speed");
  c.gravity = to_vector3(p.get_numbers("gravity"));
  c.payloads = read_payloads(p);
  c.locked = read_locked(p);
  c.by_joint = p.by_joint();
}

void check_robot(const RobotConfig& config) {
  if (!config.robot_description.empty() && !config.urdf_file.empty()) {
    throw ParameterError("urdf_file",
                         "parameters 'robot_description' and 'urdf_file' are both given (" +
                             in_quotes(config.urdf_file) + "); give one of them.");
  }
}

void read_torque(const ParameterSet& p, Config& c) {
  c.torque_mode = chosen<TorqueMode>(p, "torque_mode");
  c.kp = p.get_numbers("gains.kp");
  c.kd = p.get_numbers("gains.kd");
  c.stiffness = p.get_numbers("impedance.stiffness");
  c.damping = p.get_numbers("impedance.damping");
  c.damping_ratio = p.get_numbers("impedance.damping_ratio");
  c.hand_guiding.friction_share = p.get_number("hand_guiding.friction_share");
  c.hand_guiding.damping = p.get_number("hand_guiding.damping");
  c.hand_guiding.locked_joints = p.get_texts("hand_guiding.locked_joints");
  c.compensated_by_hardware = hardware_compensation(p.get_texts("compensated_by_hardware"));
  c.friction_compensation = p.get_bool("friction_compensation");
  c.effort_source = chosen<EffortSource>(p, "forward.effort_source");
  c.missing_velocity = chosen<MissingVelocity>(p, "missing_velocity");
  c.observer_gain = p.get_number("observer_gain");
}

void read_safety(const ParameterSet& p, Config& c) {
  c.state_timeout_s = p.get_number("state_timeout_s");
  c.reference_timeout_s = p.get_number("reference_timeout_s");
  c.on_reference_timeout = chosen<ReferenceTimeout>(p, "on_reference_timeout");
  c.fallback = chosen<Fallback>(p, "fallback");
  c.gravity_only_s = p.get_number("gravity_only_s");
  c.ramp_s = p.get_number("ramp_s");
  c.effort_limits = p.get_numbers("effort_limits");
  c.effort_limit_scale = p.get_number("effort_limit_scale");
  c.allow_unlimited_effort = p.get_bool("allow_unlimited_effort");
  c.allow_effort_above_urdf = p.get_bool("allow_effort_above_urdf");
  c.torque_rate_limit = p.get_numbers("torque_rate_limit");
  c.state_jump_factor = p.get_number("state_jump_factor");
  c.following_error_limit = p.get_numbers("following_error_limit");
  c.contact.reaction = chosen<ContactReaction>(p, "contact.reaction");
  c.contact.threshold = p.get_numbers("contact.threshold");
  c.reset_world_on_activation = p.get_bool("reset_world_on_activation");
  c.envelope.enabled = p.get_bool("envelope.enabled");
  c.envelope.margin = p.get_numbers("envelope.margin");
  c.envelope.velocity_scale = p.get_number("envelope.velocity_scale");
  c.envelope.power_limit = p.get_number("envelope.power_limit");
}

void read_outputs(const ParameterSet& p, Config& c) {
  c.command_joints = p.get_texts("command_joints");
  c.compute.torque_terms = p.get_bool("publish.torque_terms");
  c.compute.external_torque = p.get_bool("publish.external_torque");
  c.compute.mass_matrix = p.get_bool("publish.mass_matrix");
  c.publish.torque_array = p.get_bool("publish.torque_array");
  c.realtime.priority = static_cast<int>(p.get_integer("realtime.priority"));
  c.realtime.cpu = static_cast<int>(p.get_integer("realtime.cpu"));
  c.realtime.lock_memory = p.get_bool("realtime.lock_memory");
  c.realtime.required = p.get_bool("require_realtime");
}

}  // namespace

const char* to_string(MissingVelocity choice) noexcept {
  return spelled("missing_velocity", choice);
}
const char* to_string(Trigger trigger) noexcept {
  return trigger == Trigger::kCaller ? "caller" : spelled("trigger", trigger);
}

Config make_config(const ParameterSet& parameters) {
  const ParameterSet& p = parameters;
  Config c;
  read_robot(p, c);
  c.rate_hz = p.get_number("rate_hz");
  c.trigger = chosen<Trigger>(p, "trigger");
  c.deadline_s = p.get_number("deadline_s");
  c.autostart = p.get_bool("autostart");
  c.use_sim_time = p.get_bool("use_sim_time");
  c.yield_to_active_node = p.get_bool("yield_to_active_node");

  read_torque(p, c);
  read_safety(p, c);
  read_outputs(p, c);
  check_robot(c);
  check_together(c);
  return c;
}

ParameterSet changed(ParameterSet parameters, const ParameterChanges& changes) {
  for (const auto& [name, value] : changes) parameters.change(name, value);
  (void)make_config(parameters);
  return parameters;
}

double torque_deadline_s(const Config& config) noexcept {
  if (config.deadline_s > 0.0) return config.deadline_s;
  return config.trigger == Trigger::kState ? 0.0 : 5.0 / config.rate_hz;
}

void check_live_rate(const Config& config, double offered_deadline_s) {
  if (keeps_deadline(config, offered_deadline_s)) return;
  throw ParameterError(
      "rate_hz", "parameter 'rate_hz' can't be " + to_text(ParameterValue(config.rate_hz)) +
                     " while the node runs: torques are offered with a deadline "
                     "of " +
                     to_text(ParameterValue(offered_deadline_s)) + " s, which needs at least " +
                     to_text(ParameterValue(2.0 / offered_deadline_s)) +
                     " Hz; restart the node with that rate, or with a longer "
                     "'deadline_s'.");
}

SimulatorConfig make_simulator_config(const ParameterSet& parameters) {
  const ParameterSet& p = parameters;
  SimulatorConfig c;
  read_robot(p, c);
  c.initial_position = p.get_numbers("initial_position");
  c.joint_stops = p.get_bool("joint_stops");
  c.rate_hz = p.get_number("rate_hz");
  c.integrator = chosen<Integrator>(p, "integrator");
  c.substeps = static_cast<int>(p.get_integer("substeps"));
  c.real_time_factor = p.get_number("real_time_factor");
  c.publish_clock = p.get_bool("publish_clock");
  c.effort_timeout_s = p.get_number("effort_timeout_s");
  c.wrench_timeout_s = p.get_number("wrench_timeout_s");
  c.position_noise = p.get_number("noise.position");
  c.velocity_noise = p.get_number("noise.velocity");
  c.effort_noise = p.get_number("noise.effort");
  c.delay_s = p.get_number("delay_s");
  c.seed = static_cast<std::uint32_t>(p.get_integer("seed"));
  check_robot(c);
  return c;
}

SimulatedSystemConfig make_simulated_system_config(const ParameterSet& parameters, double rate_hz) {
  ParameterSet simulator(simulator_parameter_table());
  for (const ParameterDescription& row : simulator.table()) {
    if (find_parameter(parameters.table(), row.name) == nullptr) continue;
    simulator.set(row.name, parameters.get(row.name));
  }
  for (const auto& [row, joints] : parameters.by_joint()) {
    for (const auto& [joint, value] : joints)
      simulator.set(std::string(row).append(".").append(joint), value);
  }
  simulator.set("rate_hz", rate_hz);
  SimulatedSystemConfig c;
  static_cast<SimulatorConfig&>(c) = make_simulator_config(simulator);
  c.brake_unclaimed = parameters.get_bool("brake_unclaimed");
  c.nan_states = parameters.get_texts("nan_states");
  return c;
}

}  // namespace spatial_dynamics
