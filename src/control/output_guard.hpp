// The last check before a torque is sent: finite, within the effort limits, within the rate limits.
#pragma once

#include <cstdint>
#include <vector>

#include "ramp.hpp"
#include "spatial_dynamics/control/control_output.hpp"
#include "spatial_dynamics/control/control_settings.hpp"

namespace spatial_dynamics {

/// Crossfades to the desired torque and limits the result. Construction allocates; everything else
/// is real-time safe.
class OutputGuard {
 public:
  explicit OutputGuard(Index nv);

  /// Conditions of a cycle.
  struct Cycle {
    double dt_s;
    double share;     ///< progress of the crossfade in this cycle
    bool ramps_down;  ///< not running: a decreasing torque is exempt from the default rate limit
    const VectorXd& velocity;  ///< nv numbers, measured; zero where states are stale
    /// nv flags: the envelope changed the last torque. The default rate limit does not apply to the
    /// next one, because it would continue a braking that has ended. Null: none.
    const std::vector<std::uint8_t>* braked = nullptr;
  };
  /// Computes the next torque to send. It is finite and within `effort_limit`. Its change is within
  /// `torque_rate_limit`, except that a lowered effort limit applies at once. Returns kSaturated
  /// and kRateLimited if a limit applied, and kNonFinite if the desired torque of a joint was not
  /// finite: that joint keeps its last torque.
  [[nodiscard]] Faults limit(const JointSettings& joints, const VectorXd& desired,
                             const Cycle& cycle) noexcept;

  [[nodiscard]] const VectorXd& sent() const noexcept { return sent_; }  ///< nv numbers
  /// The range that limits leave to sent() in this cycle. The default rate limit does not count.
  [[nodiscard]] const VectorXd& lowest() const noexcept { return lowest_; }
  [[nodiscard]] const VectorXd& highest() const noexcept { return highest_; }
  /// sent(), for a change within this range.
  [[nodiscard]] VectorXd& changeable() noexcept { return sent_; }
  [[nodiscard]] bool at_zero() const noexcept { return sent_.isZero(0.0); }

  /// Nothing has been sent: the last torque is zero.
  void reset() noexcept;
  /// The next torque is the first after activation: the default rate limit does not apply.
  void expect_first_torque(bool first) noexcept { first_torque_ = first; }
  /// Starts a crossfade from the last torque sent to the desired torque.
  void begin_crossfade() noexcept { crossfade_.begin(sent_); }
  /// The same from the last torque before it was limited. For a change of the model, because the
  /// part cut off by limits is not a difference between the models.
  void begin_crossfade_before_limits() noexcept { crossfade_.begin(before_limits_); }
  [[nodiscard]] Crossfade& crossfade() noexcept { return crossfade_; }
  [[nodiscard]] const Crossfade& crossfade() const noexcept { return crossfade_; }

 private:
  void note_limits(const JointSettings& joints) noexcept;
  [[nodiscard]] bool is_exempt_from_rate(const JointSettings& joints, Index k, double torque,
                                         const Cycle& cycle) const noexcept;

  VectorXd sent_;           // last torque sent
  VectorXd before_limits_;  // the same before it was limited
  VectorXd lowest_, highest_;
  Crossfade crossfade_;
  VectorXd effort_limit_, rate_limit_;         // of the last cycle
  std::vector<std::uint8_t> rate_is_default_;  // of the last cycle
  bool was_limited_ = false;                   // in the last cycle
  bool first_torque_ = false;
};

}  // namespace spatial_dynamics
