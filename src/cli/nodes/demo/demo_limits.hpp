// Joints at their stops and velocity caps, and the external torques: what limits the motion.
#pragma once

#include <string>

#include "cli/nodes/demo/demo_reading.hpp"

namespace spatial_dynamics::cli {

enum class JointLimit { kNone, kLowerStop, kUpperStop, kSpeedCap };

/// A joint within 5 mrad (or mm) of a soft stop, or beyond it, is at the stop. Another joint whose
/// speed is within 1 % of its velocity cap is at the cap.
JointLimit limit_of(const DemoSubject::JointInfo& info, const JointReading& joint) noexcept;
inline bool is_stop(JointLimit limit) noexcept {
  return limit == JointLimit::kLowerStop || limit == JointLimit::kUpperStop;
}

/// Whether the envelope limits any joint of the robot.
bool has_limits(const DemoSubject& subject);

/// "elbow at its upper stop -0.0898 rad, 0.02 rad before its limit", or "none".
std::string limits_text(const DemoSubject& subject, const DemoReading& reading);
/// The present external torque that is largest relative to its threshold: "-7.90 N m (elbow, 79 %
/// of its contact threshold)". Without thresholds the largest one.
std::string external_text(const DemoSubject& subject, const DemoReading& reading);

/// Lines of the summary: how long joints were at their stops, and the largest external torque.
std::string limits_summary(const DemoSubject& subject, const DemoReading& reading);

}  // namespace spatial_dynamics::cli
