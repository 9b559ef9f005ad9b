// A robot compiled for speed: the same dynamics as its Model, with fewer numbers.
#pragma once

#include <vector>

#include "kernels/layout.hpp"
#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics::kernels {

struct KernelTable;

/// The data of a CompactModel. The pointers in `layout` refer to the vectors and are set after each
/// copy.
struct CompactParts {
  Index nq = 0;
  Index nv = 0;
  CompactLayout layout;
  const KernelTable* kernels = nullptr;
  bool reduced = false;
  bool prefers_articulated = false;
  bool batch_prefers_articulated = false;
  bool is_chain = true;
  std::int64_t packed_size = 0;
  std::int64_t reduced_size = 0;

  std::vector<Transform> frames;  // per body
  std::vector<Inertia> inertias;  // per body, in its compact frame; scratch of regroup()
  /// Per joint: its link's axes in the parent's at theta = 0; of a prismatic joint at its theta.
  std::vector<Matrix3> child_rotation;
  std::vector<CompactLink> links;
  std::vector<CompactExtra> extras;
  std::vector<double> bodies;
  std::vector<std::uint8_t> flags;
  std::vector<std::int32_t> parent, first, q_index;
  std::vector<double> angle_ratio, angle_offset;
  std::vector<CompactSlide> slides;
  std::vector<double> armature, damping, friction, inertia_scale;  // per unreduced coordinate
  std::vector<std::int32_t> parent_coordinate, last, depth;
  std::vector<std::int64_t> row;
  std::vector<std::int32_t> joint, bundle_row, bundle_low;
  std::vector<std::int64_t> lane_start;
  std::vector<double> unreduced_ratio;
  std::vector<Index> unreduced_index;
  FactorRows reduced_rows;  // of the mass matrix in the model's coordinates
  std::vector<std::int32_t> reduced_parent, reduced_last, reduced_depth;
  std::vector<std::int64_t> reduced_row;
  std::vector<double> reduced_scale;
};

/// The result of compile(). Dynamics are those of textbook/ within rounding (tested to 1e-12 of the
/// largest component).
///
/// Each link has a compact frame (z along the joint's axis, x such that one rotation about x leads
/// to the next link's axis), and inertial parameters that torques do not distinguish are moved
/// towards the base, where they add to others or vanish. Energies, centres of mass and joint
/// wrenches are therefore not available here: use textbook/.
class CompactModel {
 public:
  CompactModel(const CompactModel& other) : parts_(other.parts_) { bind(); }  ///< Allocates.
  CompactModel& operator=(const CompactModel& other) {                        ///< Allocates.
    parts_ = other.parts_;
    bind();
    return *this;
  }
  CompactModel(CompactModel&&) noexcept = default;
  CompactModel& operator=(CompactModel&&) noexcept = default;
  ~CompactModel() = default;

  [[nodiscard]] Index nq() const noexcept { return parts_.nq; }
  [[nodiscard]] Index nv() const noexcept { return parts_.nv; }
  [[nodiscard]] Index body_count() const noexcept {
    return static_cast<Index>(parts_.frames.size());
  }

  /// Copies the model's present gravity, payloads and friction speed. `model` must be the compiled
  /// model or a copy of it. Real-time safe.
  void update(const Model& model) noexcept;

  // Data for kernels and generators.
  [[nodiscard]] const CompactLayout& layout() const noexcept { return parts_.layout; }
  [[nodiscard]] const KernelTable& kernels() const noexcept { return *parts_.kernels; }
  /// From body i's frame in Model to its compact frame; 0 is the base.
  [[nodiscard]] const Transform& frame(Index body) const noexcept {
    return parts_.frames[static_cast<std::size_t>(body)];
  }
  /// True if the model has mimic joints, so that v, a and tau differ from the unreduced
  /// coordinates.
  [[nodiscard]] bool reduced() const noexcept { return parts_.reduced; }
  /// For unreduced coordinate k: x_unreduced[k] = ratio * x[index].
  [[nodiscard]] double unreduced_ratio(Index k) const noexcept {
    return parts_.unreduced_ratio[to_size(k)];
  }
  [[nodiscard]] Index unreduced_index(Index k) const noexcept {
    return parts_.unreduced_index[to_size(k)];
  }
  /// The full mass matrix in the model's coordinates, if reduced().
  [[nodiscard]] const FactorRows& reduced_rows() const noexcept { return parts_.reduced_rows; }
  /// Size of that matrix, and of the packed mass matrix in unreduced coordinates.
  [[nodiscard]] std::int64_t reduced_size() const noexcept { return parts_.reduced_size; }
  [[nodiscard]] std::int64_t packed_size() const noexcept { return parts_.packed_size; }
  /// True if the mass matrix has no structural zeros.
  [[nodiscard]] bool is_chain() const noexcept { return parts_.is_chain; }
  /// Forward dynamics by articulated bodies instead of a factorised mass matrix: faster for deep
  /// trees, and in batches for all but small or shallow ones.
  [[nodiscard]] bool prefers_articulated() const noexcept { return parts_.prefers_articulated; }
  /// The same for a batch.
  [[nodiscard]] bool batch_prefers_articulated() const noexcept {
    return parts_.batch_prefers_articulated;
  }

 private:
  friend CompactModel compile(const Model& model);
  CompactModel() = default;
  static std::size_t to_size(Index i) noexcept { return static_cast<std::size_t>(i); }
  void bind() noexcept;

  CompactParts parts_;
};

/// Compiles a model for the instruction set chosen at start (see isa.hpp). Linear in joints.
/// Allocates.
CompactModel compile(const Model& model);

}  // namespace spatial_dynamics::kernels
