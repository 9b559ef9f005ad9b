// Views of messages in the memory of the middleware, as front ends pass them on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "spatial_dynamics/spatial/types.hpp"

namespace spatial_dynamics {

/// A message with more names, or a trajectory with more points, is rejected.
inline constexpr std::size_t kMostNames = 65'536;
inline constexpr std::size_t kMostPoints = 100'000;

/// Numbers in the memory of another object.
struct NumberView {
  const double* data = nullptr;
  std::size_t size = 0;
  [[nodiscard]] bool empty() const noexcept { return size == 0; }
  /// Optional parts of a message: there is one number for each of its names, or none at all.
  [[nodiscard]] bool fits(std::size_t names) const noexcept { return empty() || size == names; }
  double operator[](std::size_t i) const noexcept { return data[i]; }
};

/// Whether the numbers of a command are finite and not absurdly large.
inline bool is_plausible(double x) noexcept { return std::abs(x) <= 1e9; }  // false for NaN
inline bool is_plausible(const Vector3& x) noexcept {
  return is_plausible(x.x()) && is_plausible(x.y()) && is_plausible(x.z());
}
inline bool is_plausible(const Matrix3& x) noexcept {
  return x.allFinite() && is_plausible(x.array().abs().maxCoeff());
}
inline bool is_plausible(const NumberView& numbers) noexcept {
  return std::all_of(numbers.data, numbers.data + numbers.size,
                     [](double x) { return is_plausible(x); });
}

/// sensor_msgs/JointState.
struct JointStateView {
  std::int64_t stamp = 0;  ///< ns
  std::vector<std::string_view> names;
  NumberView position, velocity, effort;
  std::uint64_t source = 0;  ///< identifies the publisher; 0: unknown
};

/// trajectory_msgs/JointTrajectory.
struct TrajectoryPointView {
  NumberView positions, velocities, accelerations, effort;
  std::int64_t time_from_start = 0;  ///< ns
};
struct TrajectoryView {
  std::int64_t stamp = 0;  ///< ns; 0: start now
  std::vector<std::string_view> names;
  std::vector<TrajectoryPointView> points;
};

/// geometry_msgs/WrenchStamped.
struct WrenchView {
  std::string_view frame_id;
  Vector3 force = Vector3::Zero();
  Vector3 torque = Vector3::Zero();
};

/// geometry_msgs/InertiaStamped: the tensor is about the centre of mass, along the link's axes.
struct PayloadView {
  std::string_view frame_id;
  double mass = 0.0;
  Vector3 com = Vector3::Zero();
  Matrix3 inertia_about_com = Matrix3::Zero();
  std::uint64_t source = 0;  ///< identifies the publisher; 0: unknown
};

/// geometry_msgs/Vector3Stamped.
struct GravityView {
  std::string_view frame_id;  ///< the root link, or empty
  Vector3 vector = Vector3::Zero();
  std::uint64_t source = 0;  ///< identifies the publisher; 0: unknown
};

/// nav_msgs/Odometry of the floating base: pose of the base link in the world, twist in the base
/// link's frame.
struct OdometryView {
  std::int64_t stamp = 0;  ///< ns
  Vector3 position = Vector3::Zero();
  Quaternion orientation = Quaternion::Identity();
  Vector3 linear_velocity = Vector3::Zero();
  Vector3 angular_velocity = Vector3::Zero();
  std::uint64_t source = 0;  ///< identifies the publisher; 0: unknown
};

}  // namespace spatial_dynamics
