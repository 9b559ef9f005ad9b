// Messages as JSON lines, one function per type of the topic tables.
#pragma once

#include <string>

#include "dds/messages.hpp"

namespace spatial_dynamics::cli {

// Numbers that are not finite become null. Times are in seconds with nine decimals, vectors are
// [x, y, z] and orientations [x, y, z, w]. All functions allocate.

/// {"stamp":1.500000000,"effort":{"elbow":12}}: the numbers that the message contains, by joint
/// name.
[[nodiscard]] std::string json_line(const dds::JointState& message);
/// {"stamp":…,"points":[{"time_from_start":…,"position":{"elbow":0.5},…}]}.
[[nodiscard]] std::string json_line(const dds::JointTrajectory& message);
/// {"data":true}.
[[nodiscard]] std::string json_line(const dds::Bool& message);
/// {"data":"…"}.
[[nodiscard]] std::string json_line(const dds::String& message);
/// {"dimensions":[{"label":"…","size":2}],"data":[…]}.
[[nodiscard]] std::string json_line(const dds::Float64MultiArray& message);
/// {"stamp":…,"frame":"odom","child_frame":"base","position":[…],"orientation":[…],"linear":[…],
/// "angular":[…]}.
[[nodiscard]] std::string json_line(const dds::Odometry& message);
/// {"stamp":…,"frame":"base","linear":[…],"angular":[…]}.
[[nodiscard]] std::string json_line(const dds::AccelStamped& message);
/// {"stamp":…,"frame":"tool0","force":[…],"torque":[…]}.
[[nodiscard]] std::string json_line(const dds::WrenchStamped& message);
/// {"stamp":…,"frame":"tool0","mass":1.5,"center":[…],"inertia":{"ixx":…,…}}.
[[nodiscard]] std::string json_line(const dds::InertiaStamped& message);
/// {"stamp":…,"frame":"base","vector":[…]}.
[[nodiscard]] std::string json_line(const dds::Vector3Stamped& message);
/// {"stamp":…,"status":[{"level":"WARN","name":"…","message":"…","values":{"phase":"active"}}]}.
[[nodiscard]] std::string json_line(const dds::DiagnosticArray& message);
/// {"start":…,"stop":…,"source":"/dynamics","metric":"state_age","unit":"ms","average":0.4,…}.
[[nodiscard]] std::string json_line(const dds::MetricsMessage& message);
/// {"clock":…}.
[[nodiscard]] std::string json_line(const dds::Clock& message);

}  // namespace spatial_dynamics::cli
