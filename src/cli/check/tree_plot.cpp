#include "cli/check/tree_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>
#include <vector>

#include "cli/common/svg.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

// Pixels.
constexpr double kRow = 26.0;
constexpr double kBox = 20.0;  // height
constexpr double kIndent = 26.0;
constexpr double kTreeLeft = 20.0;
constexpr double kTreeTop = 66.0;
constexpr double kCharacter = 7.0;  // wider than most letters

constexpr const char* kFaint = "fill=\"#555555\"";

/// Distinguishable with red-green colour blindness.
const char* colour_of(const Joint& joint) {
  if (joint.is_mimic()) return "#cc79a7";
  switch (joint.type) {
    case JointType::kPrismatic:
      return "#009e73";
    case JointType::kPlanar:
      return "#e69f00";
    case JointType::kFloating:
      return "#7f7f7f";
    case JointType::kContinuous:
      return "#56b4e9";
    default:
      return "#0072b2";
  }
}

struct Body {
  double x = kTreeLeft, y = kTreeTop;  // of the upper left corner of its box
  std::string text;                    // its links and its mass
  bool is_marked = false;              // a warning names it
};

double text_width(const std::string& text) { return kCharacter * static_cast<double>(text.size()); }

std::unordered_set<std::string> warned_elements(const ModelReport& report) {
  std::unordered_set<std::string> elements;
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::kWarning) elements.insert(finding.element);
  }
  return elements;
}

std::vector<Body> lay_out(const Model& model, const ModelReport& report) {
  const std::unordered_set<std::string> warned = warned_elements(report);
  std::vector<Body> bodies(to_size(model.body_count()));
  for (Index i = 1; i < model.body_count(); ++i) {
    Body& body = bodies[to_size(i)];
    body.x = bodies[to_size(model.parent(i))].x + kIndent;
    body.y = kTreeTop + kRow * static_cast<double>(i);
    body.is_marked = warned.count(joint_element(model.joint(i).name)) > 0;
  }
  std::vector<std::size_t> merged(bodies.size(), 0);
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    Body& body = bodies[to_size(link.body)];
    if (body.text.empty()) {
      body.text = link.name;
    } else {
      ++merged[to_size(link.body)];
    }
    if (warned.count(link_element(link.name)) > 0) body.is_marked = true;
  }
  for (Index i = 0; i < model.body_count(); ++i) {
    Body& body = bodies[to_size(i)];
    if (body.text.empty()) body.text = "world";
    if (merged[to_size(i)] > 0) body.text += " + " + count_text(merged[to_size(i)], "link");
    if (i > 0) body.text += ", " + rounded_text(model.inertia(i).mass) + " kg";
  }
  return bodies;
}

std::string joint_text(const Model& model, const Joint& joint) {
  std::string text = joint.name + ": " + to_string(joint.type);
  if (joint.is_mimic()) {
    return text + ", " + rounded_text(joint.ratio) + " * " + model.joint(joint.mimics).name;
  }
  if (joint.nv != 1) return text;
  const bool prismatic = joint.type == JointType::kPrismatic;
  const JointLimits& limits = joint.limits;
  if (std::isfinite(limits.upper - limits.lower)) {
    text += ", " + rounded_text(limits.lower) + " to " + rounded_text(limits.upper) +
            (prismatic ? " m" : " rad");
  }
  if (std::isfinite(limits.effort)) {
    text += ", " + rounded_text(limits.effort) + (prismatic ? " N" : " N m");
  }
  return text;
}

void add_legend(std::string& svg) {
  struct Entry {
    const char* name;
    JointType type;
    Index mimics;
  };
  constexpr std::array<Entry, 6> kEntries{{{"revolute", JointType::kRevolute, kNoIndex},
                                           {"continuous", JointType::kContinuous, kNoIndex},
                                           {"prismatic", JointType::kPrismatic, kNoIndex},
                                           {"planar", JointType::kPlanar, kNoIndex},
                                           {"floating", JointType::kFloating, kNoIndex},
                                           {"mimic", JointType::kRevolute, 1}}};
  double x = kTreeLeft;
  for (const Entry& entry : kEntries) {
    Joint joint;
    joint.type = entry.type;
    joint.mimics = entry.mimics;
    add_line(svg, x, 44.0, x + 20.0, 44.0,
             std::string("stroke-width=\"3\" stroke=\"") + colour_of(joint) + "\"");
    add_text(svg, x + 25.0, 48.0, entry.name, kFaint);
    x += 32.0 + text_width(entry.name);
  }
  svg += "<rect x=\"" + pixel(x + 4.0) +
         "\" y=\"37.0\" width=\"18\" height=\"14\" rx=\"3\" fill=\"#fbe3df\" "
         "stroke=\"#c0392b\"/>\n";
  add_text(svg, x + 28.0, 48.0, "has a warning", kFaint);
}

void add_body(std::string& svg, const Body& body) {
  svg += "<rect x=\"" + pixel(body.x) + "\" y=\"" + pixel(body.y) + "\" width=\"" +
         pixel(text_width(body.text) + 12.0) + "\" height=\"" + pixel(kBox) + "\" rx=\"3\" " +
         (body.is_marked ? R"(fill="#fbe3df" stroke="#c0392b")"
                         : R"(fill="#f2f2f2" stroke="#555555")") +
         "/>\n";
  add_text(svg, body.x + 6.0, body.y + 14.0, body.text);
}

}  // namespace

std::string tree_svg(const Model& model, const ModelReport& report) {
  const std::vector<Body> bodies = lay_out(model, report);
  double width = 640.0;
  for (Index i = 1; i < model.body_count(); ++i) {
    const Body& body = bodies[to_size(i)];
    width = std::max(width, body.x + text_width(body.text) +
                                text_width(joint_text(model, model.joint(i))) + 50.0);
  }
  const double height = kTreeTop + kRow * static_cast<double>(bodies.size()) + 14.0;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + pixel(width) +
                    "\" height=\"" + pixel(height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                    "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  add_text(svg, kTreeLeft, 24.0,
           report.name + ": " + std::to_string(report.dof) + " degrees of freedom, " +
               rounded_text(report.total_mass) + " kg",
           "font-size=\"16\"");
  add_legend(svg);
  for (Index i = 1; i < model.body_count(); ++i) {
    const Body& body = bodies[to_size(i)];
    const Body& parent = bodies[to_size(model.parent(i))];
    const std::string style =
        std::string("stroke-width=\"3\" stroke=\"") + colour_of(model.joint(i)) + "\"";
    const double x = parent.x + 0.5 * kIndent, y = body.y + 0.5 * kBox;
    add_line(svg, x, parent.y + kBox, x, y + 1.5, style);
    add_line(svg, x, y, body.x, y, style);
  }
  for (Index i = 0; i < model.body_count(); ++i) {
    const Body& body = bodies[to_size(i)];
    add_body(svg, body);
    if (i == 0) continue;
    add_text(svg, body.x + text_width(body.text) + 22.0, body.y + 14.0,
             joint_text(model, model.joint(i)), kFaint);
  }
  return svg + "</svg>\n";
}

}  // namespace spatial_dynamics::cli
