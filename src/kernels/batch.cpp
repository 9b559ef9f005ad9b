#include "kernels/batch.hpp"

#include <cstdint>

#include "coordinates.hpp"
#include "kernels/forward_dynamics.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"

namespace spatial_dynamics::kernels {
namespace {

constexpr Index kLanes = 4;

/// Space for numbers in lanes, which must be aligned to their size; Eigen's memory is not on every
/// platform.
constexpr Index kSlack = kLanes - 1;
double* lanes_in(VectorXd& buffer) noexcept {
  constexpr std::uintptr_t kSize = kLanes * sizeof(double);
  const auto start = reinterpret_cast<std::uintptr_t>(buffer.data());
  return buffer.data() + (kSize - start % kSize) % kSize / sizeof(double);
}

/// Where the columns of the group at `first` start: after the last column, the last column repeats.
template <typename Number, typename Matrix>
void find_columns(Matrix& x, Index first, Number** columns) noexcept {
  for (Index l = 0; l < kLanes; ++l) {
    columns[l] = x.data() + x.outerStride() * std::min(first + l, x.cols() - 1);
  }
}

/// Numbers of four columns side by side.
void to_lanes(const CompactModel& model, StatesIn x, Index first, double* buffer) noexcept {
  const double* columns[kLanes];
  find_columns(x, first, columns);
  model.kernels().to_lanes(static_cast<int>(x.rows()), columns, buffer);
}
/// The same in unreduced coordinates.
void to_unreduced_lanes(const CompactModel& model, StatesIn x, Index first,
                        double* buffer) noexcept {
  if (!model.reduced()) return to_lanes(model, x, first, buffer);
  const double* columns[kLanes];
  find_columns(x, first, columns);
  for (Index k = 0; k < model.layout().coordinates; ++k) {
    for (Index l = 0; l < kLanes; ++l) {
      buffer[kLanes * k + l] = model.unreduced_ratio(k) * columns[l][model.unreduced_index(k)];
    }
  }
}
void from_unreduced_lanes(const CompactModel& model, const double* buffer, Index first,
                          StatesOut& x) noexcept {
  double* columns[kLanes];
  find_columns(x, first, columns);
  if (!model.reduced()) {
    return model.kernels().from_lanes(static_cast<int>(x.rows()), buffer, columns);
  }
  for (Index l = 0; l < std::min(kLanes, x.cols() - first); ++l) {
    x.col(first + l).setZero();
    for (Index k = 0; k < model.layout().coordinates; ++k) {
      columns[l][model.unreduced_index(k)] += model.unreduced_ratio(k) * buffer[kLanes * k + l];
    }
  }
}

/// External wrenches of many states, or none.
struct Wrenches {
  const Eigen::Ref<const MatrixXd>* columns;

  [[nodiscard]] Index column_of(Index state) const noexcept {
    return columns->cols() == 1 ? 0 : state;
  }
  /// The wrenches of one state.
  [[nodiscard]] const Force* of(Index state) const noexcept {
    static_assert(sizeof(Force) == 6 * sizeof(double), "moment and force, nothing else");
    if (columns == nullptr) return nullptr;
    return reinterpret_cast<const Force*>(columns->col(column_of(state)).data());
  }
};
/// Wrenches of four states in compact frames, in the format of kernels; or null.
const double* to_unreduced_lanes(const CompactModel& model, const Wrenches& external, Index first,
                                 BatchWorkspace& workspace) noexcept {
  if (external.columns == nullptr) return nullptr;
  using Vectors = Eigen::Map<Eigen::Matrix<double, kLanes, 3>>;  // a row per state
  double* from = lanes_in(workspace.external);
  double* const result = from + 6 * kLanes * model.body_count();
  to_lanes(model, *external.columns, external.column_of(first), from);
  double* to = result;
  for (Index i = 1; i < model.body_count(); ++i) {
    from += 6 * kLanes;
    const Transform& X = model.frame(i);
    const Vectors moment(from), force(from + 3 * kLanes);
    Vectors{to}.noalias() = force.lazyProduct(X.E.transpose());
    const Eigen::Matrix<double, kLanes, 3> moved =
        moment - force.lazyProduct(skew(X.r).transpose());
    Vectors{to + 3 * kLanes}.noalias() = moved.lazyProduct(X.E.transpose());
    to += 6 * kLanes;
  }
  return result;
}

void compute_torques(const CompactModel& model, BatchWorkspace& workspace, StatesIn q, StatesIn v,
                     StatesIn a, const Wrenches& external, StatesOut& tau) noexcept {
  assert(q.rows() == model.nq() && v.rows() == model.nv() && a.rows() == model.nv());
  assert(v.cols() == q.cols() && a.cols() == q.cols() && tau.cols() == q.cols());
  const ScratchMemory& memory = workspace.memory;
  for (Index first = 0; first < q.cols(); first += kLanes) {
    to_lanes(model, q, first, memory.vector(0));
    to_unreduced_lanes(model, v, first, memory.vector(1));
    to_unreduced_lanes(model, a, first, memory.vector(2));
    const KernelState state{memory.vector(0), memory.vector(1), memory.vector(2),
                            to_unreduced_lanes(model, external, first, workspace)};
    model.kernels().inverse_dynamics_batch(model.layout(), memory.scratch(), state,
                                           memory.vector(3));
    from_unreduced_lanes(model, memory.vector(3), first, tau);
  }
}

/// With mimic joints: the rows of G' M G of four states.
void reduce_four(const CompactModel& model, const double* packed, VectorXd& full) noexcept {
  using Four = Eigen::Map<Eigen::Vector4d>;
  full.setZero();
  double* const sums = lanes_in(full);
  const FactorRows& rows = model.layout().rows;
  for (std::int32_t k = 0; k < rows.count; ++k) {
    const double* entry = packed + kLanes * rows.diagonal(k);
    for (std::int32_t i = k; i >= 0; i = rows.parent[i], entry -= kLanes) {
      const auto [b, a] = std::minmax({model.unreduced_index(k), model.unreduced_index(i)});
      // An off-diagonal entry represents two, which both add to one diagonal entry for a joint and
      // its leader.
      const double times = a == b && k != i ? 2.0 : 1.0;
      Four{sums + kLanes * (model.reduced_rows().start[a] + b)} +=
          times * model.unreduced_ratio(k) * model.unreduced_ratio(i) *
          Eigen::Map<const Eigen::Vector4d>(entry);
    }
  }
}
/// With mimic joints, (G' M G) a = tau - G' (bias + friction): overwrites `x`, the torques of four
/// states, with accelerations. False if one state has no unique solution.
bool solve_reduced(const CompactModel& model, BatchWorkspace& workspace, const double* unreduced_v,
                   const double* external, double* x) noexcept {
  const ScratchMemory& memory = workspace.memory;
  const KernelScratch& scratch = memory.scratch();
  const KernelTable& kernels = model.kernels();
  double* const resisting = memory.vector(3);
  double* const zero = scratch.gain;  // unused here: only articulated bodies need it
  std::fill_n(zero, kLanes * model.layout().coordinates, 0.0);
  const KernelState state{memory.vector(0), unreduced_v, zero, external};
  kernels.inverse_dynamics_batch(model.layout(), scratch, state, resisting);
  for (Index k = 0; k < model.layout().coordinates; ++k) {
    for (Index l = 0; l < kLanes; ++l) {
      x[kLanes * model.unreduced_index(k) + l] -=
          model.unreduced_ratio(k) * resisting[kLanes * k + l];
    }
  }
  kernels.mass_rows_batch(model.layout(), scratch, memory.vector(0));
  reduce_four(model, scratch.packed, workspace.reduced);
  double* const rows = lanes_in(workspace.reduced);
  if (!kernels.factorise_batch(model.reduced_rows(), rows, scratch.pivot)) return false;
  kernels.solve_batch(model.reduced_rows(), rows, scratch.pivot, x);
  return true;
}

/// Accelerations of four states side by side; null if one state has no unique solution.
const double* solve_four(const CompactModel& model, BatchWorkspace& workspace, Index first,
                         StatesIn q, StatesIn v, StatesIn tau, const Wrenches& external) noexcept {
  const ScratchMemory& memory = workspace.memory;
  double *unreduced_v = memory.vector(1), *x = memory.vector(2), *result = memory.vector(3);
  to_lanes(model, q, first, memory.vector(0));
  to_unreduced_lanes(model, v, first, unreduced_v);
  to_lanes(model, tau, first, x);
  const double* wrenches = to_unreduced_lanes(model, external, first, workspace);
  if (model.reduced())
    return solve_reduced(model, workspace, unreduced_v, wrenches, x) ? x : nullptr;
  const bool articulated = model.batch_prefers_articulated() || memory.scratch().packed == nullptr;
  const auto kernel = articulated ? model.kernels().articulated_dynamics_batch
                                  : model.kernels().forward_dynamics_batch;
  const KernelState state{memory.vector(0), unreduced_v, x, wrenches};
  return kernel(model.layout(), memory.scratch(), state, result) ? result : nullptr;
}

Index compute_accelerations(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                            StatesIn v, StatesIn tau, const Wrenches& external,
                            StatesOut& a) noexcept {
  assert(q.rows() == model.nq() && v.rows() == model.nv() && tau.rows() == model.nv());
  assert(v.cols() == q.cols() && tau.cols() == q.cols() && a.cols() == q.cols());
  Index singular = 0;
  for (Index first = 0; first < q.cols(); first += kLanes) {
    const double* result = solve_four(model, workspace, first, q, v, tau, external);
    if (result != nullptr) {
      double* columns[kLanes];
      find_columns(a, first, columns);
      model.kernels().from_lanes(static_cast<int>(a.rows()), result, columns);
    }
    const Index last = std::min(first + kLanes, q.cols());
    if (result != nullptr && a.middleCols(first, last - first).allFinite()) continue;
    // One state without a solution must not invalidate the others: compute one by one.
    for (Index i = first; i < last; ++i) {
      a.col(i) =
          forward_dynamics(model, workspace.single, q.col(i), v.col(i), tau.col(i), external.of(i));
      if (workspace.single.singular) ++singular;
    }
  }
  return singular;
}

}  // namespace

BatchWorkspace::BatchWorkspace(const CompactModel& model, bool with_matrix)
    : memory(model, kLanes, with_matrix),
      external(12 * kLanes * model.body_count() + kSlack),
      reduced(model.reduced() && with_matrix ? kLanes * model.reduced_size() + kSlack : 0),
      single(model, with_matrix) {}

void inverse_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                            StatesIn v, StatesIn a, StatesOut tau) noexcept {
  compute_torques(model, workspace, q, v, a, {nullptr}, tau);
}
void inverse_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                            StatesIn v, StatesIn a, StatesIn external, StatesOut tau) noexcept {
  assert(external.rows() == 6 * model.body_count());
  assert(external.cols() == q.cols() || external.cols() == 1);
  compute_torques(model, workspace, q, v, a, {&external}, tau);
}

Index forward_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                             StatesIn v, StatesIn tau, StatesOut a) noexcept {
  return compute_accelerations(model, workspace, q, v, tau, {nullptr}, a);
}
Index forward_dynamics_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                             StatesIn v, StatesIn tau, StatesIn external, StatesOut a) noexcept {
  assert(external.rows() == 6 * model.body_count());
  assert(external.cols() == q.cols() || external.cols() == 1);
  return compute_accelerations(model, workspace, q, v, tau, {&external}, a);
}

void mass_matrix_batch(const CompactModel& model, BatchWorkspace& workspace, StatesIn q,
                       StatesOut M) noexcept {
  assert(q.rows() == model.nq() && M.rows() == model.nv() * model.nv() && M.cols() == q.cols());
  const ScratchMemory& memory = workspace.memory;
  const double* packed = memory.scratch().packed;
  for (Index first = 0; first < q.cols(); first += kLanes) {
    to_lanes(model, q, first, memory.vector(0));
    model.kernels().mass_rows_batch(model.layout(), memory.scratch(), memory.vector(0));
    double* matrices[kLanes];
    find_columns(M, first, matrices);
    if (model.reduced()) reduce_four(model, packed, workspace.reduced);
    model.kernels().unpack_batch(model.reduced() ? model.reduced_rows() : model.layout().rows,
                                 model.reduced() ? lanes_in(workspace.reduced) : packed,
                                 memory.vector(1), matrices);
  }
}

}  // namespace spatial_dynamics::kernels
