#include "simulation/tracked_motion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace spatial_dynamics {

TrackedMotion::TrackedMotion(std::size_t coordinates, std::optional<SmoothReference> reference)
    : reference_(std::move(reference)), start_(coordinates, 0.0), errors_(coordinates) {}

void TrackedMotion::begin(const std::vector<double>& present) {
  start_ = present;
  if (reference_) reference_->begin(present);
}

const std::vector<double>& TrackedMotion::measure(double t, const std::vector<double>& position) {
  if (reference_) reference_->sample(t, point_);
  const std::vector<double>& target = reference_ ? point_.position : start_;
  if (!(t > kSettlingSeconds)) return target;
  for (std::size_t k = 0; k < target.size(); ++k) {
    const double error = position[k] - target[k];
    errors_[k].squares += error * error;
    errors_[k].largest = std::max(errors_[k].largest, std::abs(error));
  }
  ++count_;
  return target;
}

double TrackedMotion::rms(std::size_t coordinate) const {
  const auto n = static_cast<double>(std::max<std::uint64_t>(count_, 1));
  return std::sqrt(errors_[coordinate].squares / n);
}

void TrackedMotion::reset_errors() {
  std::fill(errors_.begin(), errors_.end(), ErrorSum());
  count_ = 0;
}

}  // namespace spatial_dynamics
