#include "ros2_control/torque_controller.hpp"

#include <exception>
#include <pluginlib/class_list_macros.hpp>
#include <utility>

#include "ros2/dynamics_session.hpp"
#include "ros2/log.hpp"
#include "ros2/parameter_callbacks.hpp"
#include "ros2/parameters.hpp"
#include "ros2_control/activation_services.hpp"
#include "runtime/controller_setup.hpp"
#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics_ros2_control {
namespace {

using controller_interface::interface_configuration_type;
using controller_interface::return_type;
using spatial_dynamics::ControlOutput;
using spatial_dynamics::LogLevel;
using spatial_dynamics::steady_now_ns;

}  // namespace

TorqueController::TorqueController()
    : parameters_(spatial_dynamics::controller_parameter_table()) {}

TorqueController::~TorqueController() { end_session(); }

void TorqueController::note(LogLevel level, const std::string& text) const {
  log_->push(level, "", text);
}

// ---- parameters ---------------------------------------------------------------------------------

TorqueController::Answer TorqueController::on_init() {
  try {
    log_ = spatial_dynamics::ros2::make_log(get_node()->get_logger());
    std::vector<std::string> warnings;
    parameters_ =
        spatial_dynamics::ros2::declare(*get_node()->get_node_parameters_interface(),
                                        spatial_dynamics::controller_parameter_table(), warnings);
    for (const std::string& warning : warnings) note(LogLevel::kWarning, warning);
    using Changes = spatial_dynamics::ParameterChanges;
    callbacks_ = std::make_shared<spatial_dynamics::ros2::ParameterCallbacks>(
        *get_node(), spatial_dynamics::controller_parameter_table(), log_,
        [this](const Changes& changes) { check(changes); },
        [this](const Changes& changes) { apply(changes); });
  } catch (const std::exception& error) {
    RCLCPP_ERROR(get_node()->get_logger(), "%s", error.what());
    return Answer::ERROR;
  }
  return Answer::SUCCESS;
}

void TorqueController::check(const spatial_dynamics::ParameterChanges& changes) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto changed = spatial_dynamics::changed_controller(parameters_, changes);
  if (!session_) return;
  spatial_dynamics::check_order_of_arrays(
      changed, session_->core().robot()->controller.coordinates().scalars());
  session_->core().check_parameters(spatial_dynamics::core_changes(changes));
}

void TorqueController::apply(const spatial_dynamics::ParameterChanges& changes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  spatial_dynamics::ParameterSet changed =
      spatial_dynamics::changed_controller(parameters_, changes);
  // Either may throw: the core first, so that both have the changes or none has.
  if (session_) session_->core().set_parameters(spatial_dynamics::core_changes(changes));
  parameters_ = std::move(changed);
}

// ---- transitions --------------------------------------------------------------------------------

TorqueController::Answer TorqueController::on_configure(const rclcpp_lifecycle::State&) {
  end_session();
  try {
    const std::lock_guard<std::mutex> lock(mutex_);
    open();
  } catch (const std::exception& error) {
    end_session();
    note(LogLevel::kError, error.what());
    return Answer::FAILURE;
  }
  return Answer::SUCCESS;
}

void TorqueController::open() {
  mode_before_.reset();
  const auto setup = spatial_dynamics::make_controller_setup(parameters_, get_robot_description(),
                                                             get_update_rate());
  session_ = spatial_dynamics::ros2::DynamicsSession::open(
      *get_node(), setup.parameters, log_, [] { return true; }, spatial_dynamics::Loop::kCaller);
  const std::shared_ptr<spatial_dynamics::Robot> robot = session_->core().robot();
  const spatial_dynamics::Coordinates& coordinates = robot->controller.coordinates();
  const std::shared_ptr<const spatial_dynamics::JointSettings> settings = robot->joints();
  if (!settings->drive_rejection.empty()) {
    throw spatial_dynamics::ParameterError(
        "effort_limits", "the controller sends no torque, because " + settings->drive_rejection);
  }
  input_.emplace(robot->controller.model(), coordinates);
  joints_ = JointInterfaces(get_node()->get_name(), coordinates, *settings, setup.held_position);
  services_ = ActivationServices::offer(*get_node(), session_);
}

void TorqueController::end_session() {
  const std::lock_guard<std::mutex> lock(mutex_);
  services_.reset();
  session_.reset();
}

TorqueController::Answer TorqueController::on_activate(const rclcpp_lifecycle::State&) {
  const std::string wrong = joints_.map(state_interfaces_, command_interfaces_, *input_);
  if (!wrong.empty()) {
    note(LogLevel::kError, wrong);
    return Answer::FAILURE;
  }
  const std::int64_t now = steady_now_ns();
  written_ = now;
  // For a change of the chained mode the manager deactivates and activates, possibly on a thread
  // without priority. Nobody has asked for an activation, so a latched stop stays latched.
  const bool same_switch = mode_before_ && *mode_before_ != is_in_chained_mode();
  if (session_->core().resume(now, same_switch)) {
    joints_.write_last(command_interfaces_);
    return Answer::SUCCESS;
  }
  for (const JointInterfaces::Note& missing : joints_.missing()) {
    note(missing.warning ? LogLevel::kWarning : LogLevel::kInfo, missing.text);
  }
  // The first torque now: hardware releases its brakes with the first command, and the arm would
  // fall for a period with a command of zero.
  (void)update_and_write_commands(get_node()->now(), rclcpp::Duration(0, 0));
  const spatial_dynamics::DynamicsCore& core = session_->core();
  if (same_switch && (!core.active() || core.phase() == spatial_dynamics::Phase::kStopped)) {
    note(
        LogLevel::kWarning,
        "no torque is sent, as before the change of the chained mode; ~/set_active true activates");
  }
  return Answer::SUCCESS;
}

TorqueController::Answer TorqueController::on_deactivate(const rclcpp_lifecycle::State&) {
  mode_before_ = is_in_chained_mode();
  session_->core().suspend(steady_now_ns());
  // A cycle that still runs on another thread (is_async) then writes zero, too.
  if (const std::string* const joint = joints_.write_zero(command_interfaces_)) {
    note(LogLevel::kError, "the torque of joint '" + *joint +
                               "' could not be set to zero: its command interface is locked by "
                               "another thread, and the hardware goes on with the last torque");
  }
  joints_.clear_references();
  joints_.export_states(nullptr);
  return Answer::SUCCESS;
}

TorqueController::Answer TorqueController::on_cleanup(const rclcpp_lifecycle::State&) {
  end_session();
  return Answer::SUCCESS;
}

TorqueController::Answer TorqueController::on_error(const rclcpp_lifecycle::State&) {
  end_session();
  return Answer::SUCCESS;
}

TorqueController::Answer TorqueController::on_shutdown(const rclcpp_lifecycle::State&) {
  end_session();
  return Answer::SUCCESS;
}

bool TorqueController::on_set_chained_mode(bool chained) {
  joints_.clear_references();
  // References from before the change are not followed after it.
  const std::uint64_t last = session_->core().discard_references(input_->generation());
  if (chained) {
    input_->follow_caller(last);
  } else {
    input_->follow_topic();
  }
  return true;
}

// ---- interfaces ---------------------------------------------------------------------------------

controller_interface::InterfaceConfiguration TorqueController::command_interface_configuration()
    const {
  return {interface_configuration_type::INDIVIDUAL, joints_.command_names()};
}

controller_interface::InterfaceConfiguration TorqueController::state_interface_configuration()
    const {
  return {interface_configuration_type::INDIVIDUAL_BEST_EFFORT, joints_.state_names()};
}

std::vector<hardware_interface::CommandInterface::SharedPtr>
TorqueController::on_export_reference_interfaces_list() {
  joints_.clear_references();
  return joints_.references();
}

std::vector<hardware_interface::StateInterface::SharedPtr>
TorqueController::on_export_state_interfaces_list() {
  return joints_.exported();
}

// ---- the cycle: no allocation, no blocking lock, no log -----------------------------------------

return_type TorqueController::update_reference_from_subscribers(const rclcpp::Time&,
                                                                const rclcpp::Duration&) {
  return return_type::OK;
}

return_type TorqueController::update_and_write_commands(const rclcpp::Time& time,
                                                        const rclcpp::Duration&) {
  if (session_->core().suspended()) return return_type::OK;  // deactivated by another thread
  const std::int64_t now = steady_now_ns();
  joints_.read_states(state_interfaces_, *input_);
  if (is_in_chained_mode()) joints_.read_references(now, *input_);
  const ControlOutput* const output = session_->core().step(now, time.nanoseconds(), *input_);
  joints_.export_states(output);
  if (joints_.write(output, command_interfaces_)) written_ = now;
  if (session_->core().suspended()) (void)joints_.write_zero(command_interfaces_);
  return now - written_ > session_->core().state_timeout() ? return_type::ERROR : return_type::OK;
}

}  // namespace spatial_dynamics_ros2_control

PLUGINLIB_EXPORT_CLASS(spatial_dynamics_ros2_control::TorqueController,
                       controller_interface::ChainableControllerInterface)
