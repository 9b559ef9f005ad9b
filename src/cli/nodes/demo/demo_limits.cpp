#include "cli/nodes/demo/demo_limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr double kAtStop = 5e-3;   // rad or m
constexpr double kAtLimit = 1e-3;  // rad or m
constexpr double kAtCap = 0.99;    // of the velocity cap

std::string with_two_decimals(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

/// "elbow at its upper stop -0.0898 rad, 0.02 rad before its limit".
std::string limit_text(const DemoSubject::JointInfo& info, const JointReading& joint,
                       JointLimit limit) {
  const std::string unit = info.is_length ? " m" : " rad";
  if (limit == JointLimit::kSpeedCap) {
    return info.name + " at its velocity cap " + rounded_text(info.velocity_cap) + unit + "/s";
  }
  const double sign = limit == JointLimit::kUpperStop ? 1.0 : -1.0;
  const double stop = sign > 0.0 ? info.soft_upper : info.soft_lower;
  const double hard = sign > 0.0 ? info.hard_upper : info.hard_lower;
  const double beyond = sign * (joint.position - stop);
  const bool pushed = beyond > kAtStop;  // by a force that the model does not know
  std::string text = info.name + (pushed ? " beyond its " : " at its ") +
                     (sign > 0.0 ? "upper" : "lower") + " stop " + rounded_text(stop) + unit;
  const double left = sign * (hard - (pushed ? joint.position : stop));
  if (left < kAtLimit) return hard == stop ? text : text + ", at its limit";
  return text + ", " + rounded_text(left, 2) + unit + " before its limit";
}

/// The joint whose `value` is largest relative to its contact threshold, or the largest value if no
/// joint has a threshold.
std::size_t most_pushed(const DemoSubject& subject, const DemoReading& reading,
                        double JointReading::*value) {
  const auto& joints = subject.joints;
  const bool thresholds = std::any_of(joints.begin(), joints.end(), [](const auto& joint) {
    return std::isfinite(joint.contact_threshold);
  });
  std::size_t found = 0;
  double largest = -1.0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const double share =
        std::abs(reading.joints[k].*value) / (thresholds ? joints[k].contact_threshold : 1.0);
    if (share <= largest) continue;
    largest = share;
    found = k;
  }
  return found;
}

/// "-7.90 N m (elbow, 79 % of its contact threshold)".
std::string push_text(const DemoSubject& subject, const DemoReading& reading,
                      double JointReading::*value) {
  const std::size_t k = most_pushed(subject, reading, value);
  const DemoSubject::JointInfo& info = subject.joints[k];
  const double push = reading.joints[k].*value;
  std::string text = with_two_decimals(push) + (info.is_length ? " N (" : " N m (") + info.name;
  if (std::isfinite(info.contact_threshold)) {
    char share[32];
    std::snprintf(share, sizeof share, ", %.0f %%",
                  100.0 * std::abs(push) / info.contact_threshold);
    text += std::string(share) + " of its contact threshold";
  }
  return text + ")";
}

}  // namespace

JointLimit limit_of(const DemoSubject::JointInfo& info, const JointReading& joint) noexcept {
  if (joint.position >= info.soft_upper - kAtStop) return JointLimit::kUpperStop;
  if (joint.position <= info.soft_lower + kAtStop) return JointLimit::kLowerStop;
  const bool fast = std::abs(joint.velocity) >= kAtCap * info.velocity_cap;
  return fast ? JointLimit::kSpeedCap : JointLimit::kNone;
}

bool has_limits(const DemoSubject& subject) {
  return std::any_of(subject.joints.begin(), subject.joints.end(), [](const auto& joint) {
    return std::isfinite(joint.soft_lower) || std::isfinite(joint.soft_upper) ||
           std::isfinite(joint.velocity_cap);
  });
}

std::string limits_text(const DemoSubject& subject, const DemoReading& reading) {
  std::string text;
  for (std::size_t k = 0; k < subject.joints.size(); ++k) {
    const JointLimit limit = limit_of(subject.joints[k], reading.joints[k]);
    if (limit == JointLimit::kNone) continue;
    text += (text.empty() ? "" : "; ") + limit_text(subject.joints[k], reading.joints[k], limit);
  }
  return text.empty() ? "none" : text;
}

std::string external_text(const DemoSubject& subject, const DemoReading& reading) {
  return push_text(subject, reading, &JointReading::external);
}

std::string limits_summary(const DemoSubject& subject, const DemoReading& reading) {
  const auto line = [](const char* title, const std::string& text) {
    char start[32];
    std::snprintf(start, sizeof start, "  %-16s ", title);
    return start + text + "\n";
  };
  std::string text;
  if (has_limits(subject)) {
    std::string stops;
    for (std::size_t k = 0; k < subject.joints.size(); ++k) {
      const double seconds = reading.joints[k].seconds_at_stop;
      if (seconds < 0.05) continue;
      stops += (stops.empty() ? "" : ", ") + subject.joints[k].name + " for " +
               rounded_text(std::round(10.0 * seconds) / 10.0) + " s";
    }
    text += line("at stops", stops.empty() ? "none" : stops);
  }
  if (reading.external_known) {
    text += line("external torque",
                 "up to " + push_text(subject, reading, &JointReading::external_max));
  }
  return text;
}

}  // namespace spatial_dynamics::cli
