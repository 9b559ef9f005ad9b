#include "report_text.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

using Cells = std::vector<std::string>;

std::string short_number(double value) { return rounded_text(value, 6); }

/// Units of a joint's quantities; empty for joints with several coordinates.
struct Units {
  std::string position, velocity, effort, damping, armature;
};

Units units_of(JointType type) {
  switch (type) {
    case JointType::kRevolute:
    case JointType::kContinuous:
      return {" rad", " rad/s", " N m", " N m s/rad", " kg m^2"};
    case JointType::kPrismatic:
      return {" m", " m/s", " N", " N s/m", " kg"};
    default:
      return {};
  }
}

std::string bound(double value, const std::string& unit) {
  return std::isfinite(value) ? short_number(value) + unit : "unlimited";
}

std::string range(const JointLimits& limits, const std::string& unit) {
  if (!std::isfinite(limits.lower) && !std::isfinite(limits.upper)) return "unlimited";
  const auto side = [](double x) { return std::isfinite(x) ? short_number(x) : "unlimited"; };
  return side(limits.lower) + " .. " + side(limits.upper) + unit;
}

/// Characters, not bytes: UTF-8's continuation bytes are 10xxxxxx.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void append_table(std::string& out, const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Cells& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += "  " + row[c] + std::string(widths[c] - width(row[c]), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
}

/// A column that is shown only if a joint has a value.
struct OptionalColumn {
  const char* title;
  double CoordinateEntry::*value;
  std::string Units::*unit;
};

std::vector<OptionalColumn> columns_with_values(const std::vector<CoordinateEntry>& joints) {
  std::vector<OptionalColumn> columns{{"damping", &CoordinateEntry::damping, &Units::damping},
                                      {"friction", &CoordinateEntry::friction, &Units::effort},
                                      {"armature", &CoordinateEntry::armature, &Units::armature}};
  const auto is_empty = [&joints](const OptionalColumn& column) {
    return std::all_of(joints.begin(), joints.end(),
                       [&](const CoordinateEntry& joint) { return joint.*column.value == 0.0; });
  };
  columns.erase(std::remove_if(columns.begin(), columns.end(), is_empty), columns.end());
  return columns;
}

void append_coordinates(std::string& out, const ModelReport& report) {
  const std::vector<OptionalColumn> columns = columns_with_values(report.joints);
  std::vector<Cells> rows{
      {"#", "joint", "type", "parent -> child", "position", "velocity", "effort"}};
  const bool has_weights =
      std::any_of(report.joints.begin(), report.joints.end(),
                  [](const CoordinateEntry& j) { return j.weight.has_value(); });
  if (has_weights) rows[0].emplace_back("own weight");
  for (const OptionalColumn& column : columns) rows[0].emplace_back(column.title);
  Index first = 0;
  for (const CoordinateEntry& joint : report.joints) {
    const Units units = units_of(joint.type);
    const Index last = first + velocity_count(joint.type) - 1;
    std::string number = std::to_string(first);
    if (last > first) number += "-" + std::to_string(last);
    Cells row{
        number,
        joint.name,
        to_string(joint.type),
        joint.parent + " -> " + joint.child,
        range(joint.limits, units.position),
        bound(joint.limits.velocity, units.velocity),
        joint.type == JointType::kFloating ? "no motor" : bound(joint.limits.effort, units.effort)};
    if (has_weights) row.push_back(joint.weight ? rounded_text(*joint.weight) + units.effort : "");
    for (const OptionalColumn& column : columns) {
      row.push_back(short_number(joint.*column.value) + units.*column.unit);
    }
    rows.push_back(std::move(row));
    first = last + 1;
  }
  out += "\nCoordinates (# is the index in v, a and tau):\n";
  append_table(out, rows);
}

void append_lumped(std::string& out, const ModelReport& report) {
  out += "\nLinks merged into another:\n";
  std::vector<Cells> rows;
  for (const LumpedLink& lumped : report.lumped) {
    rows.push_back({lumped.link, "part of " + lumped.into});
  }
  append_table(out, rows);
}

void append_mimic(std::string& out, const ModelReport& report) {
  out += "\nJoints that follow another:\n";
  for (const MimicEntry& mimic : report.mimic) {
    out += "  " + mimic.joint + " = " + short_number(mimic.ratio) + " * " + mimic.leader;
    if (mimic.offset != 0.0) {
      out += (mimic.offset < 0.0 ? " - " : " + ") + short_number(std::abs(mimic.offset));
    }
    out += '\n';
  }
}

void append_locked(std::string& out, const ModelReport& report) {
  out += "\nLocked joints:\n";
  for (const LockedJoint& locked : report.locked) {
    out += "  " + locked.joint + " at " + short_number(locked.value) + '\n';
  }
}

void append_findings(std::string& out, const ModelReport& report) {
  out += "\nFindings:\n";
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const Finding& finding = report.findings[i];
    out += std::string("  ") + to_string(finding.severity) + ", " + finding.element + ": " +
           finding.what + '\n';
    // Once for findings that have the same remedy.
    const bool is_last =
        i + 1 == report.findings.size() || report.findings[i + 1].remedy != finding.remedy;
    if (is_last) out += "    -> " + finding.remedy + '\n';
  }
}

}  // namespace

std::string report_text(const ModelReport& report) {
  std::string out = report.name + ": " + std::to_string(report.dof) +
                    (report.dof == 1 ? " degree" : " degrees") + " of freedom, " +
                    short_number(report.total_mass) + " kg\n";
  if (!report.joints.empty()) append_coordinates(out, report);
  if (!report.lumped.empty()) append_lumped(out, report);
  if (!report.mimic.empty()) append_mimic(out, report);
  if (!report.locked.empty()) append_locked(out, report);
  if (report.findings.empty()) {
    out += "\nNo problems found.\n";
  } else {
    append_findings(out, report);
  }
  return out;
}

}  // namespace spatial_dynamics
