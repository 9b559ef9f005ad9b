// The kernels of one instruction set, as functions on plain arrays.
#pragma once

#include "kernels/layout.hpp"

namespace spatial_dynamics::kernels {

/// A state in unreduced coordinates. Numbers, or lanes of 4 states for the batch kernels.
struct KernelState {
  const double* q = nullptr;
  const double* v = nullptr;
  const double* x = nullptr;  ///< accelerations, or torques for forward dynamics
  const double* external =
      nullptr;  ///< 6 per joint, [force; moment] on its link in compact frames; may be null
};

/// Nanoseconds that the two methods of forward dynamics take, fitted to measured times. Only their
/// ratio matters.
struct ForwardDynamicsCosts {
  double coordinate, entry, update;  ///< factorised: per coordinate, times its depth, and squared
  double plain, step, further;  ///< articulated: per joint; more for another joint than a plain
                                ///< one, and for each coordinate after a joint's first
};

/// All are real-time safe and accept any number; numbers that are not finite propagate through the
/// formulas.
struct KernelTable {
  using Layout = const CompactLayout&;
  using Scratch = const KernelScratch&;
  using State = const KernelState&;

  const char* name;
  ForwardDynamicsCosts single, batch;  ///< of one state, and per state of a batch
  void (*inverse_dynamics)(Layout, Scratch, State, double* tau) noexcept;
  /// The same without rotors and friction.
  void (*rigid_body_torque)(Layout, Scratch, State, double* tau) noexcept;
  void (*bias_torque)(Layout, Scratch, State, double* tau) noexcept;
  void (*gravity_torque)(Layout, Scratch, const double* q, double* tau) noexcept;
  /// Into scratch.pose, joints up to `last`.
  void (*poses)(Layout, Scratch, const double* q, int last) noexcept;
  /// Into scratch.packed.
  void (*mass_rows)(Layout, Scratch, const double* q) noexcept;
  /// Both halves, a row and a column per unreduced coordinate. Entries of coordinates on different
  /// branches are zero or not written.
  void (*mass_matrix)(Layout, Scratch, const double* q, double* M) noexcept;
  /// False where there is no unique solution.
  bool (*forward_dynamics)(Layout, Scratch, State, double* acceleration) noexcept;
  bool (*articulated_dynamics)(Layout, Scratch, State, double* acceleration) noexcept;
  /// L over `packed`, 1/D into `inverse`; then x <- M^-1 x.
  bool (*factorise)(const FactorRows&, double* packed, double* inverse) noexcept;
  void (*solve)(const FactorRows&, const double* packed, const double* inverse, double* x) noexcept;

  void (*inverse_dynamics_batch)(Layout, Scratch, State, double* tau) noexcept;
  void (*mass_rows_batch)(Layout, Scratch, const double* q) noexcept;
  bool (*forward_dynamics_batch)(Layout, Scratch, State, double* acceleration) noexcept;
  bool (*articulated_dynamics_batch)(Layout, Scratch, State, double* acceleration) noexcept;
  bool (*factorise_batch)(const FactorRows&, double* packed, double* inverse) noexcept;
  void (*solve_batch)(const FactorRows&, const double* packed, const double* inverse,
                      double* x) noexcept;

  /// Numbers of four columns side by side, and back.
  void (*to_lanes)(int count, const double* const* columns, double* lanes) noexcept;
  void (*from_lanes)(int count, const double* lanes, double* const* columns) noexcept;
  /// Packed rows in lanes as four full matrices; `column` is scratch space for one column of lanes.
  void (*unpack_batch)(const FactorRows&, const double* packed, double* column,
                       double* const* matrices) noexcept;

  /// Derivatives of inverse dynamics without friction, with external wrenches, and M unless it is
  /// null: a row and a column per unreduced coordinate, column by column. Entries of coordinates on
  /// different branches are not written.
  void (*inverse_dynamics_derivatives)(Layout, Scratch, State, double* by_q, double* by_v,
                                       double* M) noexcept;
  /// M^-1 from the result of factorise(), column by column.
  void (*invert)(const FactorRows&, const double* packed, const double* inverse,
                 double* result) noexcept;
  /// -A B, column by column, where B has the sparsity of M: the columns from `begin` to before
  /// `end`, and maybe others. `result` must not alias A or B.
  void (*negative_product)(const FactorRows&, int begin, int end, const double* A, const double* B,
                           double* result) noexcept;

  void (*sine_cosine)(int count, const double* angle, double* sine, double* cosine) noexcept;
  void (*hyperbolic_tangent)(int count, const double* x, double* result) noexcept;
};

/// The fastest set that this machine supports, or the set named by SPATIAL_DYNAMICS_ISA. Chosen
/// once.
const KernelTable& chosen_kernels() noexcept;

// One table per instruction set: each has a source file with its compiler options in
// CMakeLists.txt.
extern const KernelTable kBaselineKernels;  ///< supported by every machine of this architecture
extern const KernelTable kV3Kernels;        ///< x86-64-v3: AVX2 and fused multiply-add
extern const KernelTable kV4Kernels;        ///< x86-64-v4: AVX-512, for its 32 registers

/// The kernels of this name, null if this program or this machine does not support them.
const KernelTable* kernels_named(const char* isa) noexcept;

}  // namespace spatial_dynamics::kernels
