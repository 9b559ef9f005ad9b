// A controller with the shape that ros2_control asks for: on_configure() takes memory, on_activate() starts, update() runs in the
// real-time loop. Inside is the node's engine, with its modes, limits and fallbacks; here it compensates gravity.
//
// To make it a plugin: derive from controller_interface::ControllerInterface, let the loaned state and command interfaces take the
// place of `Hardware`, and export the class with pluginlib. update() stays as it is.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <limits>
#include <optional>
#include <spatial_dynamics/model/load_urdf.hpp>
#include <spatial_dynamics/runtime/engine.hpp>
#include <spatial_dynamics/runtime/simulator.hpp>
#include <spatial_dynamics/runtime/smooth_reference.hpp>

using namespace spatial_dynamics;

namespace {

/// What the controller manager lends: one number per joint. NaN is what a hardware component shows that has no state.
struct Hardware {
  std::vector<double> position, velocity, effort_command;
};

class DynamicsController {
 public:
  enum class Return { kOk, kError };

  /// Allocates; throws ModelError or ParameterError.
  void on_configure(const Model& model) {
    engine_.emplace(model);
    settings_.config.torque_mode = TorqueMode::kGravityCompensation;
    settings_.config.fallback = Fallback::kZero;
    settings_.joints = resolve_joint_settings(settings_.config, model);
    outputs_ = engine_->make_outputs();
    states_ = engine_->make_states();
    references_ = engine_->make_references();
    effort_command_ = engine_->make_effort_command();
  }
  void on_activate() { active_ = true; }
  void on_deactivate() { active_ = false; }  // update() then ramps to zero

  /// Real-time safe.
  Return update(std::int64_t time_ns, Hardware& hardware) noexcept {
    for (const ScalarCoordinate& c : engine_->coordinates()) {
      const auto k = static_cast<std::size_t>(&c - engine_->coordinates().data());
      if (!std::isfinite(hardware.position[k]) || !std::isfinite(hardware.velocity[k])) continue;
      states_.q(c.q) = hardware.position[k];
      states_.v(c.v) = hardware.velocity[k];
      states_.received[k] = states_.newest = time_ns;  // else it grows old, and the fallback comes
    }
    ++states_.sequence;
    engine_->step(
        time_ns,
        {settings_, states_, references_, effort_command_, wrenches_, payloads_, gravity_, active_},
        outputs_);
    if (!outputs_.send_torque) return Return::kOk;
    for (const ScalarCoordinate& c : engine_->coordinates()) {
      hardware.effort_command[static_cast<std::size_t>(&c - engine_->coordinates().data())] =
          outputs_.torque(c.v);
    }
    return has(outputs_.faults, Fault::kNonFinite) ? Return::kError : Return::kOk;
  }
  [[nodiscard]] Phase phase() const noexcept { return outputs_.phase; }

 private:
  std::optional<Engine> engine_;
  Settings settings_;
  EngineOutputs outputs_;
  JointStates states_;
  References references_;
  EffortCommand effort_command_;
  Wrenches wrenches_;
  Payloads payloads_;
  Gravity gravity_;
  bool active_ = false;
};

}  // namespace

int main(int argc, char** argv) try {
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  DynamicsController controller;
  controller.on_configure(model);
  controller.on_activate();

  Simulator robot(model);
  const std::vector<double> middle = middle_posture(model);
  robot.reset(Eigen::Map<const VectorXd>(middle.data(), model.nq()));
  const std::size_t n = middle.size();
  Hardware hardware{middle, std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  const Eigen::Map<const VectorXd> effort(hardware.effort_command.data(), model.nv());

  for (std::int64_t cycle = 1; cycle <= 3000; ++cycle) {  // the controller manager's loop
    if (cycle == 2500) controller.on_deactivate();
    const bool connected = cycle <= 1000 || cycle > 1500;  // the cable is out for half a second
    for (std::size_t i = 0; i < n; ++i) {
      const auto k = static_cast<Index>(i);
      hardware.position[i] = connected ? robot.q()(k) : std::numeric_limits<double>::quiet_NaN();
      hardware.velocity[i] = connected ? robot.v()(k) : std::numeric_limits<double>::quiet_NaN();
    }
    if (controller.update(cycle * 1'000'000, hardware) != DynamicsController::Return::kOk) return 1;
    // Without a cable its brakes hold the robot.
    if (connected && !robot.step(1e-3, effort)) return 1;
    if (cycle % 500 == 0) {
      std::cout << std::fixed << std::setprecision(1) << 1e-3 * static_cast<double>(cycle) << " s  "
                << std::left << std::setw(12) << to_string(controller.phase()) << std::right
                << " largest torque " << std::setw(4) << effort.lpNorm<Eigen::Infinity>()
                << " N m\n";
    }
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
