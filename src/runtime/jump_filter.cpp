#include "runtime/jump_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kResolution = 1e-3;                  // rad or m: of coarse encoders
constexpr std::int64_t kShortestGap = 10'000'000;     // ns: jitter of arrival
constexpr std::int64_t kLongestBefore = 100'000'000;  // ns

}  // namespace

JumpFilter::JumpFilter(double velocity_limit, bool wraps) noexcept
    : velocity_limit_(std::isfinite(velocity_limit) ? velocity_limit : 0.0), wraps_(wraps) {}

bool JumpFilter::follows(const Seen& before, const Seen& next, double seconds,
                         double factor) const noexcept {
  double moved = next.position - before.position;
  if (wraps_) moved = std::remainder(moved, 2.0 * M_PI);
  return std::abs(moved) <= factor * velocity_limit_ * seconds + kResolution &&
         (!next.fast || before.fast);
}

JumpFilter::Verdict JumpFilter::judge(const JointSample& sample, double factor) noexcept {
  judged_fast_ = false;
  if (!(velocity_limit_ > 0.0) || !(factor > 0.0)) return Verdict::kGood;
  const Seen next{sample.position,
                  sample.has_velocity && std::abs(sample.velocity) > factor * velocity_limit_,
                  sample.received};
  judged_fast_ = next.fast;
  const std::int64_t gap =
      std::max({known_ ? next.received - accepted_.received : 0, sample.stamped_gap,
                std::min(gap_, kLongestBefore), kShortestGap});
  const bool good = known_ ? follows(accepted_, next, to_seconds(gap), factor) : !next.fast;
  if (good) {
    jumps_ = 0;
    return Verdict::kGood;
  }
  const std::int64_t between = std::max(next.received - jump_.received, kShortestGap);
  const bool consistent =
      jumps_ > 0 && next.fast == jump_.fast && follows(jump_, next, to_seconds(between), factor);
  jumps_ = consistent ? jumps_ + 1 : 1;
  jump_ = next;
  return jumps_ < kConsistentJumps ? Verdict::kJump : Verdict::kRealJump;
}

double JumpFilter::velocity_bound(double factor) const noexcept {
  const bool filters = velocity_limit_ > 0.0 && factor > 0.0;
  return filters ? factor * velocity_limit_ : std::numeric_limits<double>::infinity();
}

void JumpFilter::continue_from(const JumpFilter& other) noexcept {
  const JumpFilter ours = *this;
  *this = other;
  velocity_limit_ = ours.velocity_limit_;
  wraps_ = ours.wraps_;
}

void JumpFilter::accept(const JointSample& sample) noexcept {
  gap_ = known_ ? std::max(sample.received - accepted_.received, sample.stamped_gap) : 0;
  accepted_ = {sample.position, judged_fast_, sample.received};
  known_ = true;
  jumps_ = 0;
}

}  // namespace spatial_dynamics
