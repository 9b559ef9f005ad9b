#include "spatial_dynamics/runtime/change_teller.hpp"

namespace spatial_dynamics {

bool ChangeTeller::worth_telling(const std::string& text, std::int64_t now) {
  if (text != current_) {
    current_ = text;
    since_ = now;
  }
  if (text == told_) return false;
  for (auto entry = told_at_.begin(); entry != told_at_.end();) {
    entry = now - entry->second >= kNewsAfter ? told_at_.erase(entry) : std::next(entry);
  }
  const bool news = told_at_.count(text) == 0;
  if (!news && now - since_ < kLastsFor) return false;
  told_ = text;
  if (told_at_.size() < kMostRemembered) told_at_[text] = now;
  return true;
}

}  // namespace spatial_dynamics
