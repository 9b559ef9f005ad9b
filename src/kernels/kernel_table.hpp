// The kernels of one instruction set, as functions on plain arrays.
#pragma once

#include "spatial_dynamics/kernels/layout.hpp"

namespace spatial_dynamics {

/// A state in the kernels' own coordinates. Numbers, or lanes of 4 states for the batch kernels.
struct KernelState {
  const double* q = nullptr;
  const double* v = nullptr;
  const double* x = nullptr;  ///< accelerations, or torques for forward dynamics
  const double* external =
      nullptr;  ///< 6 a joint, [force; moment] on its link in compact frames; may be null
};

/// All are real-time safe and tolerate any number: what is not finite comes out as it does from the formulas.
struct KernelTable {
  using Layout = const CompactLayout&;
  using Scratch = const KernelScratch&;
  using State = const KernelState&;

  const char* name;
  void (*inverse_dynamics)(Layout, Scratch, State, double* tau) noexcept;
  void (*bias_torque)(Layout, Scratch, State, double* tau) noexcept;
  void (*gravity_torque)(Layout, Scratch, const double* q, double* tau) noexcept;
  /// Into scratch.stance, joints up to `last`.
  void (*stances)(Layout, Scratch, const double* q, int last) noexcept;
  /// Into scratch.packed.
  void (*mass_matrix)(Layout, Scratch, const double* q) noexcept;
  /// False where there is no unique answer.
  bool (*forward_dynamics)(Layout, Scratch, State, double* acceleration) noexcept;
  bool (*articulated_dynamics)(Layout, Scratch, State, double* acceleration) noexcept;
  /// L over `packed`, 1/D into `inverse`; then x <- M^-1 x.
  bool (*factorise)(const FactorRows&, double* packed, double* inverse) noexcept;
  void (*solve)(const FactorRows&, const double* packed, const double* inverse, double* x) noexcept;

  void (*inverse_dynamics_batch)(Layout, Scratch, State, double* tau) noexcept;
  void (*mass_matrix_batch)(Layout, Scratch, const double* q) noexcept;
  bool (*forward_dynamics_batch)(Layout, Scratch, State, double* acceleration) noexcept;
  bool (*articulated_dynamics_batch)(Layout, Scratch, State, double* acceleration) noexcept;
  bool (*factorise_batch)(const FactorRows&, double* packed, double* inverse) noexcept;
  void (*solve_batch)(const FactorRows&, const double* packed, const double* inverse,
                      double* x) noexcept;

  /// Numbers of four columns side by side, and back.
  void (*to_lanes)(int count, const double* const* columns, double* lanes) noexcept;
  void (*from_lanes)(int count, const double* lanes, double* const* columns) noexcept;
  /// Packed rows in lanes as four full matrices; `column` has room for one column of lanes.
  void (*unpack_batch)(const FactorRows&, const double* packed, double* column,
                       double* const* matrices) noexcept;

  /// Derivatives of inverse dynamics without friction, and M unless it is null: a row and a column per own coordinate, column by column. Entries of
  /// coordinates on different branches are not touched.
  void (*inverse_dynamics_slopes)(Layout, Scratch, State, double* by_q, double* by_v,
                                  double* M) noexcept;
  /// M^-1 from what factorise() left, column by column.
  void (*invert)(const FactorRows&, const double* packed, const double* inverse,
                 double* result) noexcept;
  /// -A B, column by column, where B has the sparsity of M; `result` is neither.
  void (*negative_product)(const FactorRows&, const double* A, const double* B,
                           double* result) noexcept;

  void (*sine_cosine)(int count, const double* angle, double* sine, double* cosine) noexcept;
  void (*hyperbolic_tangent)(int count, const double* x, double* result) noexcept;
};

/// The fastest that this machine can run, or what SPATIAL_DYNAMICS_ISA names. Chosen once.
const KernelTable& chosen_kernels() noexcept;

}  // namespace spatial_dynamics
