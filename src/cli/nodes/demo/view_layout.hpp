// The columns of the live view.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cli/nodes/demo/demo_reading.hpp"
#include "cli/nodes/demo/text_cells.hpp"

namespace spatial_dynamics::cli {

/// The columns that fit, and the widths of the two variable ones.
struct ViewLayout {
  static constexpr std::size_t kNumber = 10, kAcceleration = 14, kTorque = 10, kLimit = 7,
                               kExternal = 10, kError = 14;
  std::size_t name = 0, bar = 0;
  bool acceleration = true, velocity = true, external = true, error = true;

  /// `columns` is the width of the screen. Where it is too small, the acceleration is left out
  /// first, then the velocity, the error and the external torque.
  static ViewLayout fit(const DemoSubject& subject, bool external_known, std::size_t columns) {
    constexpr std::size_t kShortestBar = 11, kLongestBar = 61;
    ViewLayout layout;
    layout.external = external_known;
    for (const auto& joint : subject.joints) layout.name = std::max(layout.name, cells(joint.name));
    layout.name = std::clamp<std::size_t>(layout.name, 5, 28);
    const auto too_wide = [&] { return layout.fixed() + kShortestBar > columns; };
    for (bool ViewLayout::*column : {&ViewLayout::acceleration, &ViewLayout::velocity,
                                     &ViewLayout::error, &ViewLayout::external}) {
      if (too_wide()) layout.*column = false;
    }
    if (too_wide()) layout.name = std::min<std::size_t>(layout.name, 12);
    layout.bar = too_wide() ? kShortestBar : columns - layout.fixed() - 1;
    layout.bar = std::clamp(layout.bar, kShortestBar, kLongestBar);
    if (layout.bar % 2 == 0) --layout.bar;  // zero is in the middle
    return layout;
  }

 private:
  /// Width of everything but the bar.
  [[nodiscard]] std::size_t fixed() const noexcept {
    return 1 + name + kNumber + (velocity ? kNumber : 0) + (acceleration ? kAcceleration : 0) +
           kTorque + 2 + kLimit + (external ? kExternal : 0) + (error ? kError : 0);
  }
};

}  // namespace spatial_dynamics::cli
