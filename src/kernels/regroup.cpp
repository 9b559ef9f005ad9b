// Moves inertial parameters that torques do not distinguish towards the base.
//
// A revolute joint's link and its parent have the same motion except for the rotation about z. A
// rod along that axis, {m, (0, 0, hz), diag(J, J, 0)}, is not affected by the rotation: it exerts
// no torque about z, and the rest of its wrench is the same whether it belongs to the link or to
// the parent. So the rod with the link's m, hz and second moment of z^2, J = (Ixx + Iyy - Izz) / 2,
// may be moved to the parent, and 7 of 10 parameters stay. Parameters of the base vanish, because
// it is fixed.
//
// A prismatic joint's link rotates with its parent. A body with moments of inertia only, {0, 0, I},
// exerts a pure moment that depends on this rotation only: all six are moved to the parent, and 4
// parameters stay.
//
// Planar and floating joints' links keep all ten.
#include <algorithm>
#include <cmath>

#include "compiler.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// The second moment along one axis, from the moment of inertia about it and those about the
/// others. The large ones are subtracted first: their difference is exact where they nearly cancel,
/// so that a slender link keeps the digits of its smallest moment.
double second_moment(double about, double other, double another) noexcept {
  return 0.5 * (std::min(other, another) + (std::max(other, another) - about));
}
/// The second moments of x^2, y^2 and z^2.
Vector3 second_moments(const Matrix3& I) noexcept {
  const double xx = I(0, 0), yy = I(1, 1), zz = I(2, 2);
  return {second_moment(xx, yy, zz), second_moment(yy, xx, zz), second_moment(zz, xx, yy)};
}

Inertia rod_of(const Inertia& link) noexcept {
  const double J = second_moments(link.I).z();
  return {link.mass, Vector3(0.0, 0.0, link.h.z()), Vector3(J, J, 0.0).asDiagonal()};
}

void write_parameters(const Inertia& given, CompactLink& link, CompactExtra& extra) noexcept {
  const double h_scale = given.h.cwiseAbs().maxCoeff();
  const double I_scale = given.I.cwiseAbs().maxCoeff();
  const Vector3 J = second_moments(given.I);
  link.hx = without_dust(given.h.x(), h_scale);
  link.hy = without_dust(given.h.y(), h_scale);
  link.Jxx = without_dust(J.x(), I_scale);
  link.Jyy = without_dust(J.y(), I_scale);
  link.Ixy = without_dust(given.I(0, 1), I_scale);
  link.Ixz = without_dust(given.I(0, 2), I_scale);
  link.Iyz = without_dust(given.I(1, 2), I_scale);
  extra.mass = given.mass;
  extra.hz = without_dust(given.h.z(), h_scale);
  extra.Jzz = without_dust(J.z(), I_scale);
}

}  // namespace

void regroup(const Model& model, CompactParts& parts) noexcept {
  for (std::size_t b = 0; b < parts.inertias.size(); ++b) {
    parts.inertias[b] = to_child(parts.frames[b], model.inertia(static_cast<Index>(b)));
  }
  for (std::size_t j = parts.parent.size(); j-- > 0;) {
    CompactLink& link = parts.links[j];
    CompactExtra& extra = parts.extras[j];
    const Inertia whole = parts.inertias[j + 1];
    Inertia& parent = parts.inertias[static_cast<std::size_t>(std::int64_t{parts.parent[j]} + 1)];
    const Vector3 p(link.p[0], link.p[1], link.p[2]);
    const Transform X = Transform::from_pose(parts.child_rotation[j], p);
    write_parameters(whole, link, extra);
    if (parts.flags[j] & kPrismaticJoint) {
      parent += to_parent(X, Inertia(0.0, Vector3::Zero(), whole.I));
      link.Jxx = link.Jyy = link.Ixy = link.Ixz = link.Iyz = extra.Jzz = 0.0;
    } else if ((parts.flags[j] & kFreeJoint) == 0) {
      parent += to_parent(X, rod_of(whole));
      extra.mass = extra.hz = extra.Jzz = 0.0;
    }
    // The inertia is at most the trace for a torque and the mass for a force: values far below are
    // rounding errors.
    const std::size_t k = static_cast<std::size_t>(parts.first[j]);
    const bool planar = (parts.flags[j] & kPlanarJoint) != 0,
               prismatic = (parts.flags[j] & kPrismaticJoint) != 0;
    const double trace = whole.I.cwiseAbs().trace(), mass = std::abs(whole.mass);
    if ((parts.flags[j] & kFreeJoint) == 0) {
      parts.inertia_scale[k] = prismatic ? mass : trace;
      continue;
    }
    const std::size_t angular = planar ? 2 : 0, count = planar ? 3 : 6;
    for (std::size_t c = 0; c < count; ++c) {
      parts.inertia_scale[k + c] = (planar ? c == angular : c < 3) ? trace : mass;
    }
  }
}

}  // namespace spatial_dynamics::kernels
