// Reacts to contact: latches it, and knows where the robot came from.
#pragma once

#include <cstdint>
#include <vector>

#include "spatial_dynamics/control/control_settings.hpp"

namespace spatial_dynamics {

/// The positions of the last kLengthSeconds of running, one every kStepSeconds. Construction
/// allocates; everything else is real-time safe.
class PathMemory {
 public:
  static constexpr double kStepSeconds = 0.01, kLengthSeconds = 0.3;

  explicit PathMemory(Index nq) : points_(kPoints, VectorXd::Zero(nq)) {}

  void clear() noexcept { count_ = 0; }
  /// One cycle of dt_s, at q.
  void record(const VectorXd& q, double dt_s) noexcept;
  /// How far back it reaches, s.
  [[nodiscard]] double length_s() const noexcept {
    return count_ == 0 ? 0.0 : static_cast<double>(count_ - 1) * kStepSeconds;
  }
  /// The position of coordinate c, and its velocity, `back_s` before the newest point.
  void look_back(const ScalarCoordinate& c, double back_s, double& q, double& v) const noexcept;

 private:
  static constexpr std::size_t kPoints = 31;  // kLengthSeconds / kStepSeconds + 1
  [[nodiscard]] const VectorXd& before(std::size_t steps) const noexcept {
    return points_[(newest_ + kPoints - steps) % kPoints];
  }

  std::vector<VectorXd> points_;  // a ring
  std::size_t newest_ = 0, count_ = 0;
  double since_newest_s_ = 0.0;
};

/// Compares the estimated external torque with thresholds. A contact is latched until it is
/// acknowledged or the controller is explicitly activated. Construction allocates; everything else
/// is real-time safe.
class ContactGuard {
 public:
  /// An external torque above its threshold for this long is a contact.
  static constexpr double kShortestSeconds = 0.005;
  /// The retreat goes back along the last PathMemory::kLengthSeconds of the path, in this time.
  static constexpr double kRetreatSeconds = 0.6;

  explicit ContactGuard(const Coordinates& coordinates);

  /// One running cycle without a contact: latches a contact with this reaction, if there is one.
  /// `threshold` and `external` have nv numbers. Returns true if a contact begins.
  [[nodiscard]] bool detect(ContactReaction reaction, const VectorXd& threshold,
                            const VectorXd& external, const VectorXd& q, double dt_s) noexcept;
  [[nodiscard]] bool latched() const noexcept { return latched_; }
  /// Of the contact that is latched.
  [[nodiscard]] ContactReaction reaction() const noexcept { return reaction_; }
  [[nodiscard]] bool latched(ContactReaction reaction) const noexcept {
    return latched_ && reaction_ == reaction;
  }
  /// The scalar coordinate whose threshold was exceeded most; -1: none.
  [[nodiscard]] Index joint() const noexcept { return joint_; }

  /// True if the contact was latched and this number acknowledges it: it is not that of the last
  /// call.
  [[nodiscard]] bool acknowledge(std::uint64_t number) noexcept;
  /// Ends a contact. Returns false if there was none.
  bool release() noexcept;
  /// The robot may have moved: from here on the contact holds q, and the path begins anew.
  void restart(const VectorXd& q) noexcept;
  /// Continues that of a controller for a robot with the same joints.
  void continue_from(const ContactGuard& other) noexcept;
  /// The contact of a controller for a robot with other joints stays latched.
  void continue_latched(const ContactGuard& other) noexcept;

  /// One cycle of a latched contact. Sets position() and velocity(), the reference that `hold` and
  /// `retreat` follow.
  void advance(double dt_s) noexcept;
  [[nodiscard]] const VectorXd& position() const noexcept { return position_; }  ///< nq numbers
  [[nodiscard]] const VectorXd& velocity() const noexcept { return velocity_; }  ///< nv numbers

 private:
  std::vector<ScalarCoordinate> coordinates_;
  PathMemory path_;
  double exceeded_s_ = 0.0;
  bool latched_ = false;
  ContactReaction reaction_ = ContactReaction::kNone;
  Index joint_ = -1;
  std::uint64_t acknowledgement_ = 0;  // the last one seen
  double retreat_s_ = 0.0;             // since the retreat began
  VectorXd position_, velocity_;
};

}  // namespace spatial_dynamics
