// Elements of SVG text.
#pragma once

#include <string>

namespace spatial_dynamics::cli {

/// A coordinate in pixels, with one decimal.
std::string pixel(double value);

/// Appends a text whose left end of the baseline is at x, y; the characters that XML reserves are
/// escaped. Allocates, as all functions here.
void add_text(std::string& svg, double x, double y, const std::string& text,
              const char* attributes = "");

void add_line(std::string& svg, double x1, double y1, double x2, double y2,
              const std::string& attributes);

}  // namespace spatial_dynamics::cli
