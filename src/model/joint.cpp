#include "spatial_dynamics/model/joint.hpp"

#include <cassert>

#include "spatial_dynamics/spatial/rotation.hpp"

namespace spatial_dynamics {

const char* to_string(JointType type) noexcept {
  switch (type) {
    case JointType::kFixed:
      return "fixed";
    case JointType::kRevolute:
      return "revolute";
    case JointType::kContinuous:
      return "continuous";
    case JointType::kPrismatic:
      return "prismatic";
    case JointType::kPlanar:
      return "planar";
    case JointType::kFloating:
      return "floating";
  }
  return "unknown";
}

Index position_count(JointType type) noexcept {
  return type == JointType::kFloating ? 7 : velocity_count(type);
}

Index velocity_count(JointType type) noexcept {
  switch (type) {
    case JointType::kFixed:
      return 0;
    case JointType::kPlanar:
      return 3;
    case JointType::kFloating:
      return 6;
    case JointType::kRevolute:
    case JointType::kContinuous:
    case JointType::kPrismatic:
      break;
  }
  return 1;
}

void in_plane_axes(const Vector3& normal, Vector3& x, Vector3& y) noexcept {
  Index nearest = 2;
  for (const Index k : {1, 0}) {
    if (std::abs(normal(k)) > std::abs(normal(nearest))) nearest = k;
  }
  const Vector3 next = Vector3::Unit((nearest + 1) % 3);
  x = (next - normal.dot(next) * normal).normalized();
  y = normal.cross(x);
}

MotionSubspace motion_subspace(JointType type, const Vector3& axis) noexcept {
  MotionSubspace S = MotionSubspace::Zero(6, velocity_count(type));
  switch (type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
    case JointType::kContinuous:
      S.col(0).head<3>() = axis;
      break;
    case JointType::kPrismatic:
      S.col(0).tail<3>() = axis;
      break;
    case JointType::kPlanar: {
      Vector3 x, y;
      in_plane_axes(axis, x, y);
      S.col(0).tail<3>() = x;
      S.col(1).tail<3>() = y;
      S.col(2).head<3>() = axis;
      break;
    }
    case JointType::kFloating:
      S.setIdentity();
      break;
  }
  return S;
}

Transform joint_transform(JointType type, const Vector3& axis, const double* q) noexcept {
  switch (type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
    case JointType::kContinuous:
      return Transform::from_pose(axis_rotation(axis, q[0]), Vector3::Zero());
    case JointType::kPrismatic:
      return Transform::translation(q[0] * axis);
    case JointType::kPlanar: {
      Vector3 x, y;
      in_plane_axes(axis, x, y);
      return Transform::from_pose(axis_rotation(axis, q[2]), q[0] * x + q[1] * y);
    }
    case JointType::kFloating:
      return Transform::from_pose(
          Quaternion(q[6], q[3], q[4], q[5]).normalized().toRotationMatrix(),
          Vector3(q[0], q[1], q[2]));
  }
  return Transform::Identity();
}

Transform parent_to_child(const Joint& joint, VectorIn q) noexcept {
  assert(joint.q_index + joint.nq <= q.size());
  if (joint.nq == 1) {
    const double position = joint.ratio * q(joint.q_index) + joint.offset;
    return joint_transform(joint.type, joint.axis, &position) * joint.placement;
  }
  return joint_transform(joint.type, joint.axis, q.data() + joint.q_index) * joint.placement;
}

}  // namespace spatial_dynamics
