// Writes plots to files: SVG directly, PNG with rsvg-convert.
#pragma once

#include <string>

namespace spatial_dynamics::cli {

/// The type of a plot's file name in --help.
inline constexpr const char* kPlotFile = "FILE.svg|FILE.png";

/// Why a plot can't be written to a file of this name; empty if it can. Call it before the
/// computation.
std::string plot_file_problem(const std::string& file);

/// Writes a plot as .svg or .png, depending on the name. Throws std::runtime_error that names the
/// file.
void write_plot(const std::string& file, const std::string& svg);

}  // namespace spatial_dynamics::cli
