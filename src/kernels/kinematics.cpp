#include "kernels/kinematics.hpp"

#include "coordinates.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// The pose of a joint's frame as kernels write it, in the base's compact frame: origin, then axes
/// x, y, z.
struct JointPose {
  Eigen::Map<const Vector3> origin;
  Eigen::Map<const Matrix3> axes;
  JointPose(const KernelScratch& scratch, std::int32_t joint) noexcept
      : origin(scratch.pose + 12 * (joint + 1)), axes(scratch.pose + 12 * (joint + 1) + 3) {}
};

}  // namespace

void link_jacobian(const CompactModel& model, Workspace& workspace, VectorIn q, const Link& link,
                   Frame frame, Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> J) noexcept {
  assert(q.size() == model.nq() && J.cols() == model.nv() && frame != Frame::kWorld);
  J.setZero();
  if (link.body == 0) return;
  const CompactLayout& m = model.layout();
  const KernelScratch& scratch = workspace.memory.scratch();
  const auto last = static_cast<std::int32_t>(link.body - 1);
  model.kernels().poses(m, scratch, q.data(), last);
  const JointPose own(scratch, last);
  const Transform& compact = model.frame(link.body);  // from the body's frame
  const Vector3 point = own.origin + own.axes * compact.point(link.placement.position());
  // From the base's compact axes to those of the result.
  const Matrix3 to_frame = frame == Frame::kLocal
                               ? Matrix3(link.placement.E * (own.axes * compact.E).transpose())
                               : Matrix3(model.frame(0).E.transpose());
  for (std::int32_t j = last; j >= 0; j = m.parent[j]) {
    const JointPose at(scratch, j);
    const Vector3 arm = point - at.origin;
    const auto add = [&](Index k, const Vector3& angular, const Vector3& linear) {
      J.col(model.unreduced_index(k)).head<3>() += model.unreduced_ratio(k) * (to_frame * angular);
      J.col(model.unreduced_index(k)).tail<3>() +=
          model.unreduced_ratio(k) * (to_frame * (linear + angular.cross(arm)));
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

}  // namespace spatial_dynamics::kernels
