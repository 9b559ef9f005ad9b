#include "kernels/mass_factor.hpp"

#include <algorithm>

#include "coordinates.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// packed <- M + diag(added).
void add_diagonal(const FactorRows& rows, const Workspace& workspace, double* packed) noexcept {
  std::copy_n(workspace.matrix.data(), workspace.matrix.size(), packed);
  for (std::int32_t k = 0; k < rows.count; ++k) packed[rows.diagonal(k)] += workspace.added(k);
}

/// result = (M + diag(added)) x.
void multiply(const FactorRows& rows, const Workspace& workspace, const double* x,
              double* result) noexcept {
  for (std::int32_t k = 0; k < rows.count; ++k) {
    const double* entry = workspace.matrix.data() + rows.diagonal(k);
    const double x_k = x[k];
    double sum = (*entry + workspace.added(k)) * x_k;
    for (std::int32_t i = rows.parent[k]; i >= 0; i = rows.parent[i]) {
      const double a = *--entry;
      sum += a * x[i];
      result[i] += a * x_k;
    }
    result[k] = sum;
  }
}

/// Removes the coupling of locked coordinates to others.
void decouple(const FactorRows& rows, const std::uint8_t* locked, double* packed) noexcept {
  for (std::int32_t k = 0; k < rows.count; ++k) {
    double* entry = packed + rows.diagonal(k);
    for (std::int32_t i = rows.parent[k]; i >= 0; i = rows.parent[i]) {
      --entry;
      if (locked[k] != 0 || locked[i] != 0) *entry = 0.0;
    }
  }
}

}  // namespace

bool factorise_mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q,
                           VectorIn added) noexcept {
  const bool same = workspace.matrix_q == q;  // false for NaN
  if (same && workspace.factor != 0 && workspace.added == added) return true;
  if (!same) {
    const double* const packed = packed_mass_matrix(model, workspace, q).packed;
    workspace.matrix = Eigen::Map<const VectorXd>(packed, workspace.matrix.size());
    workspace.matrix_q = q;
  }
  workspace.added = added;
  const auto [rows, packed] = packed_matrix(model, workspace);
  add_diagonal(rows, workspace, packed);
  const bool regular = model.kernels().factorise(rows, packed, workspace.memory.scratch().pivot);
  workspace.factor = regular ? ++workspace.factors : 0;
  return regular;
}

void solve_factorised(const CompactModel& model, Workspace& workspace, double* x) noexcept {
  const auto [rows, packed] = packed_matrix(model, workspace);
  model.kernels().solve(rows, packed, workspace.memory.scratch().pivot, x);
}

bool solve_locked(const CompactModel& model, Workspace& workspace, const std::uint8_t* locked,
                  double* x, double* torque) noexcept {
  const auto [rows, packed] = packed_matrix(model, workspace);
  double* const pivot = workspace.memory.scratch().pivot;
  double* const given = workspace.memory.vector(0);
  bool all = true;
  for (std::int32_t i = 0; i < rows.count; ++i) {
    given[i] = x[i];
    if (locked[i] != 0) continue;
    x[i] = 0.0;
    all = false;
  }
  multiply(rows, workspace, x, torque);
  if (all) return true;
  workspace.factor = 0;
  add_diagonal(rows, workspace, packed);
  decouple(rows, locked, packed);
  if (!model.kernels().factorise(rows, packed, pivot)) return false;
  for (std::int32_t i = 0; i < rows.count; ++i) {
    x[i] = locked[i] != 0 ? 0.0 : given[i] - torque[i];
  }
  model.kernels().solve(rows, packed, pivot, x);
  for (std::int32_t i = 0; i < rows.count; ++i) {
    if (locked[i] != 0) x[i] = given[i];
  }
  multiply(rows, workspace, x, torque);
  for (std::int32_t i = 0; i < rows.count; ++i) {
    if (locked[i] == 0) torque[i] = given[i];
  }
  return true;
}

}  // namespace spatial_dynamics::kernels
