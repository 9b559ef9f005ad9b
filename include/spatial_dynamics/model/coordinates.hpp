// The scalar coordinates of a robot: the numbers of q and v that messages address by name.
#pragma once

#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics {

/// One number of q and v, with the name that joint states, references and torques use for it: the
/// name of the joint, or for a planar joint `<joint>/x`, `<joint>/y`, `<joint>/theta` (velocities
/// along the axes of the child, see Joint).
struct ScalarCoordinate {
  std::string name;
  Index joint = 0;
  Index q = 0;         ///< index into q
  Index v = 0;         ///< index into v
  bool wraps = false;  ///< a continuous joint: positions that differ by whole turns are equal
  JointType type = JointType::kRevolute;  ///< of the joint
};

/// All coordinates except those of a floating base, in the model's order. Throws ModelError if a
/// joint other than the base floats, because no message has its state. Allocates.
std::vector<ScalarCoordinate> scalar_coordinates(const Model& model);

/// Their names, in order. Allocates.
std::vector<std::string> names_of(const std::vector<ScalarCoordinate>& coordinates);

/// The coordinates in the order of `names` if both have the same names, otherwise unchanged.
/// Allocates.
std::vector<ScalarCoordinate> in_order(std::vector<ScalarCoordinate> coordinates,
                                       const std::vector<std::string>& names);

/// True if the first joint floats and its parent is the world.
bool has_floating_base(const Model& model) noexcept;

/// The layout of q and v: a floating base or none, then the scalar coordinates. Construction
/// allocates; everything else is real-time safe.
class Coordinates {
 public:
  /// Throws ModelError as scalar_coordinates().
  explicit Coordinates(const Model& model);

  [[nodiscard]] Index nq() const noexcept { return nq_; }
  [[nodiscard]] Index nv() const noexcept { return nv_; }
  [[nodiscard]] bool floating_base() const noexcept { return floating_base_; }
  [[nodiscard]] const std::string& root_link() const noexcept { return root_link_; }
  [[nodiscard]] const std::vector<ScalarCoordinate>& scalars() const noexcept { return scalars_; }

  [[nodiscard]] std::size_t size() const noexcept { return scalars_.size(); }
  [[nodiscard]] const ScalarCoordinate& operator[](std::size_t k) const noexcept {
    return scalars_[k];
  }
  [[nodiscard]] auto begin() const noexcept { return scalars_.begin(); }
  [[nodiscard]] auto end() const noexcept { return scalars_.end(); }

  /// True if both have the same layout: the same joint names and types at the same indices of q and
  /// v.
  [[nodiscard]] bool same_as(const Coordinates& other) const noexcept;

 private:
  Index nq_, nv_;
  bool floating_base_;
  std::string root_link_;
  std::vector<ScalarCoordinate> scalars_;
};

}  // namespace spatial_dynamics
