#include "kernels/mass_factor.hpp"

#include "coordinates.hpp"

namespace spatial_dynamics::kernels {
namespace {

/// result = A x, where the packed rows of A are symmetric.
void multiply(const FactorRows& rows, const double* packed, const double* x,
              double* result) noexcept {
  for (std::int32_t k = 0; k < rows.count; ++k) {
    const double* entry = packed + rows.diagonal(k);
    double sum = *entry * x[k];
    for (std::int32_t i = rows.parent[k]; i >= 0; i = rows.parent[i]) {
      const double a = *--entry;
      sum += a * x[i];
      result[i] += a * x[k];
    }
    result[k] = sum;
  }
}

/// Removes what couples locked coordinates to others.
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
  if (workspace.factored && workspace.factored_q == q && workspace.factored_added == added) {
    return true;
  }
  const auto [rows, packed] = packed_mass_matrix(model, workspace, q);
  for (std::int32_t i = 0; i < rows.count; ++i) packed[rows.diagonal(i)] += added[i];
  workspace.factored = model.kernels().factorise(rows, packed, workspace.memory.scratch().pivot);
  workspace.factored_q = q;
  workspace.factored_added = added;
  return workspace.factored;
}

void solve_factorised(const CompactModel& model, const Workspace& workspace, double* x) noexcept {
  const bool reduced = model.reduced();
  const KernelScratch& scratch = workspace.memory.scratch();
  model.kernels().solve(reduced ? model.reduced_rows() : model.layout().rows,
                        reduced ? workspace.reduced.data() : scratch.packed, scratch.pivot, x);
}

void prepare_locked(const CompactModel& model, Workspace& workspace, VectorIn q,
                    VectorIn added) noexcept {
  const auto [rows, packed] = packed_mass_matrix(model, workspace, q);
  for (std::int32_t i = 0; i < rows.count; ++i) packed[rows.diagonal(i)] += added[i];
  workspace.unlocked = Eigen::Map<const VectorXd>(packed, workspace.unlocked.size());
}

bool solve_locked(const CompactModel& model, Workspace& workspace, const std::uint8_t* locked,
                  double* x, double* torque) noexcept {
  workspace.factored = false;
  const auto [rows, packed] = packed_matrix(model, workspace);
  const double* const matrix = workspace.unlocked.data();
  double* const pivot = workspace.memory.scratch().pivot;
  double* const given = workspace.memory.vector(0);
  for (std::int32_t i = 0; i < rows.count; ++i) {
    given[i] = x[i];
    if (locked[i] == 0) x[i] = 0.0;
  }
  multiply(rows, matrix, x, torque);
  Eigen::Map<VectorXd>(packed, workspace.unlocked.size()) = workspace.unlocked;
  decouple(rows, locked, packed);
  if (!model.kernels().factorise(rows, packed, pivot)) return false;
  for (std::int32_t i = 0; i < rows.count; ++i) {
    x[i] = locked[i] != 0 ? 0.0 : given[i] - torque[i];
  }
  model.kernels().solve(rows, packed, pivot, x);
  for (std::int32_t i = 0; i < rows.count; ++i) {
    if (locked[i] != 0) x[i] = given[i];
  }
  multiply(rows, matrix, x, torque);
  for (std::int32_t i = 0; i < rows.count; ++i) {
    if (locked[i] == 0) torque[i] = given[i];
  }
  return true;
}

}  // namespace spatial_dynamics::kernels
