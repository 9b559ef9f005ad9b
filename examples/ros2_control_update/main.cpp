// A controller with the functions that ros2_control calls: on_configure() allocates, on_activate()
// starts, update() runs in the real-time loop. It compensates gravity, with the limits, ramps and
// watchdogs of the node.
//
// To make it a plug-in, derive from controller_interface::ControllerInterface, replace `Hardware`
// by the loaned state and command interfaces, and export the class with pluginlib.
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <optional>
#include <spatial_dynamics/simulation/simulator.hpp>
#include <spatial_dynamics/simulation/smooth_reference.hpp>
#include <spatial_dynamics/spatial_dynamics.hpp>

using namespace spatial_dynamics;

namespace {

/// What the controller manager lends: one number per joint. A hardware component without a state
/// shows NaN.
struct Hardware {
  VectorXd position, velocity, effort_command;
};

class GravityController {
 public:
  enum class Return { kOk, kError };

  /// Allocates; throws ModelError or std::invalid_argument.
  void on_configure(const Model& model) {
    ControlSettings settings;
    settings.torque_mode = TorqueMode::kGravityCompensation;
    controller_.emplace(model, settings);
    input_ = controller_->make_input();
    output_ = controller_->make_output();
    on_deactivate();
  }
  void on_activate() { input_.active = true; }
  void on_deactivate() { input_.active = false; }  // update() then ramps to zero

  /// Real-time safe.
  Return update(std::int64_t time_ns, Hardware& hardware) noexcept {
    const bool known = hardware.position.allFinite() && hardware.velocity.allFinite();
    if (known) input_.set_state(time_ns, hardware.position, hardware.velocity);
    controller_->step(time_ns, input_, output_);  // without new states the watchdog ramps to zero
    if (output_.send_torque) hardware.effort_command = output_.torque;
    return has(output_.faults, Fault::kNonFinite) ? Return::kError : Return::kOk;
  }
  [[nodiscard]] Phase phase() const noexcept { return output_.phase; }

 private:
  std::optional<TorqueController> controller_;
  ControlInput input_;
  ControlOutput output_;
};

}  // namespace

int main(int argc, char** argv) try {
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  GravityController controller;
  controller.on_configure(model);
  controller.on_activate();

  Simulator robot(model);
  const std::vector<double> middle = middle_posture(model);
  robot.reset(Eigen::Map<const VectorXd>(middle.data(), model.nq()));
  Hardware hardware{robot.q(), robot.v(), VectorXd::Zero(model.nv())};

  for (std::int64_t cycle = 1; cycle <= 3000; ++cycle) {  // the controller manager's loop
    if (cycle == 2500) controller.on_deactivate();
    const bool connected = cycle <= 1000 || cycle > 1500;  // the cable is out for half a second
    hardware.position = robot.q();
    hardware.velocity = robot.v();
    if (!connected) hardware.position.setConstant(std::numeric_limits<double>::quiet_NaN());
    if (controller.update(cycle * 1'000'000, hardware) != GravityController::Return::kOk) return 1;
    // Without a cable its brakes hold the robot.
    if (connected && !robot.step(1e-3, hardware.effort_command)) return 1;
    if (cycle % 500 == 0) {
      std::cout << std::fixed << std::setprecision(1) << 1e-3 * static_cast<double>(cycle) << " s  "
                << std::left << std::setw(12) << to_string(controller.phase()) << std::right
                << " largest torque " << std::setw(4)
                << hardware.effort_command.lpNorm<Eigen::Infinity>() << " N m\n";
    }
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
