// A motion that a robot is to follow, and how far the robot is from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "spatial_dynamics/simulation/smooth_reference.hpp"

namespace spatial_dynamics {

/// Times are seconds since begin(). Numbers per scalar coordinate, rad or m. Allocates.
class TrackedMotion {
 public:
  /// Errors are counted from this time on.
  static constexpr double kSettlingSeconds = 1.0;

  /// Without a reference, the target is the position at the start.
  TrackedMotion(std::size_t coordinates, std::optional<SmoothReference> reference);

  [[nodiscard]] bool has_reference() const noexcept { return reference_.has_value(); }
  /// Starts the motion, or starts it again, at this position. Errors that were counted stay.
  void begin(const std::vector<double>& present);

  /// Calls visit(i, ahead, point) for each knot of the piece to send at time t: the piece begins
  /// kPastSeconds before t, and knot i is `ahead` seconds after its begin. Needs a reference.
  template <typename Visit>
  void for_each_knot(double t, const Visit& visit) const {
    MotionPoint point;
    for (std::size_t i = 0; i < SmoothReference::kKnots; ++i) {
      const double ahead = static_cast<double>(i) * SmoothReference::kKnotSeconds;
      reference_->sample(t - SmoothReference::kPastSeconds + ahead, point);
      visit(i, ahead, point);
    }
  }

  /// Counts the errors of a position that was measured at time t. Returns the target at this time.
  const std::vector<double>& measure(double t, const std::vector<double>& position);

  /// Positions that were counted.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Root mean square and largest magnitude of one coordinate's error; 0 before the first one.
  [[nodiscard]] double rms(std::size_t coordinate) const;
  [[nodiscard]] double largest(std::size_t coordinate) const { return errors_[coordinate].largest; }
  void reset_errors();

 private:
  struct ErrorSum {
    double squares = 0.0, largest = 0.0;
  };

  std::optional<SmoothReference> reference_;
  std::vector<double> start_;
  MotionPoint point_;
  std::vector<ErrorSum> errors_;
  std::uint64_t count_ = 0;
};

}  // namespace spatial_dynamics
