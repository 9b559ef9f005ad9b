// Collects the rows of a parameter table.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/parameters.hpp"
#include "spatial_dynamics/control/control_settings.hpp"
#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

inline constexpr bool kLive = true;
inline constexpr bool kAtStart = false;

/// A range that is one only by name: large enough for every robot, small enough that sums and
/// products stay finite.
inline constexpr double kHuge = kHighestSetting;

/// Collects rows under the heading that was set last.
class ParameterRows {
 public:
  void group(const char* heading) { heading_ = heading; }

  void flag(const char* name, bool value, bool live, const char* help) {
    add(name, value, live, help);
  }
  void text(const char* name, const char* help) { add(name, std::string(), kAtStart, help); }
  void choice(const char* name, std::vector<std::string> choices, bool live, const char* help) {
    ParameterDescription& row = add(name, choices.front(), live, help);
    row.choices = std::move(choices);
  }
  void integer(const char* name, std::int64_t value, double lower, double upper, bool live,
               const char* help) {
    bound(add(name, value, live, help), lower, upper, "");
  }
  void number(const char* name, double value, double lower, double upper, const char* unit,
              bool live, const char* help) {
    bound(add(name, value, live, help), lower, upper, unit);
  }
  void numbers(const char* name, std::vector<double> value, double lower, double upper,
               const char* unit, bool live, const char* help) {
    bound(add(name, std::move(value), live, help), lower, upper, unit);
  }
  /// One number for all joints, or one per joint; each joint's also by its name.
  void per_joint(const char* name, std::vector<double> value, double lower, double upper,
                 const char* unit, bool live, const char* help) {
    numbers(name, std::move(value), lower, upper, unit, live, help);
    table_.back().per_joint = true;
  }
  void texts(const char* name, std::vector<std::string> choices, bool live, const char* help) {
    add(name, std::vector<std::string>(), live, help).choices = std::move(choices);
  }
  void gravity(bool live) {
    const Vector3& g = kStandardGravity;
    numbers("gravity", {g.x(), g.y(), g.z()}, -1000.0, 1000.0, "m/s^2", live,
            "Gravity, in the root link's frame for a fixed base, in the world frame for a floating "
            "base; rotate it for a robot on a wall or ceiling.");
    table_.back().length = 3;
  }

  ParameterTable take() { return std::move(table_); }

 private:
  ParameterDescription& add(const char* name, ParameterValue value, bool live, const char* help) {
    ParameterDescription row;
    row.group = heading_;
    row.name = name;
    row.default_value = std::move(value);
    row.help = help;
    row.live = live;
    table_.push_back(std::move(row));
    return table_.back();
  }
  static void bound(ParameterDescription& row, double lower, double upper, const char* unit) {
    row.lower = lower;
    row.upper = upper;
    row.unit = unit;
  }

  const char* heading_ = "";
  ParameterTable table_;
};

/// How the robot's description is read.
void add_model_rows(ParameterRows& rows, bool live_gravity);
/// The robot of a node: its description, and how it is read.
void add_robot_rows(ParameterRows& rows, bool live_gravity);

}  // namespace spatial_dynamics
