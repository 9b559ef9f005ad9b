// The demo on a terminal: joints, torques as bars against their limits, timings, faults in words.
#pragma once

#include <string>
#include <vector>

#include "demo_reading.hpp"
#include "terminal.hpp"

namespace spatial_dynamics::cli {

struct ViewStyle {
  bool unicode = true;
  bool colours = true;
};
/// UTF-8 where the locale says so; colours unless NO_COLOR is set.
ViewStyle style_from_environment();

/// A frame that overwrites the one before: exactly as many rows as the screen has, none longer than it is wide. What does not
/// fit is left out: first columns, then joints, which take turns every few seconds. `log` is the newest lines of the children.
std::string live_view(const DemoSubject& subject, const DemoReading& reading,
                      const std::vector<std::string>& log, const ScreenSize& size,
                      const ViewStyle& style);

}  // namespace spatial_dynamics::cli
