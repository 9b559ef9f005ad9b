#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>

namespace spatial_dynamics::cli {
namespace {

// Pixels.
constexpr double kWidth = 860.0;
constexpr double kLeft = 80.0;
constexpr double kRight = 640.0;  // the legend stands behind it
constexpr double kTop = 60.0;
constexpr double kPanelHeight = 200.0;
constexpr double kPanelGap = 50.0;
constexpr std::size_t kBuckets = 560;  // no more than pixels: each shows its least and its greatest
constexpr std::size_t kLegendLines = 12;

// Told apart by those who see red and green alike, too.
constexpr std::array<const char*, 8> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                              "#56b4e9", "#e69f00", "#000000", "#7f7f7f"};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value == 0.0 ? 0.0 : value);
  return text.data();
}

std::string pixel(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void add_text(std::string& svg, double x, double y, const std::string& text,
              const char* attributes = "") {
  svg += "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" " + attributes + ">" + escaped(text) +
         "</text>\n";
}

void add_line(std::string& svg, double x1, double y1, double x2, double y2,
              const std::string& attributes) {
  svg += "<line x1=\"" + pixel(x1) + "\" y1=\"" + pixel(y1) + "\" x2=\"" + pixel(x2) + "\" y2=\"" +
         pixel(y2) + "\" " + attributes + "/>\n";
}

/// From numbers to pixels.
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

/// A range that has some height, and air above and below its curves.
Range with_air(Range range) {
  if (!(range.high >= range.low)) range = {0.0, 0.0};
  const double scale = std::max(std::abs(range.low), std::abs(range.high));
  double air = 0.05 * (range.high - range.low);
  // A line that is straight but for rounding is shown as straight.
  if (range.high - range.low <= 1e-12 * scale || scale == 0.0) {
    air = scale == 0.0 ? 1.0 : 0.5 * scale;
  }
  return {range.low - air, range.high + air};
}

Range range_of(const History& history, const Panel& panel) {
  Range range;
  for (const Curve& curve : panel.curves) {
    for (std::size_t row = 0; row < history.rows(); ++row) {
      range.include(history.value(row, curve.column));
    }
  }
  return with_air(range);
}

std::string style_of(const std::string& colour, bool dashed) {
  return "stroke=\"" + colour + "\"" + (dashed ? " stroke-dasharray=\"6 4\"" : "");
}

void add_curve(std::string& svg, const History& history, const Axes& axes, const Curve& curve,
               const std::string& style) {
  svg += "<polyline fill=\"none\" stroke-width=\"1.5\" " + style + " points=\"";
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

void add_frame(std::string& svg, const Axes& axes, const Panel& panel, bool last) {
  const double bottom = axes.top + kPanelHeight;
  add_text(svg, kLeft, axes.top - 8.0, panel.title, "font-weight=\"bold\"");
  for (const double mark : axis_marks(axes.y.low, axes.y.high)) {
    const double y = axes.to_y(mark);
    add_line(svg, kLeft, y, kRight, y, "stroke=\"#dddddd\"");
    add_text(svg, kLeft - 6.0, y + 4.0, number_text(mark), "text-anchor=\"end\"");
  }
  for (const double mark : axis_marks(axes.x.low, axes.x.high)) {
    const double x = axes.to_x(mark);
    add_line(svg, x, axes.top, x, bottom, "stroke=\"#dddddd\"");
    add_text(svg, x, bottom + 16.0, number_text(mark), "text-anchor=\"middle\"");
  }
  svg += "<rect fill=\"none\" stroke=\"#333333\" x=\"" + pixel(kLeft) + "\" y=\"" +
         pixel(axes.top) + "\" width=\"" + pixel(kRight - kLeft) + "\" height=\"" +
         pixel(kPanelHeight) + "\"/>\n";
  if (last)
    add_text(svg, 0.5 * (kLeft + kRight), bottom + 34.0, "time, s", "text-anchor=\"middle\"");
}

void add_panel(std::string& svg, const History& history, const Axes& axes, const Panel& panel,
               bool last) {
  add_frame(svg, axes, panel, last);
  std::size_t solid = 0;
  std::size_t dashed = 0;
  double line = axes.top + 10.0;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve& curve = panel.curves[i];
    const std::size_t number = curve.dashed ? dashed++ : solid++;
    const std::string style = style_of(kColours[number % kColours.size()], curve.dashed);
    add_curve(svg, history, axes, curve, style);
    if (i < kLegendLines) {
      add_line(svg, kRight + 14.0, line - 4.0, kRight + 38.0, line - 4.0,
               "stroke-width=\"2\" " + style);
      add_text(svg, kRight + 44.0, line, curve.name);
    } else if (i == kLegendLines) {
      add_text(svg, kRight + 44.0, line,
               "and " + std::to_string(panel.curves.size() - kLegendLines) + " more");
    }
    line += 15.0;
  }
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

std::string plot_file_complaint(const std::string& file) {
  constexpr std::string_view kEnding = ".svg";
  const bool ends_so = file.size() > kEnding.size() &&
                       file.compare(file.size() - kEnding.size(), kEnding.size(), kEnding) == 0;
  return ends_so ? "" : "the name of a picture must end in .svg";
}

std::string to_svg(const std::string& title, const History& history,
                   const std::vector<Panel>& panels) {
  const double height =
      kTop + static_cast<double>(panels.size()) * (kPanelHeight + kPanelGap) + 10.0;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + pixel(kWidth) +
                    "\" height=\"" + pixel(height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  add_text(svg, kLeft, 24.0, title, "font-size=\"16\"");
  Axes axes;
  for (std::size_t row = 0; row < history.rows(); ++row) axes.x.include(history.time(row));
  if (!(axes.x.high > axes.x.low)) axes.x = with_air(axes.x);
  axes.top = kTop;
  for (const Panel& panel : panels) {
    axes.y = range_of(history, panel);
    add_panel(svg, history, axes, panel, &panel == &panels.back());
    axes.top += kPanelHeight + kPanelGap;
  }
  return svg + "</svg>\n";
}

}  // namespace spatial_dynamics::cli
