#include "ros2_control/simulated_system.hpp"

#include <hardware_interface/types/hardware_interface_type_values.hpp>
#include <pluginlib/class_list_macros.hpp>
#include <type_traits>

#include "ros2/log.hpp"
#include "ros2/middleware.hpp"
#include "runtime/parameters.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/parameters_text.hpp"
#include "runtime/topics.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/text.hpp"

namespace spatial_dynamics_ros2_control {

namespace hw = hardware_interface;
namespace ros2 = spatial_dynamics::ros2;
using spatial_dynamics::in_quotes;
using spatial_dynamics::LogLevel;
using spatial_dynamics::Model;
using spatial_dynamics::ParameterError;
using spatial_dynamics::ParameterSet;
using spatial_dynamics::ParameterTable;
using spatial_dynamics::RejectionReason;
using spatial_dynamics::simulated_system_parameter_table;
using spatial_dynamics::SimulatedRobot;
using spatial_dynamics::steady_now_ns;

namespace {

constexpr double kDefaultRate = 1000.0;  // without a controller manager
/// The hardware's parameters, and initial values of positions in the way of ros2_control. Unknown
/// names are only warned about, because a tag may have parameters of a real robot's plug-in.
ParameterSet read_parameters(const hw::HardwareInfo& info, spatial_dynamics::LogQueue& log) {
  const ParameterTable& table = simulated_system_parameter_table();
  ParameterSet parameters(table);
  for (const hw::ComponentInfo& joint : info.joints) {
    if (joint.is_mimic == hw::MimicAttribute::TRUE) continue;
    for (const hw::InterfaceInfo& state : joint.state_interfaces) {
      if (state.name != hw::HW_IF_POSITION || state.initial_value.empty()) continue;
      const std::string name = "initial_position." + joint.name;
      parameters.set(name, parse_value(table, name, state.initial_value));
    }
  }
  for (const auto& [name, text] : info.hardware_parameters) {
    const bool known =
        find_parameter(table, name) != nullptr || find_joint_parameter(table, name).row != nullptr;
    if (known) {
      parameters.set(name, parse_value(table, name, text));
      continue;
    }
    const std::string near = nearest_name(table, name);
    log.push(LogLevel::kWarning, "",
             "hardware parameter '" + name + "' is not one of SimulatedSystem and is ignored" +
                 (near.empty() ? "" : "; is '" + near + "' meant?"));
  }
  return parameters;
}

}  // namespace

hw::CallbackReturn SimulatedSystem::on_init(const hw::HardwareComponentInterfaceParams& params) {
  if (SystemInterface::on_init(params) != CallbackReturn::SUCCESS) return CallbackReturn::ERROR;
  try {
    log_ = ros2::make_log(get_logger());
    load(params.hardware_info);
    if (get_node() != nullptr) {
      serve_topics();
      serve_nan_states();
    }
  } catch (const std::exception& error) {
    RCLCPP_ERROR(get_logger(), "hardware '%s' can't be simulated: %s", info_.name.c_str(),
                 error.what());  // no cycle runs yet
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

void SimulatedSystem::load(const hw::HardwareInfo& info) {
  config_ = make_simulated_system_config(read_parameters(info, *log_),
                                         info.rw_rate > 0 ? info.rw_rate : kDefaultRate);
  std::vector<std::string> order;
  for (const hw::ComponentInfo& joint : info.joints) {
    if (joint.is_mimic != hw::MimicAttribute::TRUE) order.push_back(joint.name);
  }
  const Model model = load_robot(info.original_xml, config_, nullptr, order);
  robot_ = std::make_unique<SimulatedRobot>(model, config_, order);
  world_ = std::make_unique<spatial_dynamics::WorldInbox>(model, rejections_);
  joints_ = SimulatedJoints(info.joints, *robot_);
  const std::string rejection = check_nan_states(config_.nan_states);
  if (!rejection.empty()) throw ParameterError("nan_states", rejection);
  joints_.set_nan(config_.nan_states);
  if (!info.sensors.empty() || !info.gpios.empty()) {
    log_->push(LogLevel::kWarning, "",
               "sensors and GPIOs are not simulated: their states stay as they are");
  }
}

void SimulatedSystem::serve_topics() {
  const auto note = [this](const char* what, const std::string& frame, RejectionReason reason) {
    if (reason == RejectionReason::kNone) return;
    const std::string line = rejected_.pass(std::string(what) + " dropped: " + to_string(reason) +
                                                " (frame_id " + in_quotes(frame) + ")",
                                            steady_now_ns());
    if (!line.empty()) log_->push(LogLevel::kWarning, "", line);
  };
  using Views = spatial_dynamics::MessageViews<ros2::Rclcpp>;
  for (const auto& row : spatial_dynamics::simulated_system_topic_table()) {
    spatial_dynamics::visit_message_type<ros2::Rclcpp>(row.type, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const rclcpp::QoS qos = ros2::to_rclcpp(row.qos);
      if constexpr (std::is_same_v<T, ros2::Rclcpp::WrenchStamped>) {
        subscriptions_.push_back(
            get_node()->create_subscription<T>(row.name, qos, [this, note](const T& message) {
              note("wrench", message.header.frame_id,
                   world_->on_wrench(Views::of(message), steady_now_ns()));
            }));
      } else if constexpr (std::is_same_v<T, ros2::Rclcpp::InertiaStamped>) {
        subscriptions_.push_back(
            get_node()->create_subscription<T>(row.name, qos, [this, note](const T& message) {
              note("payload", message.header.frame_id, world_->on_payload(Views::of(message)));
            }));
      } else {
        throw_unserved(row);
      }
    });
  }
}

void SimulatedSystem::serve_nan_states() {
  const char* const name = "nan_states";
  rcl_interfaces::msg::ParameterDescriptor description;
  description.description = find_parameter(simulated_system_parameter_table(), name)->help;
  get_node()->declare_parameter(name, config_.nan_states, description);
  check_parameters_ = get_node()->add_on_set_parameters_callback(
      [this, name](const std::vector<rclcpp::Parameter>& parameters) {
        rcl_interfaces::msg::SetParametersResult result;
        for (const rclcpp::Parameter& parameter : parameters) {
          if (parameter.get_name() == name)
            result.reason = check_nan_states(parameter.as_string_array());
        }
        result.successful = result.reason.empty();
        return result;
      });
  apply_parameters_ = get_node()->add_post_set_parameters_callback(
      [this, name](const std::vector<rclcpp::Parameter>& parameters) {
        for (const rclcpp::Parameter& parameter : parameters) {
          if (parameter.get_name() == name) joints_.set_nan(parameter.as_string_array());
        }
      });
}

std::string SimulatedSystem::check_nan_states(const std::vector<std::string>& names) const {
  const std::string unknown = joints_.unknown(names);
  if (unknown.empty()) return {};
  return "parameter 'nan_states' names " + in_quotes(unknown) +
         ", which is not a joint of hardware " + in_quotes(info_.name) + ".";
}

hw::CallbackReturn SimulatedSystem::on_configure(const rclcpp_lifecycle::State&) {
  joints_.connect([this](const std::string& name) { return get_command_interface_handle(name); },
                  [this](const std::string& name) {
                    return has_state(name) ? get_state_interface_handle(name) : nullptr;
                  });
  robot_->reset();
  joints_.brake();
  joints_.publish_states(*robot_);
  return CallbackReturn::SUCCESS;
}

hw::CallbackReturn SimulatedSystem::on_activate(const rclcpp_lifecycle::State&) {
  joints_.await_commands();
  return CallbackReturn::SUCCESS;
}

hw::CallbackReturn SimulatedSystem::on_deactivate(const rclcpp_lifecycle::State&) {
  robot_->brake();
  joints_.brake();
  return CallbackReturn::SUCCESS;
}

hw::CallbackReturn SimulatedSystem::on_error(const rclcpp_lifecycle::State&) {
  log_->push(LogLevel::kError, "",
             "the simulation of " + in_quotes(info_.name) +
                 " diverged: use more substeps or a higher update_rate; configuring the hardware "
                 "again puts the robot back to its start");
  return CallbackReturn::SUCCESS;  // unconfigured
}

hw::return_type SimulatedSystem::prepare_command_mode_switch(const std::vector<std::string>& start,
                                                             const std::vector<std::string>& stop) {
  const std::string joint = joints_.conflict(start, stop);
  if (joint.empty()) return return_type::OK;
  log_->push(LogLevel::kError, "",
             "joint " + in_quotes(joint) +
                 " can't have an effort and a position or velocity at once: stop the controller of "
                 "one of them");
  return return_type::ERROR;
}

hw::return_type SimulatedSystem::perform_command_mode_switch(const std::vector<std::string>& start,
                                                             const std::vector<std::string>& stop) {
  joints_.switch_claims(start, stop);
  return return_type::OK;
}

hw::return_type SimulatedSystem::write(const rclcpp::Time&, const rclcpp::Duration&) {
  joints_.drive(*robot_, config_.brake_unclaimed);
  return return_type::OK;
}

hw::return_type SimulatedSystem::read(const rclcpp::Time&, const rclcpp::Duration& period) {
  world_->update();
  robot_->set_world(world_->wrenches(), world_->payloads(), steady_now_ns(),
                    config_.wrench_timeout_s);
  if (!robot_->advance_by(period.seconds(), config_.rate_hz)) return return_type::ERROR;
  joints_.publish_states(*robot_);
  return return_type::OK;
}

}  // namespace spatial_dynamics_ros2_control

PLUGINLIB_EXPORT_CLASS(spatial_dynamics_ros2_control::SimulatedSystem,
                       hardware_interface::SystemInterface)
