#include "identification/played_motion.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace spatial_dynamics {
namespace {

constexpr double kSlowest = 0.1, kFastest = 0.5;  // rad/s or m/s, of the approach
constexpr double kShareOfSpeed = 0.5;             // of the motion's largest speed, in the approach
constexpr double kShortestApproach = 2.0;         // s
constexpr double kPause = 0.5;                    // s at the start of the motion
constexpr double kLeastAcceleration = 0.5;        // rad/s^2 or m/s^2, of the stop
constexpr double kShortestStop = 0.3, kLongestStop = 2.0;  // s
// Of a quintic from rest to rest, relative to the mean speed.
constexpr double kPeakSpeed = 1.875;

JointMotion of_points(const JointMotion& motion, std::vector<double> time) {
  JointMotion result;
  result.joints = motion.joints;
  result.time = std::move(time);
  for (MatrixXd* const m : {&result.position, &result.velocity, &result.acceleration}) {
    m->setZero(motion.position.rows(), result.size());
  }
  return result;
}

JointMotion approach_to(const JointMotion& motion, const VectorXd& present) {
  const VectorXd start = motion.position.col(0);
  double seconds = kShortestApproach;
  for (Index k = 0; k < start.size(); ++k) {
    const double speed = std::clamp(kShareOfSpeed * motion.velocity.row(k).cwiseAbs().maxCoeff(),
                                    kSlowest, kFastest);
    seconds = std::max(seconds, kPeakSpeed * std::abs(start[k] - present[k]) / speed);
  }
  JointMotion approach = of_points(motion, {0.0, seconds, seconds + kPause});
  approach.position.col(0) = present;
  approach.position.col(1) = approach.position.col(2) = start;
  approach.velocity.col(2) = motion.velocity.col(0);
  approach.acceleration.col(2) = motion.acceleration.col(0);
  return approach;
}

}  // namespace

PlayedMotion::PlayedMotion(JointMotion motion, const VectorXd& present)
    : motion_(std::move(motion)) {
  if (present.size() != motion_.position.rows()) {
    throw std::invalid_argument("PlayedMotion: present has " + std::to_string(present.size()) +
                                " numbers instead of " + std::to_string(motion_.position.rows()));
  }
  approach_ = approach_to(motion_, present);
}

double PlayedMotion::end_s() const noexcept {
  return stop_ ? stop_s_ + stop_->duration() : begin_s() + motion_.duration();
}

void PlayedMotion::sample(double t, VectorXd& position, VectorXd& velocity,
                          VectorXd& acceleration) const {
  if (stop_ && t >= stop_s_) {
    spatial_dynamics::sample(*stop_, t - stop_s_, position, velocity, acceleration);
  } else if (t < begin_s()) {
    spatial_dynamics::sample(approach_, t, position, velocity, acceleration);
  } else {
    spatial_dynamics::sample(motion_, t - begin_s(), position, velocity, acceleration);
  }
}

void PlayedMotion::stop(double t) {
  if (stop_) return;
  VectorXd q, v, a;
  sample(t, q, v, a);
  double seconds = kShortestStop;
  for (Index k = 0; k < v.size(); ++k) {
    const double most =
        std::max(kLeastAcceleration, motion_.acceleration.row(k).cwiseAbs().maxCoeff());
    seconds = std::max(seconds, std::abs(v[k]) / most);
  }
  seconds = std::min(seconds, kLongestStop);
  JointMotion stop = of_points(motion_, {0.0, seconds});
  stop.position.col(0) = q;
  stop.velocity.col(0) = v;
  stop.acceleration.col(0) = a;
  stop.position.col(1) = q + 0.5 * seconds * v;
  stop_ = std::move(stop);
  stop_s_ = t;
}

}  // namespace spatial_dynamics
