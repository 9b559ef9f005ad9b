// The node as the controller's fuzz target has it: robots that take turns, without threads, by a
// made-up clock.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/robots.hpp"
#include "runtime/inbox.hpp"
#include "spatial_dynamics/control/torque_controller.hpp"

namespace spatial_dynamics::fuzz {

/// Per-joint parameters, one number for all joints; 0: the URDF's limit, or no limit of the rate. A
/// rate below 0 is the default.
struct JointNumbers {
  double kp = 0.0, kd = 0.0, effort_limit = 0.0, torque_rate_limit = 0.0;
  bool drive = true;
  double following_error_limit = 0.0;
  bool locked = false;             // by hand_guiding
  double contact_threshold = 0.0;  // 0: contacts are not detected
};

/// A robot with all that is sized for it. To build one takes longer than to play a sequence, so
/// that it is used again.
class Rig {
 public:
  explicit Rig(const Model& model)
      : controller(model), out(with_mass_matrix(controller)), blank_(model), blank_out_(out) {
    for (const ScalarCoordinate& c : controller.coordinates()) names.push_back(c.name);
    plain_ = resolve_joint_settings(Config{}, model);
    settings.joints = plain_;
    for (Index l = 0; l < model.link_count(); ++l) {
      forgotten_wrenches_.links.push_back({l, Force::Zero(), -1'000'000'000});  // nobody pushes
    }
    forgotten_states_.resets = 1;
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  /// As if it had just been built, with an inbox that is. What continue_from() leaves alone is what
  /// a robot brings along itself: a step without anything resets payloads, wrenches and the
  /// observer.
  void renew(const Config& config, const JointNumbers& joints) {
    inbox.emplace(blank_.model(), blank_.coordinates());
    set(config, joints);
    controller.continue_from(blank_);
    const ControlView nothing = inbox->inputs(settings, false);
    controller.step(0,
                    {settings.config, settings.joints, settings.config.gravity, forgotten_states_,
                     nothing.references, nothing.effort_command, forgotten_wrenches_,
                     nothing.payloads, nothing.gravity, false},
                    out);
    controller.continue_from(blank_);
    out = blank_out_;
  }
  /// What resolve_joint_settings() makes of one number for all joints, without taking memory.
  void set(const Config& config, const JointNumbers& joints) {
    settings.config = config;
    settings.joints.drive_rejection = joints.drive ? "" : "fuzzed";
    for (const ScalarCoordinate& c : controller.coordinates()) {
      settings.joints.kp(c.v) = joints.kp;
      settings.joints.kd(c.v) = joints.kd;
      settings.joints.stiffness(c.v) = joints.kp;
      settings.joints.damping(c.v) = joints.kd;
      settings.joints.locked(c.v) = joints.locked ? 1.0 : 0.0;
      settings.joints.contact_threshold(c.v) =
          joints.contact_threshold > 0.0 ? joints.contact_threshold : kUnlimited;
      settings.joints.effort_limit(c.v) =
          joints.effort_limit > 0.0 ? joints.effort_limit : plain_.effort_limit(c.v);
      const bool is_default = joints.torque_rate_limit < 0.0;
      const double rate = is_default ? kDefaultTorqueRate * settings.joints.effort_limit(c.v)
                                     : joints.torque_rate_limit;
      settings.joints.torque_rate_limit(c.v) = rate > 0.0 ? rate : kUnlimited;
      settings.joints.rate_is_default[static_cast<std::size_t>(c.v)] = is_default ? 1 : 0;
      settings.joints.following_error_limit(c.v) =
          joints.following_error_limit > 0.0 ? joints.following_error_limit : kUnlimited;
    }
    if (inbox) inbox->set_jump_factor(config.state_jump_factor);
  }

  TorqueController controller;
  std::optional<Inbox> inbox;
  Settings settings;
  ControlOutput out;
  std::vector<std::string> names;

 private:
  static ControlOutput with_mass_matrix(const TorqueController& controller) {
    ControlOutput out = controller.make_output();
    out.mass_matrix = MatrixXd::Zero(controller.model().nv(), controller.model().nv());
    return out;
  }

  const TorqueController blank_;
  const ControlOutput blank_out_;
  JointSettings plain_;
  JointStates forgotten_states_ = controller.make_input().states;
  Wrenches forgotten_wrenches_;
};

/// Exchanges robots as DynamicsCore does: one with the same coordinates replaces the old one at the
/// next step, another one when the torque was zero; both receive messages and parameters meanwhile.
class Rigs {
 public:
  static constexpr std::size_t kKinds = 3;

  explicit Rigs(bool floating_base) {
    LoadOptions options;
    options.floating_base = floating_base;
    const std::array<const char*, kKinds> urdfs{kFinger, kThumb, kStick};
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const Model model = load_urdf(urdfs[kind], options);
      for (auto& rig : rigs_[kind]) rig = std::make_unique<Rig>(model);
    }
    expect(rigs_[0][0]->controller.coordinates().same_as(rigs_[1][0]->controller.coordinates()),
           "a thumb is like a finger");
    expect(!rigs_[0][0]->controller.coordinates().same_as(rigs_[2][0]->controller.coordinates()),
           "a stick is not");
  }

  /// A sequence begins, with a finger.
  void begin(const Config& config, const JointNumbers& joints) {
    current_ = newest_ = rigs_[0][0].get();
    current_->renew(config, joints);
  }
  /// A new description has come.
  void set_robot(std::size_t kind, const Config& config, const JointNumbers& joints) {
    Rig* next = nullptr;
    for (const auto& rig : rigs_[kind]) {
      if (rig.get() != current_ && rig.get() != newest_) next = rig.get();
    }
    next->renew(config, joints);
    // What the newest knows, if it has these joints; else, if that one has not begun yet, what the
    // present one knows.
    for (const Rig* before : {newest_, current_}) {
      if (!next->controller.coordinates().same_as(before->controller.coordinates())) continue;
      next->inbox->copy_from(*before->inbox);
      break;
    }
    newest_ = next;
  }
  /// Before a step. True if another robot came in.
  bool adopt() {
    if (newest_ == current_) return false;
    const Phase phase = current_->controller.phase();
    const bool silent =
        phase == Phase::kInactive || phase == Phase::kWaiting || phase == Phase::kStopped;
    const bool same = newest_->controller.coordinates().same_as(current_->controller.coordinates());
    if (!silent && !same) return false;
    newest_->controller.continue_from(current_->controller);
    current_ = newest_;
    return true;
  }
  /// A robot with other joints waits for the torque to be zero.
  [[nodiscard]] bool leaving() const noexcept { return newest_ != current_; }
  [[nodiscard]] Rig& current() noexcept { return *current_; }
  [[nodiscard]] Rig& newest() noexcept { return *newest_; }
  /// Calls `serve` for the robot that steps and for the robot that waits to replace it.
  template <typename Serve>
  void for_each(const Serve& serve) {
    serve(*current_);
    if (newest_ != current_) serve(*newest_);
  }

 private:
  std::array<std::array<std::unique_ptr<Rig>, 3>, kKinds> rigs_;  // three of each may be about
  Rig* current_ = nullptr;                                        // steps
  Rig* newest_ = nullptr;  // current_, or waits to replace it
};

}  // namespace spatial_dynamics::fuzz
