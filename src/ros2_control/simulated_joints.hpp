// The joints of a simulated robot as ros2_control commands and reads them.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <hardware_interface/handle.hpp>
#include <hardware_interface/hardware_info.hpp>
#include <memory>
#include <string>
#include <vector>

#include "runtime/simulated_robot.hpp"

namespace spatial_dynamics_ros2_control {

/// Joints of a <ros2_control> tag, with their handles. A joint is braked until the first command
/// after a controller has claimed it. Construction and functions with strings allocate; everything
/// else is real-time safe, and only tries the locks of handles.
class SimulatedJoints {
 public:
  using Names = std::vector<std::string>;

  SimulatedJoints() = default;
  /// Throws ModelError that names a joint or interface that can't be simulated.
  SimulatedJoints(const std::vector<hardware_interface::ComponentInfo>& tag,
                  const spatial_dynamics::SimulatedRobot& robot);

  using FindCommand =
      std::function<hardware_interface::CommandInterface::SharedPtr(const std::string&)>;
  /// Null if there is no such state interface.
  using FindState =
      std::function<hardware_interface::StateInterface::SharedPtr(const std::string&)>;
  /// Once the interfaces exist.
  void connect(const FindCommand& find_command, const FindState& find_state);

  /// The joint that would have both an effort and a position or velocity after this switch; empty
  /// if there is none.
  [[nodiscard]] std::string conflict(const Names& start, const Names& stop) const;
  void switch_claims(const Names& start, const Names& stop);

  /// The brakes of claimed joints stay on until the next command.
  void await_commands() noexcept;
  /// All joints are as before their first command.
  void brake() noexcept;
  /// Sets the drives of the robot from the commands. If `brake_unclaimed` is false, a joint that
  /// had a command and is not claimed any more has an effort of zero.
  void drive(spatial_dynamics::SimulatedRobot& robot, bool brake_unclaimed);
  void publish_states(const spatial_dynamics::SimulatedRobot& robot) const;

  /// The first name that is not that of a joint; empty if all are. An empty name is no name.
  [[nodiscard]] std::string unknown(const Names& names) const;
  /// The states of these joints are NaN from now on. From any thread.
  void set_nan(const Names& names);

 private:
  struct Command {
    std::string name;  // "elbow/effort"
    spatial_dynamics::Drive drive = spatial_dynamics::Drive::kEffort;
    hardware_interface::CommandInterface::SharedPtr handle;
    std::atomic<bool> claimed{false};
  };
  enum class Quantity { kPosition, kVelocity, kAcceleration, kEffort };
  struct State {
    std::size_t joint = 0;  // in joints_
    Quantity quantity = Quantity::kPosition;
    hardware_interface::StateInterface::SharedPtr handle;
  };
  struct Joint {
    std::string name;
    std::size_t coordinate = 0;  // scalar; a mimic joint has its leader's
    bool mimics = false;
    double ratio = 1.0, offset = 0.0;  // of a mimic joint
    std::vector<std::unique_ptr<Command>> commands;
    std::atomic<bool> awaits_command{true};  // since the last claim
    bool released = false;                   // has had a command
    std::atomic<bool> nan{false};
  };

  void add_joint(const hardware_interface::ComponentInfo& info,
                 const spatial_dynamics::SimulatedRobot& robot);
  [[nodiscard]] Command* find_command(const std::string& name) const;
  /// The interface whose command moves the joint now; null if none is claimed.
  [[nodiscard]] static Command* active_command(const Joint& joint) noexcept;
  static void drive(Joint& joint, spatial_dynamics::SimulatedRobot& robot, bool brake_unclaimed);
  [[nodiscard]] double value_of(const State& state,
                                const spatial_dynamics::SimulatedRobot& robot) const noexcept;

  std::vector<std::unique_ptr<Joint>> joints_;  // in the order of the tag
  std::vector<State> states_;
};

}  // namespace spatial_dynamics_ros2_control
