// The interfaces of ros2_control that a torque controller reads, commands and exports.
#pragma once

#include <array>
#include <cstdint>
#include <hardware_interface/handle.hpp>
#include <hardware_interface/loaned_command_interface.hpp>
#include <hardware_interface/loaned_state_interface.hpp>
#include <string>
#include <vector>

#include "runtime/caller_input.hpp"
#include "spatial_dynamics/control/control_output.hpp"
#include "spatial_dynamics/control/control_settings.hpp"

namespace spatial_dynamics_ros2_control {

/// Maps interfaces to coordinates of the model. Construction and the functions that return strings
/// allocate; everything else is real-time safe, and only tries the locks of handles.
class JointInterfaces {
 public:
  using References = std::vector<hardware_interface::CommandInterface::SharedPtr>;
  using Exported = std::vector<hardware_interface::StateInterface::SharedPtr>;
  using States = std::vector<hardware_interface::LoanedStateInterface>;
  using Commands = std::vector<hardware_interface::LoanedCommandInterface>;

  JointInterfaces() = default;
  /// Commands `settings.command_joints`. `held` are the positions of coordinates without a state
  /// interface. References and exported states begin with the name of the controller.
  JointInterfaces(const std::string& controller, const spatial_dynamics::Coordinates& coordinates,
                  const spatial_dynamics::JointSettings& settings, std::vector<double> held);

  [[nodiscard]] std::vector<std::string> command_names() const;
  [[nodiscard]] std::vector<std::string> state_names() const;
  /// `position`, `velocity`, `acceleration` and `effort` of each commanded joint.
  [[nodiscard]] References references() const;
  /// `gravity_torque`, `external_torque` and `acceleration` of each commanded joint.
  [[nodiscard]] Exported exported() const;

  /// Finds the interfaces that the controller manager has lent, and sets which coordinates of the
  /// input are measured and which are held. Returns what is wrong; empty if nothing is.
  std::string map(const States& states, const Commands& commands,
                  spatial_dynamics::CallerInput& input);
  struct Note {
    bool warning = false;
    std::string text;
  };
  /// One for each joint that the last map() found without a position or velocity.
  [[nodiscard]] std::vector<Note> missing() const;

  void read_states(const States& states, spatial_dynamics::CallerInput& input) const noexcept;
  /// A reference whose lock another thread holds keeps its last value.
  void read_references(std::int64_t now, spatial_dynamics::CallerInput& input) noexcept;
  /// References are NaN, which means not given.
  void clear_references();
  /// Writes the torques of the output, or zero if it has none. False if an interface could not be
  /// written.
  bool write(const spatial_dynamics::ControlOutput* output, Commands& commands);
  /// Writes zero, and keeps the torques for write_last(). Returns the first joint that could not be
  /// written; null if all were.
  const std::string* write_zero(Commands& commands) const;
  void write_last(Commands& commands) const;
  /// NaN for what the output does not have.
  void export_states(const spatial_dynamics::ControlOutput* output) const;

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Coordinate {
    std::string name;
    double held = 0.0;
    // Indices of state interfaces.
    std::size_t position = kNone, velocity = kNone, effort = kNone;
  };
  struct CommandedJoint {
    std::string name;
    std::size_t coordinate = 0;
    Eigen::Index v = 0;             // index in nv numbers
    std::size_t interface = kNone;  // of the command interface
    double last = 0.0;              // the last torque
    References references;
    std::array<double, 4> setpoint{};  // the last value of each reference
    Exported exported;
  };

  std::vector<Coordinate> coordinates_;
  std::vector<CommandedJoint> joints_;
};

}  // namespace spatial_dynamics_ros2_control
