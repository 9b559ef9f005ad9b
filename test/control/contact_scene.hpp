// An arm with noisy sensors and a wrong model that moves, and forces that push it.
#pragma once

#include <cmath>
#include <optional>

#include "spatial_dynamics/control/torque_controller.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"
#include "spatial_dynamics/simulation/smooth_reference.hpp"

namespace spatial_dynamics::test {

/// The same robot with links that are `share` heavier.
inline Model heavier(Model model, double share) {
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    const bool is_whole_body =
        link.body != 0 && link.placement.E.isIdentity(1e-12) && link.placement.r.isZero(1e-12);
    if (is_whole_body) model.set_payload(l, share * model.inertia(link.body));
  }
  return model;
}

/// computed_torque at 1 kHz along a SmoothReference. The robot is heavier than the model; positions
/// and velocities have the noise of an encoder with 20 bits.
class ContactScene {
 public:
  static constexpr double kPeriod_s = 1e-3;

  ContactScene(const Model& model, const ControlSettings& settings, double model_error,
               std::uint64_t seed)
      : simulator_(heavier(model, model_error), options(seed)),
        controller_(model, settings),
        motion_(model, simulator_.effort_limit()) {
    const std::vector<double> posture = middle_posture(model);
    VectorXd q = simulator_.q();
    for (std::size_t k = 0; k < posture.size(); ++k) {
      q(controller_.coordinates()[k].q) = posture[k];
    }
    simulator_.reset(q);
    motion_.begin(posture);
  }

  /// One cycle. `moves`: along the reference, else it holds.
  void step(bool moves = true) {
    now_ += 1'000'000;
    in_.set_state(now_, simulator_.measured().q, simulator_.measured().v);
    if (moves) {
      motion_.sample(time_s_, point_);
      in_.set_reference(now_, view(point_.position), view(point_.velocity),
                        view(point_.acceleration));
    }
    controller_.step(now_, in_, out_);
    finite_ = simulator_.step(kPeriod_s, out_.send_torque ? out_.torque : zero_) && finite_;
    time_s_ += kPeriod_s;
  }
  void run(double seconds, bool moves = true) {
    for (double t = 0.0; t < seconds - 1e-9; t += kPeriod_s) step(moves);
  }
  /// Pushes the last link, N in its frame; returns the time until a contact is detected, up to
  /// `longest_s`.
  std::optional<double> time_to_detection(const Vector3& force, double longest_s) {
    push(force);
    for (double t = kPeriod_s; t <= longest_s; t += kPeriod_s) {
      step();
      if (touched()) return t;
    }
    return std::nullopt;
  }
  void push(const Vector3& force) {
    simulator_.set_wrench(simulator_.model().link_count() - 1, Force(Vector3::Zero(), force));
  }
  void acknowledge() { ++in_.acknowledgement; }

  [[nodiscard]] bool touched() const { return has(out_.faults, Fault::kContact); }
  [[nodiscard]] bool finite() const noexcept { return finite_; }
  [[nodiscard]] Simulator& simulator() noexcept { return simulator_; }
  [[nodiscard]] TorqueController& controller() noexcept { return controller_; }
  [[nodiscard]] ControlInput& in() noexcept { return in_; }
  [[nodiscard]] const ControlOutput& out() const noexcept { return out_; }

 private:
  static SimulatorOptions options(std::uint64_t seed) {
    SimulatorOptions options;
    options.position_noise = 6e-6;
    options.velocity_noise = 6e-3;
    options.seed = seed;
    return options;
  }
  static Eigen::Map<const VectorXd> view(const std::vector<double>& numbers) {
    return {numbers.data(), static_cast<Index>(numbers.size())};
  }

  Simulator simulator_;
  TorqueController controller_;
  SmoothReference motion_;
  MotionPoint point_;
  ControlInput in_ = controller_.make_input();
  ControlOutput out_ = controller_.make_output();
  VectorXd zero_ = VectorXd::Zero(simulator_.model().nv());
  std::int64_t now_ = 1'000'000'000;
  double time_s_ = 0.0;
  bool finite_ = true;
};

}  // namespace spatial_dynamics::test
