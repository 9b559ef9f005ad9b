#include "ros2_control/simulated_joints.hpp"

#include <algorithm>
#include <cmath>
#include <hardware_interface/types/hardware_interface_type_values.hpp>
#include <limits>
#include <utility>

#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"

namespace spatial_dynamics_ros2_control {

namespace hw = hardware_interface;
using spatial_dynamics::Drive;
using spatial_dynamics::in_quotes;
using spatial_dynamics::Index;
using spatial_dynamics::is_one_of;
using spatial_dynamics::joint_element;
using spatial_dynamics::kNoIndex;
using spatial_dynamics::Model;
using spatial_dynamics::SimulatedRobot;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Of a command interface; kBrake if it is not simulated.
Drive drive_of(const std::string& interface) {
  if (interface == hw::HW_IF_EFFORT) return Drive::kEffort;
  if (interface == hw::HW_IF_VELOCITY) return Drive::kVelocity;
  if (interface == hw::HW_IF_POSITION) return Drive::kPosition;
  return Drive::kBrake;
}

[[noreturn]] void reject(const std::string& joint, const std::string& reason) {
  throw spatial_dynamics::ModelError(joint_element(joint), joint_element(joint) + reason);
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

SimulatedJoints::SimulatedJoints(const std::vector<hw::ComponentInfo>& tag,
                                 const SimulatedRobot& robot) {
  for (const hw::ComponentInfo& joint : tag) add_joint(joint, robot);
}

void SimulatedJoints::add_joint(const hw::ComponentInfo& info, const SimulatedRobot& robot) {
  const Model& model = robot.model();
  const Index index = model.find_joint(info.name);
  if (index == kNoIndex) reject(info.name, " is fixed or not in the URDF; remove it from the tag");
  const spatial_dynamics::Joint& joint = model.joint(index);
  if (joint.nv != 1) {
    reject(info.name, " has " + std::to_string(joint.nv) +
                          " coordinates, but ros2_control has interfaces for one; remove it from "
                          "the tag, and it stays where it starts");
  }
  if (joint.is_mimic() && !info.command_interfaces.empty()) {
    reject(info.name,
           " follows another joint (<mimic> in the URDF); remove its command interfaces");
  }
  auto own = std::make_unique<Joint>();
  own->name = info.name;
  own->mimics = joint.is_mimic();
  own->ratio = joint.ratio;
  own->offset = joint.offset;
  const spatial_dynamics::Coordinates& coordinates = robot.coordinates();
  while (coordinates[own->coordinate].v != joint.v_index) ++own->coordinate;
  for (const hw::InterfaceInfo& interface : info.command_interfaces) {
    auto command = std::make_unique<Command>();
    command->name = info.name + "/" + interface.name;
    command->drive = drive_of(interface.name);
    if (command->drive == Drive::kBrake) {
      reject(info.name, " has a command interface " + in_quotes(interface.name) +
                            ", which is not simulated; use effort, velocity or position");
    }
    own->commands.push_back(std::move(command));
  }
  for (const hw::InterfaceInfo& interface : info.state_interfaces) {
    if (!is_one_of(interface.name, {hw::HW_IF_POSITION, hw::HW_IF_VELOCITY, hw::HW_IF_ACCELERATION,
                                    hw::HW_IF_EFFORT})) {
      reject(info.name, " has a state interface " + in_quotes(interface.name) +
                            ", which is not simulated; use position, velocity, acceleration or "
                            "effort");
    }
  }
  joints_.push_back(std::move(own));
}

void SimulatedJoints::connect(const FindCommand& find_command, const FindState& find_state) {
  states_.clear();
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    for (const auto& command : joints_[j]->commands) command->handle = find_command(command->name);
    const auto add = [&](const char* interface, Quantity quantity) {
      auto handle = find_state(joints_[j]->name + "/" + interface);
      if (handle != nullptr) states_.push_back({j, quantity, std::move(handle)});
    };
    add(hw::HW_IF_POSITION, Quantity::kPosition);
    add(hw::HW_IF_VELOCITY, Quantity::kVelocity);
    add(hw::HW_IF_ACCELERATION, Quantity::kAcceleration);
    add(hw::HW_IF_EFFORT, Quantity::kEffort);
  }
}

std::string SimulatedJoints::unknown(const Names& names) const {
  for (const std::string& name : names) {
    const bool known = std::any_of(joints_.begin(), joints_.end(),
                                   [&](const auto& joint) { return joint->name == name; });
    // `ros2 param set` can't write an empty array, but [''].
    if (!known && !name.empty()) return name;
  }
  return {};
}

void SimulatedJoints::set_nan(const Names& names) {
  for (const auto& joint : joints_) joint->nan = contains(names, joint->name);
}

SimulatedJoints::Command* SimulatedJoints::find_command(const std::string& name) const {
  for (const auto& joint : joints_) {
    for (const auto& command : joint->commands) {
      if (command->name == name) return command.get();
    }
  }
  return nullptr;
}

std::string SimulatedJoints::conflict(const Names& start, const Names& stop) const {
  for (const auto& joint : joints_) {
    bool effort = false;
    bool servo = false;
    for (const auto& command : joint->commands) {
      const bool claimed =
          contains(start, command->name) || (command->claimed && !contains(stop, command->name));
      effort = effort || (claimed && command->drive == Drive::kEffort);
      servo = servo || (claimed && command->drive != Drive::kEffort);
    }
    if (effort && servo) return joint->name;
  }
  return {};
}

void SimulatedJoints::switch_claims(const Names& start, const Names& stop) {
  for (const std::string& name : stop) {
    Command* const command = find_command(name);
    if (command != nullptr && !contains(start, name)) command->claimed = false;
  }
  for (const auto& joint : joints_) {
    for (const auto& command : joint->commands) {
      if (command->claimed || !contains(start, command->name)) continue;
      // The command of an earlier controller must not act.
      if (command->handle != nullptr) std::ignore = command->handle->set_value(kNan, false);
      joint->awaits_command = true;
      command->claimed = true;
    }
  }
}

SimulatedJoints::Command* SimulatedJoints::active_command(const Joint& joint) noexcept {
  Command* active = nullptr;
  for (const auto& command : joint.commands) {
    if (!command->claimed) continue;
    if (active == nullptr || command->drive > active->drive) active = command.get();
  }
  return active;
}

void SimulatedJoints::await_commands() noexcept {
  for (const auto& joint : joints_) joint->awaits_command = true;
}

void SimulatedJoints::brake() noexcept {
  for (const auto& joint : joints_) joint->released = false;
}

void SimulatedJoints::drive(Joint& joint, SimulatedRobot& robot, bool brake_unclaimed) {
  Command* const command = active_command(joint);
  double value = kNan;
  if (command != nullptr && !command->handle->get_value(value, false)) return;  // keeps the last
  if (command != nullptr && std::isfinite(value)) joint.awaits_command = false;
  if (command != nullptr && !joint.awaits_command) {
    joint.released = true;
    robot.drive(joint.coordinate, command->drive, value);
  } else if (joint.released && !brake_unclaimed) {
    robot.drive(joint.coordinate, Drive::kEffort, 0.0);
  } else {
    robot.drive(joint.coordinate, Drive::kBrake, 0.0);
  }
}

void SimulatedJoints::drive(SimulatedRobot& robot, bool brake_unclaimed) {
  for (const auto& joint : joints_) {
    if (!joint->commands.empty()) drive(*joint, robot, brake_unclaimed);
  }
  if (robot.braked()) return;
  for (const auto& joint : joints_) {
    const bool passive = joint->commands.empty() && !joint->mimics;
    if (passive) robot.drive(joint->coordinate, Drive::kEffort, 0.0);
  }
}

double SimulatedJoints::value_of(const State& state, const SimulatedRobot& robot) const noexcept {
  const Joint& joint = *joints_[state.joint];
  if (joint.nan) return kNan;
  const spatial_dynamics::Measurement& measured = robot.measured();
  const spatial_dynamics::ScalarCoordinate& coordinate = robot.coordinates()[joint.coordinate];
  switch (state.quantity) {
    case Quantity::kPosition:
      return joint.ratio * measured.q(coordinate.q) + joint.offset;
    case Quantity::kVelocity:
      return joint.ratio * measured.v(coordinate.v);
    case Quantity::kAcceleration:
      return joint.ratio * measured.a(coordinate.v);
    case Quantity::kEffort:
      break;
  }
  return joint.mimics ? 0.0 : measured.effort(coordinate.v);
}

void SimulatedJoints::publish_states(const SimulatedRobot& robot) const {
  for (const State& state : states_) {
    std::ignore = state.handle->set_value(value_of(state, robot), false);
  }
}

}  // namespace spatial_dynamics_ros2_control
