// Distinguishes states that a joint can have reached from states that it can't.
#pragma once

#include <cstdint>

namespace spatial_dynamics {

/// One measured sample of a joint.
struct JointSample {
  double position = 0.0;      ///< rad or m
  double velocity = 0.0;      ///< rad/s or m/s
  bool has_velocity = false;  ///< false: the message carries none
  std::int64_t received = 0;  ///< steady clock, ns
  /// By stamps: ns since the last accepted sample; 0 if unknown.
  std::int64_t stamped_gap = 0;
};

/// Checks the samples of one joint against its velocity limit. A sample is a jump if
///  - its position differs from the last accepted one by more than factor * velocity limit *
///    elapsed time + 1e-3 rad or m, or
///  - its velocity exceeds factor * velocity limit, and that of the last accepted sample did not.
/// The elapsed time is the longer one of arrivals and stamps, at least 10 ms, and at least the
/// previous gap (up to 100 ms), because delayed messages arrive in bursts. Five jumps in a row that
/// are consistent with each other by the same bounds are a real change of state. Real-time safe.
class JumpFilter {
 public:
  enum class Verdict {
    kGood,      ///< follows from the last accepted sample, or is the first
    kJump,      ///< to be dropped
    kRealJump,  ///< the fifth in a row: to be accepted; filters restart
  };
  static constexpr int kConsistentJumps = 5;

  JumpFilter() = default;
  /// `velocity_limit` <= 0 or infinite: nothing is a jump. `wraps`: positions that differ by a
  /// whole turn are the same.
  JumpFilter(double velocity_limit, bool wraps) noexcept;

  /// Checks the next sample. The caller must pass accepted samples to accept().
  Verdict judge(const JointSample& sample, double factor) noexcept;
  void accept(const JointSample& sample) noexcept;
  /// The largest velocity that is not a jump; infinite where nothing is.
  [[nodiscard]] double velocity_bound(double factor) const noexcept;
  /// Continues with the samples that another filter of the same joint has seen; limit and wrapping
  /// stay.
  void continue_from(const JumpFilter& other) noexcept;
  /// The next sample is the first.
  void restart() noexcept { known_ = false; }

 private:
  struct Seen {
    double position = 0.0;
    bool fast = false;  // above the bound of the velocity
    std::int64_t received = 0;
  };
  [[nodiscard]] bool follows(const Seen& before, const Seen& next, double seconds,
                             double factor) const noexcept;

  double velocity_limit_ = 0.0;
  bool wraps_ = false;
  bool known_ = false;
  Seen accepted_;
  std::int64_t gap_ = 0;  // between the last two accepted samples, ns
  bool judged_fast_ = false;
  Seen jump_;      // the last sample that was not accepted
  int jumps_ = 0;  // in a row, consistent with each other
};

}  // namespace spatial_dynamics
