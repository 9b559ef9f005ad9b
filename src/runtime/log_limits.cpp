#include "runtime/log_limits.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {

bool Allowance::take(std::int64_t now) noexcept {
  if (last_refill_ == 0) last_refill_ = now;
  const std::int64_t periods = (now - last_refill_) / period_;
  last_refill_ += periods * period_;
  left_ = static_cast<int>(std::min<std::int64_t>(at_once_, left_ + periods));
  if (left_ == 0) return false;
  --left_;
  return true;
}

std::string LineLimiter::pass(std::string_view line, std::int64_t now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!allowance_.take(now)) {
    ++left_out_;
    return {};
  }
  std::string text(line);
  if (left_out_ > 0) text += " (" + std::to_string(left_out_) + " lines before it were left out)";
  left_out_ = 0;
  return text;
}

void LimitedLog::write(LogLevel level, std::string_view line) {
  const std::string text = lines_.pass(line, steady_now_ns());
  if (!text.empty()) log_(level, text);
}

std::function<void(const QosMismatch&)> log_mismatches(LogFunction log) {
  return [lines = std::make_shared<LimitedLog>(std::move(log))](const QosMismatch& mismatch) {
    lines->write(LogLevel::kWarning, mismatch.sentence());
  };
}

bool ChangeFilter::worth_logging(const std::string& text, Phase phase, std::int64_t now) {
  if (text != current_) {
    current_ = text;
    since_ = now;
  }
  if (text == logged_) return false;
  for (auto entry = logged_at_.begin(); entry != logged_at_.end();) {
    entry = now - entry->second >= kNewAfter ? logged_at_.erase(entry) : std::next(entry);
  }
  const bool at_once = logged_at_.count(text) == 0 || (phase != logged_phase_ && phases_.take(now));
  if (!at_once && now - since_ < kLastsFor) return false;
  logged_ = text;
  logged_phase_ = phase;
  if (logged_at_.size() < kMostTexts) logged_at_[text] = now;
  return true;
}

}  // namespace spatial_dynamics
