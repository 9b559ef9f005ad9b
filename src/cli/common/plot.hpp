// Plots of curves over time.
#pragma once

#include <string>
#include <vector>

#include "support/history.hpp"

namespace spatial_dynamics::cli {

/// One curve: a column of a history. Dashed curves are thin and black. Curves with the same name
/// share one entry of the legend.
struct Curve {
  std::size_t column = 0;
  std::string name;
  bool dashed = false;
};

/// Panels are stacked and share the time axis.
struct Panel {
  std::string title;  ///< with the unit
  std::vector<Curve> curves;
  double least_span = 0.0;  ///< smallest range of the axis, so that rounding errors stay invisible
};

/// A plot as SVG text. Curves with many points are thinned, but keep their peaks. `x_title` names
/// the axis if the history's "time" is something else. Allocates.
std::string to_svg(const std::string& title, const History& history,
                   const std::vector<Panel>& panels, const std::string& x_title = "time, s");

/// Marks of an axis from `low` to `high`: four to ten round numbers, 1, 2 or 5 times a power of ten
/// apart.
std::vector<double> axis_marks(double low, double high);

}  // namespace spatial_dynamics::cli
