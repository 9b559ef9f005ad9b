// Which inertial parameters no torque can tell apart, and where they are moved.
//
// A revolute joint's link and its parent move alike but for the turn about z. A rod along that axis, {m, (0, 0, hz), diag(J, J, 0)},
// does not notice the turn: it exerts no torque about z, and the rest of its wrench is the same whether it belongs to the link or
// to the parent. So the rod with the link's m, hz and second moment of z^2, J = (Ixx + Iyy - Izz) / 2, may go to the parent, and 7
// of 10 parameters stay. What belongs to the base does not move and vanishes.
//
// A prismatic joint's link turns as its parent does. A body of moments of inertia alone, {0, 0, I}, exerts a pure couple that
// depends on that turning only: all six go to the parent, and 4 parameters stay.
//
// Planar and floating joints' links keep all ten.
#include <algorithm>
#include <cmath>

#include "compiler.hpp"

namespace spatial_dynamics {
namespace {

/// The second moment along one axis, from the moment of inertia about it and those about the others. The large ones are subtracted first:
/// their difference is exact where they nearly cancel, so that a slender link keeps the digits of its smallest moment.
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

void CompactModel::regroup(const Model& model) noexcept {
  for (std::size_t b = 0; b < parts_.inertias.size(); ++b) {
    parts_.inertias[b] = to_child(parts_.frames[b], model.inertia(static_cast<Index>(b)));
  }
  for (std::size_t j = parts_.parent.size(); j-- > 0;) {
    CompactLink& link = parts_.links[j];
    CompactExtra& extra = parts_.extras[j];
    const Inertia whole = parts_.inertias[j + 1];
    Inertia& parent = parts_.inertias[static_cast<std::size_t>(std::int64_t{parts_.parent[j]} + 1)];
    const Vector3 p(link.p[0], link.p[1], link.p[2]);
    const Transform X = Transform::from_pose(parts_.child_rotation[j], p);
    write_parameters(whole, link, extra);
    if (parts_.flags[j] & kPrismaticJoint) {
      parent += to_parent(X, Inertia(0.0, Vector3::Zero(), whole.I));
      link.Jxx = link.Jyy = link.Ixy = link.Ixz = link.Iyz = extra.Jzz = 0.0;
    } else if ((parts_.flags[j] & kFreeJoint) == 0) {
      parent += to_parent(X, rod_of(whole));
      extra.mass = extra.hz = extra.Jzz = 0.0;
    }
    // A torque's inertia could be the trace, a force's the mass: what is far below that is rounding error.
    const std::size_t k = static_cast<std::size_t>(parts_.first[j]);
    const bool planar = (parts_.flags[j] & kPlanarJoint) != 0,
               prismatic = (parts_.flags[j] & kPrismaticJoint) != 0;
    const double trace = whole.I.cwiseAbs().trace(), mass = std::abs(whole.mass);
    if ((parts_.flags[j] & kFreeJoint) == 0) {
      parts_.inertia_scale[k] = prismatic ? mass : trace;
      continue;
    }
    const std::size_t angular = planar ? 2 : 0, count = planar ? 3 : 6;
    for (std::size_t c = 0; c < count; ++c) {
      parts_.inertia_scale[k + c] = (planar ? c == angular : c < 3) ? trace : mass;
    }
  }
}

void CompactModel::update(const Model& model) noexcept {
  regroup(model);
  parts_.layout.friction_speed = model.friction_speed();
  const Vector3 a = -(parts_.frames[0].E * model.gravity());
  const double size = a.cwiseAbs().maxCoeff();
  for (Index k = 0; k < 3; ++k) parts_.layout.base_acceleration[k] = without_dust(a(k), size);
}

}  // namespace spatial_dynamics
