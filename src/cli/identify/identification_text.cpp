#include "cli/identify/identification_text.hpp"

#include <algorithm>
#include <cmath>

#include "cli/identify/payload_text.hpp"
#include "spatial_dynamics/identification/log_fit.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr double kLeastThresholdShare = 0.01;  // of the effort limit, that the node accepts
constexpr double kPoorCondition = 1000.0;

std::string percent(double part, double whole) {
  return whole > 0.0 ? rounded_text(100.0 * part / whole, 2) + " %" : "-";
}

std::string with_interval(double value, double deviation) {
  const FitInterval interval = interval_95(value, deviation);
  return rounded_text(interval.value) + " +- " + rounded_text(interval.half_width);
}

/// Columns of equal width; the first row holds the names.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(widths[i] - row[i].size(), ' ');
      text += i == 0 ? "  " + row[i] + space : "  " + space + row[i];
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string fit_text(const Identification& result) {
  const std::size_t determined = static_cast<std::size_t>(
      std::count_if(result.base.begin(), result.base.end(),
                    [](const BaseEstimate& estimate) { return estimate.determined; }));
  std::string text = "The log determines " + std::to_string(determined) + " combinations of " +
                     std::to_string(result.parameters.size()) + " parameters; condition number " +
                     rounded_text(result.condition, 3) + ".\n";
  if (result.condition > kPoorCondition) {
    text +=
        "Different parameters have almost the same effect in this motion: record one of "
        "`spatial_dynamics excite`.\n";
  }
  if (std::abs(result.lag_s) > 2.0 * result.lag_deviation_s) {
    text += "Efforts are " +
            with_interval(1e3 * std::abs(result.lag_s), 1e3 * result.lag_deviation_s) +
            (result.lag_s > 0.0 ? " ms behind" : " ms ahead of") +
            " the states; the fit compensates this.\n";
  }
  return text;
}

std::string errors_text(const Identification& result) {
  std::vector<std::vector<std::string>> rows{{"joint", "efforts", "error before", "", "after", ""}};
  for (const IdentifiedJoint& joint : result.joints) {
    if (!joint.has_effort) continue;
    const std::string unit = joint.is_length ? " N" : " N m";
    rows.push_back(
        {joint.name, rounded_text(joint.effort_rms, 3) + unit,
         rounded_text(joint.error_before, 3) + unit, percent(joint.error_before, joint.effort_rms),
         rounded_text(joint.error_after, 3) + unit, percent(joint.error_after, joint.effort_rms)});
  }
  return "Torque errors (rms) where the fit did not see the log:\n" + aligned(rows);
}

std::string values_text(const Identification& result) {
  std::vector<std::vector<std::string>> masses{{"link", "mass in the URDF", "identified, kg"}};
  for (const IdentifiedBody& body : result.bodies) {
    masses.push_back({body.link, rounded_text(body.before.mass), rounded_text(body.after.mass)});
  }
  std::vector<std::vector<std::string>> joints{
      {"joint", "damping", "friction", "rotor inertia", "effort offset"}};
  for (const IdentifiedJoint& joint : result.joints) {
    joints.push_back({joint.name, rounded_text(joint.damping, 3), rounded_text(joint.friction, 3),
                      rounded_text(joint.armature, 3), rounded_text(joint.offset, 3)});
  }
  std::string text = "Masses, with all links that are fixed to the link:\n" + aligned(masses) +
                     "\nJoints (SI units):\n" + aligned(joints);
  for (const IdentifiedJoint& joint : result.joints) {
    if (joint.gain != 1.0) {
      text += "  " + joint.name + ": " + rounded_text(joint.gain) +
              (joint.is_length ? " N" : " N m") + " per unit of the recorded effort\n";
    }
  }
  return text;
}

std::string undetermined_text(const Identification& result) {
  std::string names;
  std::size_t count = 0;
  for (const IdentifiedParameter& p : result.parameters) {
    if (p.determined) continue;
    names += (names.empty() ? "" : ", ") + p.parameter.name;
    ++count;
  }
  if (count == 0) return {};
  return "Not determined by this log, so that they stay near the URDF (" + std::to_string(count) +
         "): " + names + ".\n";
}

std::string intervals_text(const Identification& result) {
  std::string text = "Combinations that the log determines, with 95 % intervals (SI units):\n";
  for (const BaseEstimate& estimate : result.base) {
    text += "  " + estimate.name + ": " + rounded_text(estimate.in_model) + " in the URDF, " +
            (estimate.determined ? with_interval(estimate.value, estimate.deviation)
                                 : std::string("not determined")) +
            '\n';
  }
  return text;
}

std::string identification_parameters(const Model& model, const Identification& result,
                                      const IdentificationOptions& options) {
  std::string armature, thresholds, offsets;
  for (const IdentifiedJoint& joint : result.joints) {
    const char* const comma = armature.empty() ? "" : ", ";
    armature += comma + yaml_number(joint.armature);
    double limit = 0.0;
    for (const Index j : model.coordinate_joints()) {
      const Joint& candidate = model.joint(j);
      if (joint.coordinate >= candidate.v_index &&
          joint.coordinate < candidate.v_index + candidate.nv) {
        limit = candidate.limits.effort;
      }
    }
    const double least = std::isfinite(limit) ? kLeastThresholdShare * limit : 0.0;
    const double threshold =
        joint.has_effort ? std::max(joint.contact_threshold, 1.0001 * least) : 0.0;
    thresholds += comma + yaml_number(threshold);
    offsets += comma + rounded_text(joint.offset);
  }
  return "/**:\n  ros__parameters:\n    # Rotor inertias, kg m^2 or kg.\n    armature: [" +
         armature +
         "]\n    contact:\n      # External torques of free motion stay below these, except for " +
         rounded_text(options.false_alarms_per_hour) +
         "\n      # false alarms per hour in motions like those of the log.\n      threshold: [" +
         thresholds +
         "]  # N m or N\n    # Offsets of the measured efforts, N m or N, which the "
         "thresholds include: [" +
         offsets + "]\n";
}

}  // namespace spatial_dynamics::cli
