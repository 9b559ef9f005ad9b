#include "spatial_dynamics/bodies/single_body.hpp"

#include <Eigen/Cholesky>

namespace spatial_dynamics {

Transform frame_of(VelocityChoice choice, const BodyPose& pose, const Inertia& inertia) noexcept {
  switch (choice) {
    case VelocityChoice::kCenter:
      return Transform::translation(pose.position + pose.rotation * inertia.com());
    case VelocityChoice::kPoint:
      return Transform::translation(pose.position);
    case VelocityChoice::kBody:
      return Transform::from_pose(pose.rotation, pose.position);
    case VelocityChoice::kInertialReference:
      break;
  }
  return Transform::Identity();
}

Inertia inertia_in(VelocityChoice choice, const BodyPose& pose, const Inertia& inertia) noexcept {
  const Transform body = Transform::from_pose(pose.rotation, pose.position);
  // From the body's frame to the choice's: M(x) = phi(x, y) M(y) phi*(x, y).
  return to_child(frame_of(choice, pose, inertia) * body.inverse(), inertia);
}

Motion change_choice(VelocityChoice from, VelocityChoice to, const BodyPose& pose,
                     const Inertia& inertia, const Motion& velocity) noexcept {
  return frame_of(to, pose, inertia) * frame_of(from, pose, inertia).apply_inverse(velocity);
}

Force gyroscopic_force(VelocityChoice choice, const Inertia& M, const Motion& V) noexcept {
  switch (choice) {
    case VelocityChoice::kCenter:
    case VelocityChoice::kPoint: {
      const Motion turning(V.angular, Vector3::Zero());
      return cross_star(turning, M * turning);
    }
    case VelocityChoice::kBody:
    case VelocityChoice::kInertialReference:
      break;
  }
  return cross_star(V, M * V);
}

Motion generalized_acceleration(VelocityChoice choice, const Inertia& M, const Motion& V,
                                const Force& f) noexcept {
  const Force rest = f - gyroscopic_force(choice, M, V);
  return Motion(Vector6(M.matrix().llt().solve(rest.vector())));
}

Force generalized_force(VelocityChoice choice, const Inertia& M, const Motion& V,
                        const Motion& acceleration) noexcept {
  return M * acceleration + gyroscopic_force(choice, M, V);
}

Motion acceleration_at(const Motion& at_x, const Vector3& w, const Vector3& l) noexcept {
  return {at_x.angular, at_x.linear + at_x.angular.cross(l) + w.cross(w.cross(l))};
}

}  // namespace spatial_dynamics
