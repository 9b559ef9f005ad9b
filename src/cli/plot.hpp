// Curves over time as a picture.
#pragma once

#include <string>
#include <vector>

#include "history.hpp"

namespace spatial_dynamics::cli {

/// One curve: a column of a history. Dashed ones are thin and black. Curves of the same name share a line of the legend.
struct Curve {
  std::size_t column = 0;
  std::string name;
  bool dashed = false;
};

/// One above the other, with a common axis of time.
struct Panel {
  std::string title;  ///< with the unit
  std::vector<Curve> curves;
  double least_span = 0.0;  ///< what its axis shows at least, so that rounding looks like nothing
};

/// A picture as SVG text. Curves of many points are thinned so that peaks stay. `x_title` is what a history's "time" is, if it
/// is something else. Allocates.
std::string to_svg(const std::string& title, const History& history,
                   const std::vector<Panel>& panels, const std::string& x_title = "time, s");

/// Marks for an axis from `low` to `high`: four to ten round numbers (1, 2 or 5 times a power of ten apart) within it.
std::vector<double> axis_marks(double low, double high);

}  // namespace spatial_dynamics::cli
