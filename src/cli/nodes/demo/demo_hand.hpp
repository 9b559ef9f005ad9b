// The demo's simulated hand: forces on the robot's last link.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "spatial_dynamics/control/control_settings.hpp"
#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics::cli {

/// hand_guiding: guides the arm for three seconds in one direction, until joints are at their
/// stops, releases it for a second, and continues in the next direction. joint_impedance: pushes
/// for half a second every two seconds.
class DemoHand {
 public:
  /// In modes that yield to a hand.
  static bool acts_in(TorqueMode mode) noexcept {
    return mode == TorqueMode::kHandGuiding || mode == TorqueMode::kJointImpedance;
  }
  /// None in other modes.
  static std::optional<DemoHand> of(TorqueMode mode, const Model& model) {
    if (!acts_in(mode)) return std::nullopt;
    return DemoHand(mode == TorqueMode::kHandGuiding, model.link(model.link_count() - 1).name);
  }

  [[nodiscard]] const std::string& link() const noexcept { return link_; }
  /// In the link's frame, N, at t seconds.
  [[nodiscard]] Vector3 force(double t) const noexcept {
    const double period_s = guides_ ? 4.0 : 2.0, lasts_s = guides_ ? 3.0 : 0.5;
    const double strongest = guides_ ? 20.0 : 10.0;
    const auto turn = static_cast<std::size_t>(t / period_s);
    const double within = t - period_s * static_cast<double>(turn);
    if (t < 0.0 || within >= lasts_s) return Vector3::Zero();
    // Grows and ends without a step.
    const double size = strongest * std::sin(M_PI * within / lasts_s);
    const std::array<Vector3, 3> axes{Vector3::UnitY(), Vector3::UnitX(), Vector3::UnitZ()};
    return (turn / axes.size() % 2 == 0 ? size : -size) * axes[turn % axes.size()];
  }

 private:
  DemoHand(bool guides, std::string link) : guides_(guides), link_(std::move(link)) {}

  bool guides_;
  std::string link_;
};

}  // namespace spatial_dynamics::cli
