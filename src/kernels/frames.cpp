#include <cmath>

#include "compiler.hpp"

namespace spatial_dynamics::kernels {
namespace {

// Below this sine two axes are parallel up to rounding.
constexpr double kParallel = 1e-14;
// Above this sine the common normal is well defined: rounding errors grow by its inverse square at
// most.
constexpr double kTwisted = 0.1;
// The origin moves along its axis no further than this many times the distance to the next joint.
constexpr double kReach = 4.0;

bool turns_or_slides(const Joint& joint) noexcept { return joint.nv == 1; }
bool turns(const Joint& joint) noexcept {
  return joint.type == JointType::kRevolute || joint.type == JointType::kContinuous;
}

/// The first revolute or prismatic child of each body, 0 if none.
std::vector<Index> find_next(const Model& model) {
  std::vector<Index> next(static_cast<std::size_t>(model.body_count()), 0);
  for (Index i = model.body_count() - 1; i > 0; --i) {
    if (turns_or_slides(model.joint(i))) next[static_cast<std::size_t>(model.parent(i))] = i;
  }
  return next;
}

Transform frame_from_axes(const Vector3& x, const Vector3& z, const Vector3& origin) {
  Matrix3 E;
  E << x.transpose(), z.cross(x).transpose(), z.transpose();
  return {E, origin};
}

/// The frame of a body on `axis` through its origin, whose next joint has the axis z_next through
/// w.
Transform frame_on_axis(const Vector3& axis, const Vector3& z_next, const Vector3& w, bool slide) {
  Vector3 x, y;
  in_plane_axes(axis, x, y);
  const Vector3 normal = axis.cross(z_next);
  const double sine = normal.norm();
  double along = 0.0;
  if (sine > kParallel) {
    x = normal - axis.dot(normal) * axis;
    if (sine > kTwisted) {
      const double b = axis.dot(z_next);
      along = (w.dot(axis) - b * w.dot(z_next)) / (sine * sine);
    }
  } else {
    const Vector3 across = w - w.dot(axis) * axis;
    if (across.norm() > 1e-9) x = across;
    along = w.dot(axis);
  }
  x -= x.dot(axis) * axis;
  x.normalize();
  if (!slide || std::abs(along) > kReach * w.norm()) along = 0.0;
  return frame_from_axes(x, axis, along * axis);
}

}  // namespace

std::vector<Transform> choose_frames(const Model& model) {
  const std::vector<Index> next = find_next(model);
  std::vector<Transform> frames(next.size(), Transform::Identity());
  for (Index i = model.body_count() - 1; i >= 0; --i) {
    const auto b = static_cast<std::size_t>(i);
    const Vector3 axis = i == 0 ? Vector3::UnitZ() : model.joint(i).axis;
    if (i > 0 && model.joint(i).type == JointType::kFloating) continue;
    Vector3 x, y;
    in_plane_axes(axis, x, y);
    frames[b] = frame_from_axes(x, axis, Vector3::Zero());
    if (next[b] == 0 || (i > 0 && model.joint(i).type == JointType::kPlanar)) continue;
    const Joint& child = model.joint(next[b]);
    const Vector3 z_next = child.placement.rotation() * child.axis;
    const Vector3 w = child.placement.position();
    const bool slide = i > 0 && turns(model.joint(i)) && turns(child);
    frames[b] = frame_on_axis(axis, z_next, w, slide);
    if (i > 0 && model.joint(i).type == JointType::kPrismatic) {
      // The origin of a prismatic joint's body is arbitrary: take that of the next body, so that
      // there is no lever between them.
      frames[b].r = child.placement.inverse_point(frames[static_cast<std::size_t>(next[b])].r);
    }
  }
  return frames;
}

double without_dust(double x, double scale) noexcept {
  return std::abs(x) <= 1e-15 * scale ? 0.0 : x;
}

TwistAngles twist_angles(const Matrix3& R) noexcept {
  // The third column is Rz(gamma) (0, -sin alpha, cos alpha).
  const double x = without_dust(R(0, 2), 1.0);
  const double y = without_dust(R(1, 2), 1.0);
  TwistAngles t{1.0, 0.0, without_dust(R(2, 2), 1.0), -y, 0.0};
  if (x != 0.0) {
    t.sa = std::hypot(x, y);
    t.cg = -y / t.sa;
    t.sg = x / t.sa;
  }
  const double length = std::hypot(t.ca, t.sa);
  t.ca /= length;
  t.sa /= length;
  // The remainder, Rx(-alpha) Rz(-gamma) R, is Rz(theta): its first column is (cos, sin, 0).
  const Vector3 first = R.col(0);
  const double c = t.cg * first.x() + t.sg * first.y();
  const double s = t.ca * (t.cg * first.y() - t.sg * first.x()) + t.sa * first.z();
  t.theta = std::atan2(s, c);
  return t;
}

}  // namespace spatial_dynamics::kernels
