#include "spatial_dynamics/kernels/kinematics.hpp"

#include "coordinates.hpp"

namespace spatial_dynamics {
namespace {

/// A link's stance as kernels write it: origin, then axes x, y, z, along the base's axes.
struct StanceView {
  Eigen::Map<const Vector3> origin;
  Eigen::Map<const Matrix3> axes;
  StanceView(const KernelScratch& scratch, std::int32_t joint) noexcept
      : origin(scratch.stance + 12 * (joint + 1)), axes(scratch.stance + 12 * (joint + 1) + 3) {}
};

}  // namespace

void link_jacobian(const CompactModel& model, Workspace& workspace, VectorIn q, const Link& link,
                   Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J) noexcept {
  assert(q.size() == model.nq() && J.cols() == model.nv());
  J.setZero();
  if (link.body == 0) return;
  const CompactLayout& m = model.layout();
  const KernelScratch& scratch = workspace.memory.scratch();
  const auto last = static_cast<std::int32_t>(link.body - 1);
  model.kernels().stances(m, scratch, q.data(), last);
  // Where the link's origin is, in its body's compact frame, and how the base's axes stand in the world.
  const Vector3 offset = model.frame(link.body).point(link.placement.position());
  const StanceView own(scratch, last);
  const Vector3 point = own.origin + own.axes * offset;
  const Matrix3 to_world = model.frame(0).E.transpose();
  for (std::int32_t j = last; j >= 0; j = m.parent[j]) {
    const StanceView at(scratch, j);
    const Vector3 arm = point - at.origin;
    const auto add = [&](Index k, const Vector3& angular, const Vector3& linear) {
      J.col(model.own_index(k)).head<3>() += model.own_ratio(k) * (to_world * angular);
      J.col(model.own_index(k)).tail<3>() +=
          model.own_ratio(k) * (to_world * (linear + angular.cross(arm)));
    };
    const Index k = m.first[j];
    const Vector3 none = Vector3::Zero();
    if (m.flags[j] & kPlanarJoint) {
      add(k, none, at.axes.col(0));
      add(k + 1, none, at.axes.col(1));
      add(k + 2, at.axes.col(2), none);
    } else if (m.flags[j] & kFreeJoint) {
      for (Index c = 0; c < 3; ++c) add(k + c, at.axes.col(c), none);
      for (Index c = 0; c < 3; ++c) add(k + 3 + c, none, at.axes.col(c));
    } else if (m.flags[j] & kPrismaticJoint) {
      add(k, none, at.axes.col(2));
    } else {
      add(k, at.axes.col(2), none);
    }
  }
}

}  // namespace spatial_dynamics
