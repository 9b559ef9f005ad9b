// Curves over time as a picture.
#pragma once

#include <string>
#include <vector>

#include "history.hpp"

namespace spatial_dynamics::cli {

/// One curve: a column of a history. Dashed ones take their colours from the start again, so that they match the solid ones.
struct Curve {
  std::size_t column = 0;
  std::string name;
  bool dashed = false;
};

/// One above the other, with a common axis of time.
struct Panel {
  std::string title;  ///< with the unit
  std::vector<Curve> curves;
};

/// A picture as SVG text. Curves of many points are thinned so that peaks stay. Allocates.
std::string to_svg(const std::string& title, const History& history,
                   const std::vector<Panel>& panels);

/// Marks for an axis from `low` to `high`: four to ten round numbers (1, 2 or 5 times a power of ten apart) within it.
std::vector<double> axis_marks(double low, double high);

/// Why a picture can't be written to a file of this name; empty if it can.
std::string plot_file_complaint(const std::string& file);

}  // namespace spatial_dynamics::cli
