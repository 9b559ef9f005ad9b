#include "cli/common/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "cli/common/svg.hpp"

namespace spatial_dynamics::cli {
namespace {

// Pixels.
constexpr double kLeft = 80.0;
constexpr double kRight = 640.0;  // the legend is to the right of it
constexpr double kLegendText = kRight + 44.0;
constexpr double kLetter = 7.2;  // wider than most letters
constexpr double kTop = 60.0;
constexpr double kPanelHeight = 200.0;
constexpr double kPanelGap = 50.0;
constexpr std::size_t kBuckets = 560;  // at most one per pixel; each shows its minimum and maximum
constexpr double kLegendLine = 15.0;
constexpr std::size_t kLegendLines = 13;  // per column

// Distinguishable with red-green colour blindness. Further curves repeat the colours with other
// strokes.
constexpr std::array<const char*, 8> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                              "#56b4e9", "#e69f00", "#5d3a9b", "#7f7f7f"};

constexpr std::array<const char*, 4> kStrokes{"", "2 2", "8 3", "8 3 2 3"};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

std::string mark_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value == 0.0 ? 0.0 : value);
  return text.data();
}

struct LegendLine {
  std::string name, style;
};

/// Converts numbers to pixels.
struct Axes {
  Range x, y;
  double top = 0.0;

  [[nodiscard]] double to_x(double value) const {
    return kLeft + (value - x.low) / (x.high - x.low) * (kRight - kLeft);
  }
  [[nodiscard]] double to_y(double value) const {
    return top + kPanelHeight - (value - y.low) / (y.high - y.low) * kPanelHeight;
  }
};

/// The range with a margin; never empty.
Range with_margin(Range range, double least_span = 0.0) {
  if (!(range.high >= range.low)) range = {0.0, 0.0};
  if (range.high - range.low < least_span) {
    const double middle = 0.5 * (range.low + range.high);
    range = {middle - 0.5 * least_span, middle + 0.5 * least_span};
  }
  const double scale = std::max(std::abs(range.low), std::abs(range.high));
  double margin = 0.05 * (range.high - range.low);
  // Rounding errors of a constant are not magnified.
  if (range.high - range.low <= 1e-12 * scale || scale == 0.0) {
    margin = scale == 0.0 ? 1.0 : 0.5 * scale;
  }
  return {range.low - margin, range.high + margin};
}

Range range_of(const History& history, const Panel& panel) {
  Range range;
  for (const Curve& curve : panel.curves) {
    for (std::size_t row = 0; row < history.rows(); ++row) {
      range.include(history.value(row, curve.column));
    }
  }
  return with_margin(range, panel.least_span);
}

/// Dashed curves are thin and black, so that they are visible on top of others.
std::string style_of(std::size_t number, bool dashed) {
  if (dashed) return "stroke=\"#000000\" stroke-width=\"0.8\" stroke-dasharray=\"6 4\"";
  std::string style = "stroke-width=\"1.6\" stroke=\"";
  style.append(kColours[number % kColours.size()]).append("\"");
  const std::size_t stroke = number / kColours.size() % kStrokes.size();
  if (stroke > 0) style.append(" stroke-dasharray=\"").append(kStrokes[stroke]).append("\"");
  return style;
}

void add_curve(std::string& svg, const History& history, const Axes& axes, const Curve& curve,
               const std::string& style) {
  svg += "<polyline fill=\"none\" " + style + " points=\"";
  const auto add_point = [&](std::size_t row) {
    svg += pixel(axes.to_x(history.time(row))) + "," +
           pixel(axes.to_y(history.value(row, curve.column))) + " ";
  };
  const std::size_t rows = history.rows();
  if (rows <= 2 * kBuckets) {
    for (std::size_t row = 0; row < rows; ++row) add_point(row);
  } else {
    for (std::size_t b = 0; b < kBuckets; ++b) {
      const std::size_t begin = b * rows / kBuckets;
      const std::size_t end = (b + 1) * rows / kBuckets;
      std::size_t least = begin;
      std::size_t greatest = begin;
      for (std::size_t row = begin; row < end; ++row) {
        const double y = history.value(row, curve.column);
        if (y < history.value(least, curve.column)) least = row;
        if (y > history.value(greatest, curve.column)) greatest = row;
      }
      add_point(std::min(least, greatest));
      if (least != greatest) add_point(std::max(least, greatest));
    }
  }
  svg += "\"/>\n";
}

/// `x_title` is empty except for the last panel.
void add_frame(std::string& svg, const Axes& axes, const Panel& panel, const std::string& x_title) {
  const double bottom = axes.top + kPanelHeight;
  add_text(svg, kLeft, axes.top - 8.0, panel.title, "font-weight=\"bold\"");
  for (const double mark : axis_marks(axes.y.low, axes.y.high)) {
    const double y = axes.to_y(mark);
    add_line(svg, kLeft, y, kRight, y, "stroke=\"#dddddd\"");
    add_text(svg, kLeft - 6.0, y + 4.0, mark_text(mark), "text-anchor=\"end\"");
  }
  for (const double mark : axis_marks(axes.x.low, axes.x.high)) {
    const double x = axes.to_x(mark);
    add_line(svg, x, axes.top, x, bottom, "stroke=\"#dddddd\"");
    add_text(svg, x, bottom + 16.0, mark_text(mark), "text-anchor=\"middle\"");
  }
  svg += "<rect fill=\"none\" stroke=\"#333333\" x=\"" + pixel(kLeft) + "\" y=\"" +
         pixel(axes.top) + "\" width=\"" + pixel(kRight - kLeft) + "\" height=\"" +
         pixel(kPanelHeight) + "\"/>\n";
  add_text(svg, 0.5 * (kLeft + kRight), bottom + 34.0, x_title, "text-anchor=\"middle\"");
}

/// Width of a column of the legend: fits the longest name.
double legend_column(const std::vector<std::string>& names) {
  std::size_t letters = 0;
  for (const std::string& name : names) letters = std::max(letters, name.size());
  return (kLegendText - kRight) + kLetter * static_cast<double>(letters);
}

/// The names of a panel's curves, each once.
std::vector<std::string> legend_names(const Panel& panel) {
  std::vector<std::string> names;
  for (const Curve& curve : panel.curves) {
    if (std::find(names.begin(), names.end(), curve.name) == names.end()) {
      names.push_back(curve.name);
    }
  }
  return names;
}

void add_legend(std::string& svg, double top, const Panel& panel,
                const std::vector<LegendLine>& lines) {
  const double width = legend_column(legend_names(panel));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t column = i / kLegendLines, row = i % kLegendLines;
    const double x = width * static_cast<double>(column);
    const double y = top + 10.0 + kLegendLine * static_cast<double>(row);
    add_line(svg, kRight + 14.0 + x, y - 4.0, kRight + 38.0 + x, y - 4.0, lines[i].style);
    add_text(svg, kLegendText + x, y, lines[i].name);
  }
}

void add_panel(std::string& svg, const History& history, const Axes& axes, const Panel& panel,
               const std::string& x_title) {
  add_frame(svg, axes, panel, x_title);
  std::size_t solid = 0;
  std::vector<LegendLine> legend;
  for (const Curve& curve : panel.curves) {
    const LegendLine line{curve.name, style_of(curve.dashed ? 0 : solid++, curve.dashed)};
    add_curve(svg, history, axes, curve, line.style);
    const auto is_same = [&line](const LegendLine& other) { return other.name == line.name; };
    if (std::none_of(legend.begin(), legend.end(), is_same)) legend.push_back(line);
  }
  add_legend(svg, axes.top, panel, legend);
}

/// Wide enough for the columns of the widest legend.
double plot_width(const std::vector<Panel>& panels) {
  double widest = (kLegendText - kRight) + kLetter * 22.0;
  for (const Panel& panel : panels) {
    const std::vector<std::string> names = legend_names(panel);
    const std::size_t columns = (names.size() + kLegendLines - 1) / kLegendLines;
    widest = std::max(widest, static_cast<double>(columns) * legend_column(names));
  }
  return kRight + widest + 16.0;
}

}  // namespace

std::vector<double> axis_marks(double low, double high) {
  const double widest = (high - low) / 4.0;
  if (!(widest > 0.0) || !std::isfinite(widest)) return {};
  const double power = std::pow(10.0, std::floor(std::log10(widest)));
  double step = power;
  for (const double factor : {2.0, 5.0}) {
    if (factor * power <= widest) step = factor * power;
  }
  std::vector<double> marks;
  const double first = std::ceil(low / step);
  for (int i = 0; (first + i) * step <= high && i < 20; ++i) {
    marks.push_back((first + i) * step);
  }
  return marks;
}

std::string to_svg(const std::string& title, const History& history,
                   const std::vector<Panel>& panels, const std::string& x_title) {
  const double height =
      kTop + static_cast<double>(panels.size()) * (kPanelHeight + kPanelGap) + 10.0;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
                    pixel(plot_width(panels)) + "\" height=\"" + pixel(height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  add_text(svg, kLeft, 24.0, title, "font-size=\"16\"");
  Axes axes;
  for (std::size_t row = 0; row < history.rows(); ++row) axes.x.include(history.time(row));
  if (!(axes.x.high > axes.x.low)) axes.x = with_margin(axes.x);
  axes.top = kTop;
  for (const Panel& panel : panels) {
    axes.y = range_of(history, panel);
    add_panel(svg, history, axes, panel, &panel == &panels.back() ? x_title : "");
    axes.top += kPanelHeight + kPanelGap;
  }
  return svg + "</svg>\n";
}

}  // namespace spatial_dynamics::cli
