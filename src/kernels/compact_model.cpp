#include "kernels/compact_model.hpp"

#include <algorithm>

#include "compiler.hpp"
#include "forward_costs.hpp"
#include "kernel_table.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"

namespace spatial_dynamics::kernels {

namespace {

/// Fills the data that depend only on the tree.
class Compiler {
 public:
  Compiler(const Model& model, CompactParts& compact) : model_(model), compact_(compact) {}

  void run() {
    compact_.nq = model_.nq();
    compact_.nv = model_.nv();
    compact_.frames = choose_frames(model_);
    compact_.inertias.assign(compact_.frames.size(), Inertia::Zero());
    for (Index i = 1; i < model_.body_count(); ++i) add_joint(i);
    mark_branches();
    find_last();
    bundle_rows();
    compact_.layout.coordinates = coordinates_;
    compact_.layout.joints = joint_count();
    compact_.layout.slides = static_cast<std::int32_t>(compact_.slides.size());
    compact_.inertia_scale.assign(compact_.armature.size(), 0.0);
    choose_forward_dynamics();
    pad();
    if (compact_.reduced) fill_reduced_rows();
  }

 private:
  // Rows of the mass matrix are padded to a multiple of 4 numbers.
  static std::int32_t padded_length(std::int32_t length) { return (length + 3) / 4 * 4; }
  static std::size_t body(Index i) { return static_cast<std::size_t>(i); }
  std::int32_t joint_count() const { return static_cast<std::int32_t>(model_.body_count() - 1); }

  void add_joint(Index i) {
    CompactParts& c = compact_;
    const Joint& joint = model_.joint(i);
    // From the parent's compact frame to this one's, with the joint at zero.
    const Transform X =
        c.frames[body(i)] * joint.placement * c.frames[body(joint.parent)].inverse();
    CompactLink link{};
    CompactExtra extra{};
    const double reach = 1.0 + X.r.norm();
    for (Index k = 0; k < 3; ++k) link.p[k] = without_dust(X.r(k), reach);
    std::uint8_t flags = joint.parent == i - 1 ? 0 : kElsewhere;
    const TwistAngles t = twist_angles(X.rotation());
    link.ca = t.ca;
    link.sa = t.sa;
    extra.cg = t.cg;
    extra.sg = t.sg;
    const auto j = static_cast<std::int32_t>(i - 1);
    const auto q_index = static_cast<std::int32_t>(joint.q_index);
    double angle_ratio = joint.ratio, angle_offset = joint.offset + t.theta;
    Matrix3 rotation = axis_rotation(Vector3::UnitX(), std::atan2(t.sa, t.ca));
    rotation = axis_rotation(Vector3::UnitZ(), std::atan2(t.sg, t.cg)) * rotation;
    if (joint.type == JointType::kPrismatic) {
      flags |= kPrismaticJoint;
      angle_ratio = 0.0;
      angle_offset = t.theta;
      rotation = X.rotation();
      c.slides.push_back({j, q_index, joint.ratio, joint.offset});
    } else if (joint.nv > 1) {
      flags |= kFreeJoint;
      if (joint.type == JointType::kPlanar) flags |= kPlanarJoint;
      angle_ratio = joint.type == JointType::kPlanar ? 1.0 : 0.0;
      angle_offset = 0.0;
      rotation = X.rotation();
      c.slides.push_back({j, q_index, 1.0, 0.0});
      for (Index k = 0; k < 9; ++k) extra.rotation[k] = rotation(k / 3, k % 3);
    }
    if (extra.sg != 0.0 && joint.nv == 1) flags |= kTurned;
    c.links.push_back(link);
    c.extras.push_back(extra);
    c.flags.push_back(flags);
    c.child_rotation.push_back(rotation);
    c.parent.push_back(static_cast<std::int32_t>(joint.parent - 1));
    c.first.push_back(coordinates_);
    // The angle of a planar joint is its third number; a floating joint has none.
    c.q_index.push_back(q_index + (joint.type == JointType::kPlanar ? 2 : 0));
    c.angle_ratio.push_back(angle_ratio);
    c.angle_offset.push_back(angle_offset);
    if (joint.nq != 1 || joint.q_index != i - 1) c.layout.q_is_in_joint_order = false;
    for (Index k = 0; k < joint.nv; ++k) add_coordinate(joint, k);
  }

  void add_coordinate(const Joint& joint, Index k) {
    CompactParts& c = compact_;
    const std::int32_t parent = k > 0               ? coordinates_ - 1
                                : joint.parent == 0 ? -1
                                                    : last_of_body(joint.parent);
    const auto up = static_cast<std::size_t>(parent);
    const std::int32_t depth = parent < 0 ? 0 : c.depth[up] + 1;
    c.depth.push_back(depth);
    c.joint.push_back(static_cast<std::int32_t>(c.first.size()) - 1);
    c.layout.path_length = std::max(c.layout.path_length, depth + 1);
    c.parent_coordinate.push_back(parent);
    c.row.push_back(c.packed_size);
    c.packed_size += padded_length(depth + 1);
    c.armature.push_back(joint.armature);
    c.damping.push_back(joint.damping);
    c.friction.push_back(joint.friction);
    if (parent != coordinates_ - 1) c.is_chain = false;
    if (joint.damping != 0.0) c.layout.has_damping = true;
    if (joint.armature != 0.0) c.layout.has_armature = true;
    if (joint.friction != 0.0) c.layout.has_friction = true;
    c.unreduced_ratio.push_back(joint.ratio);
    c.unreduced_index.push_back(joint.v_index + k);
    if (joint.v_index + k != coordinates_ || joint.ratio != 1.0) c.reduced = true;
    ++coordinates_;
  }

  std::int32_t last_of_body(Index body) const {
    const auto j = static_cast<std::size_t>(body - 1);
    return compact_.first[j] + static_cast<std::int32_t>(model_.joint(body).nv) - 1;
  }

  void mark_branches() {
    for (std::size_t j = 0; j < compact_.flags.size(); ++j) {
      if ((compact_.flags[j] & kElsewhere) == 0 || compact_.parent[j] < 0) continue;
      compact_.flags[static_cast<std::size_t>(compact_.parent[j])] |= kBranches;
    }
  }

  /// In depth-first order the coordinates beyond a coordinate follow it without a gap.
  void find_last() {
    compact_.last.assign(compact_.parent_coordinate.size(), 0);
    for (std::size_t k = compact_.last.size(); k-- > 0;) {
      compact_.last[k] = std::max(compact_.last[k], static_cast<std::int32_t>(k));
      const std::int32_t parent = compact_.parent_coordinate[k];
      if (parent < 0) continue;
      std::int32_t& behind = compact_.last[static_cast<std::size_t>(parent)];
      behind = std::max(behind, compact_.last[k]);
    }
  }

  /// From the tips to the base, rows fill bundles of four; every tip starts a bundle, so that all
  /// rows of a bundle are on one path.
  void bundle_rows() {
    CompactParts& c = compact_;
    int lane = 0;  // the number of lanes that are still empty
    for (std::size_t k = c.depth.size(); k-- > 0; --lane) {
      if (lane == 0 || c.last[k] == static_cast<std::int32_t>(k)) {
        c.bundle_row.push_back(static_cast<std::int32_t>(k) - 3);
        c.bundle_low.push_back(0);
        c.lane_start.insert(c.lane_start.end(), 4, c.packed_size);
        lane = 4;
      }
      c.bundle_low.back() = static_cast<std::int32_t>(k);
      c.lane_start[c.lane_start.size() - 5 + static_cast<std::size_t>(lane)] = c.row[k];
    }
    c.layout.bundles = static_cast<std::int32_t>(c.bundle_row.size());
  }

  // Kernels read four joints at a time, and one link ahead.
  void pad() {
    const auto length = static_cast<std::size_t>(padded_length(joint_count()));
    compact_.links.resize(length + 1, {});
    compact_.extras.resize(length, {});
    compact_.bodies.resize(10 * length, 0.0);
    compact_.flags.resize(length, 0);
    compact_.angle_ratio.resize(length, 0.0);
    compact_.angle_offset.resize(length, 0.0);
  }

  void choose_forward_dynamics() {
    ForwardWork work;
    for (const std::int32_t depth : compact_.depth) work.add_coordinate(depth);
    for (std::size_t j = 0; j < compact_.flags.size(); ++j) {
      work.add_joint(j > 0 && compact_.flags[j] == 0, count_of(j));
    }
    const char* const isa = chosen_kernels().name;
    const bool factorised_only = compact_.reduced;
    compact_.prefers_articulated = !factorised_only && articulated_is_faster(work, isa, false);
    compact_.batch_prefers_articulated = !factorised_only && articulated_is_faster(work, isa, true);
  }
  int count_of(std::size_t j) const {
    const std::size_t next = j + 1;
    return (next < compact_.first.size() ? compact_.first[next] : coordinates_) - compact_.first[j];
  }

  /// With mimic joints there are no structural zeros: a full lower half.
  void fill_reduced_rows() {
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(model_.nv()); ++k) {
      compact_.reduced_parent.push_back(k - 1);
      compact_.reduced_last.push_back(static_cast<std::int32_t>(model_.nv()) - 1);
      compact_.reduced_row.push_back(compact_.reduced_size);
      compact_.reduced_size += padded_length(k + 1);
      compact_.reduced_depth.push_back(k);
      compact_.reduced_scale.push_back(0.0);
    }
  }

  const Model& model_;
  CompactParts& compact_;
  std::int32_t coordinates_ = 0;
};

/// The parameters of four links side by side.
void write_bodies(CompactParts& parts) noexcept {
  for (std::size_t j = 0; j < parts.flags.size(); ++j) {
    const CompactLink& l = parts.links[j];
    const CompactExtra& e = parts.extras[j];
    const double numbers[] = {e.mass, l.hx, l.hy, e.hz, l.Jxx, l.Ixy, l.Ixz, l.Jyy, l.Iyz, e.Jzz};
    double* to = parts.bodies.data() + j / 4 * 40 + j % 4;
    for (const double number : numbers) {
      *to = number;
      to += 4;
    }
  }
}

}  // namespace

void CompactModel::update(const Model& model) noexcept {
  regroup(model, parts_);
  write_bodies(parts_);
  parts_.layout.friction_speed = model.friction_speed();
  const Vector3 a = -(parts_.frames[0].E * model.gravity());
  const double size = a.cwiseAbs().maxCoeff();
  for (Index k = 0; k < 3; ++k) parts_.layout.base_acceleration[k] = without_dust(a(k), size);
}

void CompactModel::bind() noexcept {
  parts_.layout.links = parts_.links.data();
  parts_.layout.extras = parts_.extras.data();
  parts_.layout.flags = parts_.flags.data();
  parts_.layout.parent = parts_.parent.data();
  parts_.layout.first = parts_.first.data();
  parts_.layout.q_index = parts_.q_index.data();
  parts_.layout.angle_ratio = parts_.angle_ratio.data();
  parts_.layout.angle_offset = parts_.angle_offset.data();
  parts_.layout.slide = parts_.slides.data();
  parts_.layout.armature = parts_.armature.data();
  parts_.layout.damping = parts_.damping.data();
  parts_.layout.friction = parts_.friction.data();
  parts_.layout.joint = parts_.joint.data();
  parts_.layout.bodies = parts_.bodies.data();
  parts_.layout.bundle_row = parts_.bundle_row.data();
  parts_.layout.bundle_low = parts_.bundle_low.data();
  parts_.layout.lane_start = parts_.lane_start.data();
  parts_.layout.rows = {parts_.layout.coordinates, parts_.parent_coordinate.data(),
                        parts_.last.data(),        parts_.row.data(),
                        parts_.depth.data(),       parts_.inertia_scale.data()};
  parts_.reduced_rows = {static_cast<std::int32_t>(parts_.nv), parts_.reduced_parent.data(),
                         parts_.reduced_last.data(),           parts_.reduced_row.data(),
                         parts_.reduced_depth.data(),          parts_.reduced_scale.data()};
}

CompactModel compile(const Model& model) {
  CompactModel compact;
  compact.parts_.kernels = &chosen_kernels();
  Compiler(model, compact.parts_).run();
  compact.bind();
  compact.update(model);
  return compact;
}

}  // namespace spatial_dynamics::kernels
