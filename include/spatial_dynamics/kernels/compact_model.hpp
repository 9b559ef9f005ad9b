// A robot compiled for speed: the same dynamics as its Model, in fewer numbers.
#pragma once

#include <vector>

#include "spatial_dynamics/kernels/layout.hpp"
#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

struct KernelTable;

/// What compile() makes of a Model. Results are those of algorithms/ within rounding (tested to 1e-12 of the largest component).
///
/// Links get frames of their own (z along the joint's axis, x such that the next link is reached by one turn about x), and
/// inertial parameters that no torque can tell apart are moved towards the base, where they join others or vanish. Energies,
/// centres of mass and joint wrenches are therefore not to be had from here: ask algorithms/.
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

  /// Takes over the model's present gravity, payloads and friction speed. `model` must be the one that was compiled, or a copy.
  /// Real-time safe.
  void update(const Model& model) noexcept;

  // What kernels and generators read.
  [[nodiscard]] const CompactLayout& layout() const noexcept { return parts_.layout; }
  [[nodiscard]] const KernelTable& kernels() const noexcept { return *parts_.kernels; }
  /// From body i's frame in Model to its compact frame; 0 is the base.
  [[nodiscard]] const Transform& frame(Index body) const noexcept {
    return parts_.frames[static_cast<std::size_t>(body)];
  }
  /// True if v, a and tau are not the kernels' own coordinates one by one: with mimic joints.
  [[nodiscard]] bool reduced() const noexcept { return parts_.reduced; }
  /// Of own coordinate k: x_own[k] = ratio * x[index].
  [[nodiscard]] double own_ratio(Index k) const noexcept { return parts_.own_ratio[to_size(k)]; }
  [[nodiscard]] Index own_index(Index k) const noexcept { return parts_.own_index[to_size(k)]; }
  /// The full mass matrix in the model's coordinates, where they are not the kernels' own.
  [[nodiscard]] const FactorRows& reduced_rows() const noexcept { return parts_.reduced_rows; }
  /// Numbers that this one takes, and the packed mass matrix in own coordinates.
  [[nodiscard]] std::int64_t reduced_size() const noexcept { return parts_.reduced_size; }
  [[nodiscard]] std::int64_t packed_size() const noexcept { return parts_.packed_size; }
  /// True if every coordinate meets every other in the mass matrix.
  [[nodiscard]] bool is_chain() const noexcept { return parts_.is_chain; }
  /// Forward dynamics by articulated bodies instead of a factorised mass matrix: quicker for deep trees.
  [[nodiscard]] bool prefers_articulated() const noexcept { return parts_.prefers_articulated; }

 private:
  friend CompactModel compile(const Model& model);
  class Compiler;
  CompactModel() = default;
  static std::size_t to_size(Index i) noexcept { return static_cast<std::size_t>(i); }
  void bind() noexcept;
  void regroup(const Model& model) noexcept;

  /// Everything but the pointers in `layout`, which bind() sets after each copy.
  struct Parts {
    Index nq = 0;
    Index nv = 0;
    CompactLayout layout;
    const KernelTable* kernels = nullptr;
    bool reduced = false;
    bool prefers_articulated = false;
    bool is_chain = true;
    std::int64_t packed_size = 0;
    std::int64_t reduced_size = 0;

    std::vector<Transform> frames;  // per body
    std::vector<Inertia> inertias;  // per body, in its compact frame; scratch of regroup()
    std::vector<Matrix3>
        child_rotation;  // per joint: its link's axes in the parent's at theta = 0; prismatic: at its theta
    std::vector<CompactLink> links;
    std::vector<CompactExtra> extras;
    std::vector<std::uint8_t> flags;
    std::vector<std::int32_t> parent, first, q_index;
    std::vector<double> angle_ratio, angle_offset;
    std::vector<CompactSlide> slides;
    std::vector<double> armature, damping, friction, inertia_scale;  // per own coordinate
    std::vector<std::int32_t> parent_coordinate, last, depth;
    std::vector<std::int64_t> row;
    std::vector<std::int32_t> first_bundle, slot;
    std::vector<std::int64_t> slot_start;
    std::vector<double> own_ratio;
    std::vector<Index> own_index;
    FactorRows reduced_rows;  // of the mass matrix in the model's coordinates
    std::vector<std::int32_t> reduced_parent, reduced_last, reduced_depth;
    std::vector<std::int64_t> reduced_row;
    std::vector<double> reduced_scale;
  };
  Parts parts_;
};

/// Compiles a model for the instruction set chosen at start (see isa.hpp). Linear in joints. Allocates.
CompactModel compile(const Model& model);

}  // namespace spatial_dynamics
