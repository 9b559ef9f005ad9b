#include "dds/dynamics_node.hpp"

#include <utility>

#include "dds/translate.hpp"
#include "spatial_dynamics/runtime/clock.hpp"
#include "spatial_dynamics/runtime/robot_source.hpp"

namespace spatial_dynamics::dds {
namespace {

void check_autostart(const ParameterSet& parameters) {
  if (parameters.get_bool("autostart")) return;
  throw ParameterError("autostart",
                       "parameter 'autostart' is false, but the stand-alone node has no lifecycle "
                       "services by which it could be activated later; leave it out, or use the "
                       "ROS 2 node.");
}

}  // namespace

DynamicsNode::DynamicsNode(DynamicsNodeOptions options)
    : log_(std::move(options.log)),
      node_(with_notes(with_events(std::move(options.node), log_))),
      use_sim_time_(options.parameters.get_bool("use_sim_time")) {
  check_autostart(options.parameters);
  core_ =
      std::make_unique<DynamicsCore>(static_cast<FrontEnd&>(*this), std::move(options.parameters));
  const Config config = core_->config();
  for (const std::string& warning : node_.warnings()) log_(LogLevel::kWarning, warning);
  set_configured_robot(config, [this](std::string_view urdf) { set_robot(urdf); });
  advertise(config);
  subscribe(config);
  core_->start();
  core_->activate();
}

DynamicsNode::~DynamicsNode() { core_->stop(); }

bool DynamicsNode::shut_down(std::chrono::milliseconds limit) {
  const bool ramped = core_->finish(limit);
  // A lost packet is sent again every tenth of a second; one who does not answer in two must not keep us.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const auto left = [deadline] { return deadline - std::chrono::steady_clock::now(); };
  bool heard = torque_->wait_until_heard(left());
  if (torque_array_) heard = torque_array_->wait_until_heard(left()) && heard;
  if (!heard) {
    log_(LogLevel::kWarning, "a subscriber has not acknowledged the last torque, which was zero");
  }
  return ramped;
}

void DynamicsNode::log(LogLevel level, const std::string& text) { log_(level, text); }

std::int64_t DynamicsNode::ros_now() const {
  return use_sim_time_ ? sim_time_.load() : system_now_ns();
}

void DynamicsNode::set_robot(std::string_view urdf) {
  core_->set_robot(urdf);
  for (const auto& [level, text] : introduce(*core_->robot())) log_(level, text);
}

/// What the log is told of, diagnostics shall tell too. Readers and writers, who call this, come after the core.
NodeOptions DynamicsNode::with_notes(NodeOptions options) {
  options.events.on_qos_mismatch =
      [this, to_log = std::move(options.events.on_qos_mismatch)](const QosMismatch& mismatch) {
        to_log(mismatch);
        core_->note_incompatible_qos(mismatch.topic, mismatch.policy);
      };
  return options;
}

void DynamicsNode::advertise(const Config& config) {
  torque_.emplace(node_.advertise<JointState>("~/torque", kOutputQos));
  acceleration_.emplace(node_.advertise<JointTrajectory>("~/acceleration", kOutputQos));
  if (config.publish.torque_array) {
    torque_array_.emplace(node_.advertise<Float64MultiArray>("~/torque_array", kOutputQos));
  }
  if (config.floating_base) {
    base_acceleration_.emplace(node_.advertise<AccelStamped>("~/base/acceleration", kOutputQos));
    base_wrench_.emplace(node_.advertise<WrenchStamped>("~/base/wrench", kOutputQos));
  }
  if (config.publish.torque_terms) {
    gravity_term_.emplace(node_.advertise<JointState>("~/torque/gravity", kOutputQos));
    coriolis_term_.emplace(node_.advertise<JointState>("~/torque/coriolis", kOutputQos));
    inertial_term_.emplace(node_.advertise<JointState>("~/torque/inertial", kOutputQos));
    friction_term_.emplace(node_.advertise<JointState>("~/torque/friction", kOutputQos));
    external_term_.emplace(node_.advertise<JointState>("~/torque/external", kOutputQos));
  }
  if (config.publish.external_torque) {
    external_torque_.emplace(node_.advertise<JointState>("~/external_torque", kOutputQos));
  }
  if (config.publish.mass_matrix) {
    mass_matrix_.emplace(node_.advertise<Float64MultiArray>("~/mass_matrix", kOutputQos));
  }
  diagnostics_.emplace(node_.advertise<DiagnosticArray>("/diagnostics", kDefaultQos));
  statistics_.emplace(node_.advertise<MetricsMessage>("~/statistics", kDefaultQos));
}

void DynamicsNode::subscribe(const Config& config) {
  DynamicsCore& core = *core_;
  if (config.use_sim_time) {
    clock_reader_.emplace(node_.subscribe<Clock>(
        "/clock", kClockQos, [this](const Clock& m) { sim_time_ = nanoseconds(m.clock); }));
  }
  if (config.robot_description.empty() && config.urdf_file.empty()) {
    description_reader_.emplace(
        node_.subscribe<String>("robot_description", kDescriptionQos, [this](const String& m) {
          try {
            set_robot(text(m.data));
          } catch (const std::exception& error) {
            log_(LogLevel::kError, std::string("robot_description refused: ") + error.what());
          }
        }));
  }
  effort_reader_.emplace(node_.subscribe<JointState>(
      "~/effort_command", kCommandQos,
      [&core](const JointState& m) { core.on_effort_command(translate(m)); }));
  reference_reader_.emplace(node_.subscribe<JointTrajectory>(
      "~/reference", kCommandQos,
      [&core](const JointTrajectory& m) { core.on_reference(translate(m)); }));
  wrench_reader_.emplace(node_.subscribe<WrenchStamped>(
      "~/external_wrench", kCommandQos, [&core](const auto& m) { core.on_wrench(translate(m)); }));
  payload_reader_.emplace(node_.subscribe<InertiaStamped>(
      "~/payload", kCommandQos, [&core](const auto& m) { core.on_payload(translate(m)); }));
  gravity_reader_.emplace(node_.subscribe<Vector3Stamped>(
      "~/gravity", kCommandQos, [&core](const auto& m) { core.on_gravity(translate(m)); }));
  odometry_reader_.emplace(node_.subscribe<Odometry>(
      "odom", kStreamQos, [&core](const Odometry& m) { core.on_odometry(translate(m)); }));
  states_reader_.emplace(node_.subscribe<JointState>(
      "joint_states", kStreamQos, [&core](const JointState& m, const SampleInfo& info) {
        core.on_joint_states(translate(m, info.publisher));
      }));
}

}  // namespace spatial_dynamics::dds
