// Batches of states, four at a time: for model-predictive control, sampling, learning and checks of
// trajectories.
#pragma once

#include "kernels/workspace.hpp"

namespace spatial_dynamics::kernels {

/// A read-only matrix argument, one state per column.
using StatesIn = const Eigen::Ref<const MatrixXd>&;
/// A matrix to be filled, one state per column.
using StatesOut = Eigen::Ref<MatrixXd>;

/// Scratch space of the batch kernels on one model. Construct once (allocates). One per thread.
struct BatchWorkspace {
  /// `with_matrix` as in Workspace. Allocates.
  explicit BatchWorkspace(const CompactModel& model, bool with_matrix = true);
  ScratchMemory memory;  ///< four states wide
  VectorXd external;     ///< wrenches in bodies' and compact frames, four states wide
  VectorXd reduced;      ///< packed mass matrices with mimic joints, four states wide
  Workspace single;      ///< for states that cannot be computed four at a time
};

/// tau(:, i) = inverse_dynamics(q(:, i), v(:, i), a(:, i)), for any number of columns. Real-time
/// safe.
void inverse_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                            StatesIn v, StatesIn a, StatesOut tau) noexcept;
/// The same with external wrenches. A column has six numbers per body, the base's first: moment and
/// force that act ON it, in the body's frame at its origin. There is one column per state, or one
/// column for all states.
void inverse_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                            StatesIn v, StatesIn a, StatesIn external, StatesOut tau) noexcept;

/// a(:, i) = forward_dynamics(q(:, i), v(:, i), tau(:, i)); zero where there is no unique solution.
/// Returns the number of such states. Real-time safe.
Index forward_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                             StatesIn v, StatesIn tau, StatesOut a) noexcept;
/// The same with external wrenches, as above.
Index forward_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                             StatesIn v, StatesIn tau, StatesIn external, StatesOut a) noexcept;

/// M(:, i) is the mass matrix at q(:, i), its nv x nv entries column by column. Entries between
/// coordinates on different branches are not written: they must be zero. Real-time safe.
void mass_matrix_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                       StatesOut M) noexcept;

}  // namespace spatial_dynamics::kernels
