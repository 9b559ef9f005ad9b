// The node without threads and middleware, with a simulated clock.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "runtime/inbox.hpp"
#include "spatial_dynamics/control/torque_controller.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::test {

inline NumberView numbers(const std::vector<double>& v) { return {v.data(), v.size()}; }

/// Compensates gravity at 1 kHz, active from the start. All joints are at 0.3 unless a test moves
/// them.
class Bench {
 public:
  explicit Bench(const Model& model)
      : controller(model),
        inbox(model, controller.coordinates()),
        out(controller.make_output()),
        data_(model) {
    for (const ScalarCoordinate& c : controller.coordinates()) names.push_back(c.name);
    q.assign(names.size(), 0.3);
    v.assign(names.size(), 0.0);
    settings.config.gravity = model.gravity();
    settings.config.torque_mode = TorqueMode::kGravityCompensation;
    // 0.3 is beyond the elbow limit of the shipped arm, and states do not follow torques: rows 80
    // to 83 switch the envelope on.
    settings.config.envelope.enabled = false;
    resolve();
  }

  /// Call it after a change of settings.config.
  void resolve() {
    settings.joints = resolve_joint_settings(settings.config, controller.model());
    inbox.set_jump_factor(settings.config.state_jump_factor);
  }

  [[nodiscard]] JointStateView message() const {
    return {ros_now, {names.begin(), names.end()}, numbers(q), numbers(v), {}, 1};
  }
  RejectionReason send() { return send(message()); }
  RejectionReason send(const JointStateView& m) {
    return inbox.on_joint_states(m, now, ros_now, settings.config.missing_velocity);
  }
  /// Sends a setpoint for all joints.
  RejectionReason refer(const std::vector<double>& position) {
    return inbox.on_reference(
        {0, {names.begin(), names.end()}, {{numbers(position), {}, {}, {}, 0}}}, now, ros_now);
  }
  /// Runs one cycle without a new message.
  void step() {
    now += kMillisecond;
    ros_now += kMillisecond;
    inbox.update();
    controller.step(now, inbox.inputs(settings, active), out);
  }
  void silence(int milliseconds) {
    for (int i = 0; i < milliseconds; ++i) step();
  }
  /// Runs cycles with a new state each.
  void run(int milliseconds) {
    for (int i = 0; i < milliseconds; ++i) {
      (void)send();
      step();
    }
  }
  /// The gravity torque of the model at the joints' positions.
  const VectorXd& gravity() {
    return gravity_torque(controller.model(), data_,
                          Eigen::Map<const VectorXd>(q.data(), static_cast<Index>(q.size())));
  }
  [[nodiscard]] bool fault(Fault which) const { return has(out.faults, which); }

  TorqueController controller;
  Inbox inbox;
  Settings settings;
  ControlOutput out;
  std::vector<std::string> names;
  std::vector<double> q, v;
  bool active = true;
  std::int64_t now = 1000 * kSecond, ros_now = 5000 * kSecond;

 private:
  textbook::Data data_;
};

}  // namespace spatial_dynamics::test
