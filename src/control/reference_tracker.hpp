// Samples references at the rate of the loop: the desired position, velocity and acceleration of
// every coordinate.
#pragma once

#include <cmath>
#include <vector>

#include "spatial_dynamics/control/control_input.hpp"
#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics {

inline constexpr double kTurn = 2.0 * M_PI;  ///< rad

/// The reference of one coordinate at one time.
struct ReferenceSample {
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
  double effort = 0.0;        ///< feed-forward
  bool has_position = false;  ///< false: only an acceleration or an effort is given
  bool timed_out = false;     ///< the last reference is too old
  /// 1: a reference is followed. 0: there is no reference, and a position is held. Between: a
  /// reference has timed out and ramps out.
  double follows_reference = 0.0;
};

/// Reference minus state of one coordinate; 0 if the reference has no position. Continuous joints
/// take the shorter direction. Real-time safe.
inline double position_error(const ScalarCoordinate& coordinate, const ReferenceSample& reference,
                             const VectorXd& q) noexcept {
  if (!reference.has_position) return 0.0;
  const double error = reference.position - q(coordinate.q);
  return coordinate.wraps ? std::remainder(error, kTurn) : error;
}

/// Interpolates between two knots: a quintic if accelerations are known, a cubic if only velocities
/// are, else a straight line. Real-time safe.
ReferenceSample interpolate(const Knot& from, const Knot& to, bool has_velocity,
                            bool has_acceleration, double time_s) noexcept;

/// Follows the reference of each coordinate. Before the first reference and after a timeout it
/// holds a position. Construction allocates; everything else is real-time safe.
class ReferenceTracker {
 public:
  explicit ReferenceTracker(const std::vector<ScalarCoordinate>& coordinates);

  /// Holds q from now on and discards every reference received so far, including those that start
  /// in the future. For states that return after an outage, because the robot may have moved
  /// meanwhile.
  void restart(const References& references, VectorIn q) noexcept;
  /// The same for activation: references received at `since` (steady clock) or later are kept. A
  /// trajectory without a stamp then starts at the next update().
  void restart_since(std::int64_t since, const References& references, VectorIn q) noexcept;

  /// Adopts new references and samples all of them at `now`.
  ///  - A trajectory continues from the active reference. Without one it continues from the held
  ///    position if `holds` is true, else from (q, v).
  ///  - A trajectory whose start has passed is joined within ramp_s, without a step of position or
  ///    velocity.
  ///  - A trajectory that starts in the future leaves the active reference in place until then.
  ///  - A trajectory that has already ended is ignored.
  ///  - A setpoint older than timeout_s ends: its position is held, and its velocity, acceleration
  ///    and effort ramp to zero within ramp_s.
  void update(std::int64_t now, double timeout_s, double ramp_s, const References& references,
              VectorIn q, VectorIn v, bool holds) noexcept;
  /// Adopts no new references: the reference's present position is held, and its velocity,
  /// acceleration and effort ramp to zero within ramp_s.
  void come_to_rest(std::int64_t now, double ramp_s) noexcept;

  /// Adopts no new references: every coordinate holds q (nq numbers) and moves with v (nv numbers).
  void follow(std::int64_t now, VectorIn q, VectorIn v) noexcept;

  /// Coordinates that follow no reference hold q from now on.
  void hold_rest(VectorIn q) noexcept;
  /// Continues the references of a tracker of the same coordinates.
  void continue_from(const ReferenceTracker& other) noexcept;

  /// The reference of scalar coordinate k, as of the last update().
  [[nodiscard]] const ReferenceSample& operator[](std::size_t k) const noexcept {
    return samples_[k];
  }
  /// Changes whenever coordinate k adopts a new reference, and at a restart.
  [[nodiscard]] std::uint64_t adoption(std::size_t k) const noexcept {
    return trajectories_[k].adoption;
  }
  /// True if any coordinate follows a reference, as of the last update().
  [[nodiscard]] bool follows() const noexcept;
  /// True if the reference of any coordinate has timed out and no new one has arrived.
  [[nodiscard]] bool timed_out() const noexcept;

 private:
  /// What one coordinate follows or holds.
  struct TrajectoryState {
    std::uint64_t generation = 0;  // of the last reference that was adopted or discarded
    std::uint64_t adoption = 0;    // see adoption()
    bool active = false;           // a reference is followed
    bool timed_out = false;
    double remaining = 0.0;      // share of `last` that has not ramped out yet
    ReferenceSample last;        // the last sample of the reference that ended
    bool restarted = false;      // there was no update() since the restart
    std::int64_t time_zero = 0;  // of the knots, steady clock
    Knot start;                  // where the trajectory was adopted, if its first knot was ahead
    Knot offset;                 // else: that point relative to the trajectory; decays in join_s
    double join_s = 0.0;
    double turns = 0.0;       // whole turns in rad, added to the knots of a continuous joint
    std::size_t segment = 0;  // index of the next knot
    double hold = 0.0;        // position held while not active
  };
  void adopt(std::size_t k, const JointReference& reference, std::int64_t now, double ramp_s,
             const Knot& measured, bool holds) noexcept;
  ReferenceSample sample_trajectory(std::size_t k, const JointReference& reference,
                                    double time_s) noexcept;
  [[nodiscard]] Knot present(std::size_t k, std::int64_t now, const Knot& measured,
                             bool holds) const noexcept;
  /// The share of a ramp that has passed since the last update; 1 without a ramp.
  [[nodiscard]] double share_of_ramp(std::int64_t now, double ramp_s) const noexcept;
  static void end(TrajectoryState& trajectory, const ReferenceSample& last, double ramp_s) noexcept;
  [[nodiscard]] static ReferenceSample held(const TrajectoryState& trajectory) noexcept;

  std::vector<ScalarCoordinate> coordinates_;
  std::vector<TrajectoryState> trajectories_;
  std::vector<ReferenceSample> samples_;
  std::uint64_t adoptions_ = 0;  // of all coordinates
  std::int64_t updated_ = 0;     // steady clock of samples_
};

}  // namespace spatial_dynamics
