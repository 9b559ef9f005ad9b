// The demo's view on a terminal: joints, torques as bars relative to their limits, timings, faults.
#pragma once

#include <string>
#include <vector>

#include "cli/nodes/demo/demo_reading.hpp"
#include "cli/nodes/demo/terminal.hpp"

namespace spatial_dynamics::cli {

struct ViewStyle {
  bool unicode = true;
  bool colours = true;
};
/// UTF-8 if the locale uses it; colours unless NO_COLOR is set.
ViewStyle style_from_environment();

/// A frame that overwrites the one before. It has as many rows as the screen, none wider than the
/// screen. If there is too little space, columns are left out first; then joints are shown in pages
/// that change every few seconds. `log` has the newest log lines of the processes.
std::string live_view(const DemoSubject& subject, const DemoReading& reading,
                      const std::vector<std::string>& log, const ScreenSize& size,
                      const ViewStyle& style);

}  // namespace spatial_dynamics::cli
