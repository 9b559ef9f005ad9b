#include "ros2_control/joint_interfaces.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>

namespace spatial_dynamics_ros2_control {
namespace {

using spatial_dynamics::CallerInput;
using spatial_dynamics::ControlOutput;

constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<const char*, 3> kStates{"position", "velocity", "effort"};
constexpr std::array<const char*, 4> kReferences{"position", "velocity", "acceleration", "effort"};
constexpr std::array<const char*, 3> kExported{"gravity_torque", "external_torque", "acceleration"};

template <typename Interface, std::size_t N>
std::vector<std::shared_ptr<Interface>> make_interfaces(const std::string& prefix,
                                                        const std::array<const char*, N>& names) {
  std::vector<std::shared_ptr<Interface>> result;
  for (const char* const name : names) {
    hardware_interface::InterfaceInfo info;
    info.name = name;
    info.data_type = "double";
    result.push_back(
        std::make_shared<Interface>(hardware_interface::InterfaceDescription(prefix, info)));
  }
  return result;
}

/// SIZE_MAX if there is none.
template <typename Interfaces>
std::size_t index_of(const Interfaces& interfaces, const std::string& name) {
  const auto found = std::find_if(interfaces.begin(), interfaces.end(),
                                  [&](const auto& each) { return each.get_name() == name; });
  return found == interfaces.end() ? SIZE_MAX
                                   : static_cast<std::size_t>(found - interfaces.begin());
}

}  // namespace

JointInterfaces::JointInterfaces(const std::string& controller,
                                 const spatial_dynamics::Coordinates& coordinates,
                                 const spatial_dynamics::JointSettings& settings,
                                 std::vector<double> held) {
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    coordinates_.push_back({coordinates[k].name, held.at(k), kNone, kNone, kNone});
  }
  for (std::size_t i = 0; i < settings.command_joints.size(); ++i) {
    CommandedJoint joint;
    joint.name = settings.command_joints[i];
    joint.v = settings.command_indices[i];
    while (coordinates_.at(joint.coordinate).name != joint.name) ++joint.coordinate;
    const std::string prefix = controller + "/" + joint.name;
    joint.references = make_interfaces<hardware_interface::CommandInterface>(prefix, kReferences);
    joint.setpoint.fill(kNotGiven);
    joint.exported = make_interfaces<hardware_interface::StateInterface>(prefix, kExported);
    joints_.push_back(std::move(joint));
  }
}

std::vector<std::string> JointInterfaces::command_names() const {
  std::vector<std::string> names;
  for (const CommandedJoint& joint : joints_) names.push_back(joint.name + "/effort");
  return names;
}

std::vector<std::string> JointInterfaces::state_names() const {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : coordinates_) {
    for (const char* const state : kStates) names.push_back(coordinate.name + "/" + state);
  }
  return names;
}

JointInterfaces::References JointInterfaces::references() const {
  References result;
  for (const CommandedJoint& joint : joints_) {
    result.insert(result.end(), joint.references.begin(), joint.references.end());
  }
  return result;
}

JointInterfaces::Exported JointInterfaces::exported() const {
  Exported result;
  for (const CommandedJoint& joint : joints_) {
    result.insert(result.end(), joint.exported.begin(), joint.exported.end());
  }
  return result;
}

std::string JointInterfaces::map(const States& states, const Commands& commands,
                                 CallerInput& input) {
  for (const auto& each : states) {
    if (each.get_data_type() == hardware_interface::HandleDataType::DOUBLE) continue;
    return "state interface '" + each.get_name() + "' has the data type '" +
           each.get_data_type().to_string() + "', but must have 'double'.";
  }
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    Coordinate& coordinate = coordinates_[k];
    coordinate.position = index_of(states, coordinate.name + "/position");
    coordinate.velocity = index_of(states, coordinate.name + "/velocity");
    coordinate.effort = index_of(states, coordinate.name + "/effort");
    if (coordinate.position == kNone) {
      input.hold(k, coordinate.held);
    } else {
      input.measure(k);
    }
  }
  for (CommandedJoint& joint : joints_) {
    joint.interface = index_of(commands, joint.name + "/effort");
    const bool unmeasured = coordinates_[joint.coordinate].position == kNone;
    if (joint.interface != kNone && !unmeasured) continue;
    return "joint '" + joint.name + "' has no " +
           (joint.interface == kNone ? "command interface 'effort'"
                                     : "state interface 'position'") +
           "; add it to the <ros2_control> tag of the robot description, or list other joints in "
           "the parameter 'joints'.";
  }
  return {};
}

std::vector<JointInterfaces::Note> JointInterfaces::missing() const {
  std::vector<Note> notes;
  for (const Coordinate& coordinate : coordinates_) {
    const std::string joint = "joint '" + coordinate.name + "' ";
    if (coordinate.position == kNone) {
      notes.push_back({false, joint + "has no state interface 'position': it counts as held at " +
                                  std::to_string(coordinate.held) + " (parameter held_position)."});
    } else if (coordinate.velocity == kNone) {
      notes.push_back({true, joint + "has no state interface 'velocity': the parameter "
                                     "missing_velocity decides."});
    }
  }
  return notes;
}

void JointInterfaces::read_states(const States& states, CallerInput& input) const noexcept {
  const auto value = [&states](std::size_t i) {
    return i < states.size() ? states[i].get_optional().value_or(kNotGiven) : kNotGiven;
  };
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const Coordinate& coordinate = coordinates_[k];
    input.set_reading(
        k, {value(coordinate.position), value(coordinate.velocity), value(coordinate.effort)});
  }
}

void JointInterfaces::read_references(std::int64_t now, CallerInput& input) noexcept {
  for (CommandedJoint& joint : joints_) {
    std::array<double, 4>& setpoint = joint.setpoint;
    for (std::size_t i = 0; i < setpoint.size(); ++i) {
      setpoint[i] = joint.references[i]->get_optional().value_or(setpoint[i]);
    }
    input.set_reference(joint.coordinate, now,
                        {0.0, setpoint[0], setpoint[1], setpoint[2], setpoint[3]});
  }
}

void JointInterfaces::clear_references() {
  for (CommandedJoint& joint : joints_) {
    for (const auto& reference : joint.references) (void)reference->set_value(kNotGiven);
    joint.setpoint.fill(kNotGiven);
  }
}

bool JointInterfaces::write(const ControlOutput* output, Commands& commands) {
  const bool sends = output != nullptr && output->send_drive;
  bool written = true;
  for (CommandedJoint& joint : joints_) {
    joint.last = sends ? output->drive(joint.v) : 0.0;
    written = joint.interface < commands.size() &&
              commands[joint.interface].set_value(joint.last) && written;
  }
  return written;
}

const std::string* JointInterfaces::write_zero(Commands& commands) const {
  const std::string* failed = nullptr;
  for (const CommandedJoint& joint : joints_) {
    const bool written =
        joint.interface < commands.size() && commands[joint.interface].set_value(0.0);
    if (!written && failed == nullptr) failed = &joint.name;
  }
  return failed;
}

void JointInterfaces::write_last(Commands& commands) const {
  for (const CommandedJoint& joint : joints_) {
    if (joint.interface < commands.size()) (void)commands[joint.interface].set_value(joint.last);
  }
}

void JointInterfaces::export_states(const ControlOutput* output) const {
  for (const CommandedJoint& joint : joints_) {
    std::array<double, kExported.size()> values{kNotGiven, kNotGiven, kNotGiven};
    if (output != nullptr && output->send_terms) values[0] = output->terms.gravity(joint.v);
    if (output != nullptr && output->send_external_torque) {
      values[1] = output->external_torque(joint.v);
    }
    if (output != nullptr && output->send_acceleration) values[2] = output->acceleration(joint.v);
    for (std::size_t i = 0; i < values.size(); ++i) (void)joint.exported[i]->set_value(values[i]);
  }
}

}  // namespace spatial_dynamics_ros2_control
