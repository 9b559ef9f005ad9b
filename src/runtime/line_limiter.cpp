#include "spatial_dynamics/runtime/line_limiter.hpp"

#include <algorithm>

#include "spatial_dynamics/runtime/clock.hpp"

namespace spatial_dynamics {

std::string LineLimiter::pass(std::string_view line, std::int64_t now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (last_refill_ == 0) last_refill_ = now;
  const std::int64_t seconds = (now - last_refill_) / kNanosecondsPerSecond;
  last_refill_ += seconds * kNanosecondsPerSecond;
  allowance_ = static_cast<int>(std::min<std::int64_t>(kAtOnce, allowance_ + seconds));
  if (allowance_ == 0) {
    ++left_out_;
    return {};
  }
  --allowance_;
  std::string text(line);
  if (left_out_ > 0) text += " (" + std::to_string(left_out_) + " lines before it were left out)";
  left_out_ = 0;
  return text;
}

}  // namespace spatial_dynamics
