// Notices when two publishers send one stream.
#pragma once

#include <cstdint>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {

/// A publisher that replaces another one is normal (a restart). Two changes of publisher within a
/// second are a dispute, which is reported until five seconds have passed without another one.
/// Times are of the steady clock, ns. Real-time safe.
class SourceWatch {
 public:
  /// A sample of this publisher arrived; 0: unknown. True if it is disputed.
  bool note(std::uint64_t source, std::int64_t now) noexcept {
    if (source == 0 || source == source_) return false;
    const bool dispute = source_ != 0 && now - since_ < kNanosecondsPerSecond;
    source_ = source;
    since_ = now;
    if (dispute) disputed_at_ = now;
    return dispute;
  }
  /// Whether two publishers alternate.
  [[nodiscard]] bool disputed(std::int64_t now) const noexcept {
    return disputed_at_ != 0 && now - disputed_at_ <= 5 * kNanosecondsPerSecond;
  }

 private:
  std::uint64_t source_ = 0;
  std::int64_t since_ = 0;        // when the publisher last changed
  std::int64_t disputed_at_ = 0;  // the last change that came too soon; 0: none
};

}  // namespace spatial_dynamics
