// Which method computes forward dynamics faster: a model fitted to measured times.
#pragma once

#include <cstdint>

namespace spatial_dynamics::kernels {

/// The sizes of a robot that decide how long forward dynamics takes.
struct ForwardWork {
  // the factorised mass matrix: a row per coordinate, with `depth` entries before its diagonal
  double coordinates = 0.0;
  double depths = 0.0;          ///< sum over coordinates
  double squared_depths = 0.0;  ///< the same of the squares
  // articulated bodies
  double joints = 0.0;
  double steps = 0.0;    ///< joints that are not plain: the first, siblings, not revolute
  double further = 0.0;  ///< coordinates except a joint's first

  void add_coordinate(std::int32_t depth) noexcept;
  void add_joint(bool plain, int its_coordinates) noexcept;
};

/// True if articulated bodies take less time than the mass matrix and its factor with the kernels
/// of this instruction set, for one state or for a batch of four. Real-time safe.
bool articulated_is_faster(const ForwardWork& work, const char* isa, bool batch) noexcept;

}  // namespace spatial_dynamics::kernels
