// Where the coordinates shall be now: references sampled at the loop's rate.
#pragma once

#include <cmath>
#include <vector>

#include "spatial_dynamics/runtime/coordinates.hpp"
#include "spatial_dynamics/runtime/inputs.hpp"

namespace spatial_dynamics {

inline constexpr double kTurn = 2.0 * M_PI;  ///< rad

/// What is asked of one coordinate at one moment.
struct ReferenceSample {
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
  double effort = 0.0;        ///< feed-forward
  bool has_position = false;  ///< false: only an acceleration or an effort is asked for
  bool timed_out = false;     ///< there was a reference, and it is too old
  /// 1: a reference is followed; 0: a position is held for want of one; between: one that timed out is fading.
  double follows_reference = 0.0;
};

/// A point between two knots: a quintic where accelerations are known, a cubic where velocities, else a straight line.
/// Real-time safe.
ReferenceSample interpolate(const Knot& from, const Knot& to, bool has_velocity,
                            bool has_acceleration, double time_s) noexcept;

/// Follows references coordinate by coordinate. Before the first one, and after a timeout, it holds a position.
/// Construction allocates; everything else is real-time safe.
class ReferenceTracker {
 public:
  explicit ReferenceTracker(const std::vector<ScalarCoordinate>& coordinates);

  /// Holds q from now on and forgets every reference that has come so far, those of the future too: when states come back after
  /// an outage, during which the robot may have moved anywhere.
  void restart(const References& references, VectorIn q) noexcept;
  /// Likewise, but what came in at `since` (steady clock) or later is still to be followed: at activation. A trajectory without
  /// a stamp of its own then starts at the next update().
  void restart_since(std::int64_t since, const References& references, VectorIn q) noexcept;

  /// Takes up what is new. A trajectory goes on from the reference at work: without one from the position that is held, or from
  /// (q, v) if nothing `holds` the robot there. One that is under way by then is joined within ramp_s, so that neither position nor
  /// velocity steps; one of the future leaves the present reference at work until then; one that is over by the time it could be taken up is left out. A setpoint that times out leaves its
  /// position held, and fades within ramp_s from all else that it asked for.
  void update(std::int64_t now, double timeout_s, double ramp_s, const References& references,
              VectorIn q, VectorIn v, bool holds) noexcept;
  /// Takes up nothing more: the position at work is held, and all else fades within ramp_s.
  void come_to_rest(std::int64_t now, double ramp_s) noexcept;

  /// Coordinates that follow no reference hold q from now on.
  void hold_rest(VectorIn q) noexcept;
  /// Goes on with what a tracker of the same coordinates followed.
  void continue_from(const ReferenceTracker& other) noexcept;

  /// The reference of scalar coordinate k, as of the last update().
  [[nodiscard]] const ReferenceSample& operator[](std::size_t k) const noexcept {
    return samples_[k];
  }
  /// True if some coordinate's reference has timed out and no new one has come.
  [[nodiscard]] bool timed_out() const noexcept;

 private:
  struct Course {
    std::uint64_t generation = 0;  // the reference followed, or the last one forgotten
    bool active = false;
    bool timed_out = false;
    double left = 0.0;           // share of `last` that has not faded yet
    ReferenceSample last;        // before it ended
    bool waited = false;         // no update() since the restart
    std::int64_t time_zero = 0;  // of the knots, steady clock
    Knot start;  // of the way to a first knot that was still ahead when the trajectory was taken up
    Knot
        offset;  // else: where it was taken up, seen from the trajectory itself; fades within fade_s
    double fade_s = 0.0;
    double turns = 0.0;       // whole turns added to a continuous joint's knots
    std::size_t segment = 0;  // the knot ahead
    double hold = 0.0;        // position held while not active
  };
  void take_up(std::size_t k, const JointReference& reference, std::int64_t now, double ramp_s,
               const Knot& measured, bool holds) noexcept;
  ReferenceSample sample_trajectory(std::size_t k, const JointReference& reference,
                                    double time_s) noexcept;
  [[nodiscard]] Knot present(std::size_t k, std::int64_t now, const Knot& measured,
                             bool holds) const noexcept;
  /// How much of a ramp has passed since the last update; all of it without a ramp.
  [[nodiscard]] double share_of_ramp(std::int64_t now, double ramp_s) const noexcept;
  static void end(Course& course, const ReferenceSample& last, double ramp_s) noexcept;
  [[nodiscard]] static ReferenceSample standing(const Course& course) noexcept;

  std::vector<ScalarCoordinate> coordinates_;
  std::vector<Course> courses_;
  std::vector<ReferenceSample> samples_;
  std::int64_t updated_ = 0;  // steady clock of samples_
};

}  // namespace spatial_dynamics
