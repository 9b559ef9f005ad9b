#include "cli/common/svg.hpp"

#include <array>
#include <cstdio>

namespace spatial_dynamics::cli {
namespace {

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

}  // namespace

std::string pixel(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

void add_text(std::string& svg, double x, double y, const std::string& text,
              const char* attributes) {
  svg += "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" " + attributes + ">" + escaped(text) +
         "</text>\n";
}

void add_line(std::string& svg, double x1, double y1, double x2, double y2,
              const std::string& attributes) {
  svg += "<line x1=\"" + pixel(x1) + "\" y1=\"" + pixel(y1) + "\" x2=\"" + pixel(x2) + "\" y2=\"" +
         pixel(y2) + "\" " + attributes + "/>\n";
}

}  // namespace spatial_dynamics::cli
