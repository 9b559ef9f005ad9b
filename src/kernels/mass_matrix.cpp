#include "spatial_dynamics/kernels/mass_matrix.hpp"

#include "coordinates.hpp"

namespace spatial_dynamics {

namespace {

/// The packed mass matrix in the model's coordinates.
PackedMatrix pack(const CompactModel& model, Workspace& workspace, VectorIn q) noexcept {
  assert(q.size() == model.nq());
  const KernelScratch& scratch = workspace.memory.scratch();
  model.kernels().mass_matrix(model.layout(), scratch, q.data());
  if (model.reduced()) reduce_rows(model, scratch.packed, workspace.reduced);
  return packed_matrix(model, workspace);
}

}  // namespace

const MatrixXd& mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q) noexcept {
  const auto [rows, packed] = pack(model, workspace, q);
  MatrixXd& M = workspace.M;
  const Index n = M.rows();
  double* const column = M.data();
  if (model.is_chain() || model.reduced()) {  // every row has all coordinates before it
    for (Index k = 0; k < n; ++k) {
      const double* const row = packed + rows.diagonal[k] - k;
      for (Index i = 0; i <= k; ++i) column[k * n + i] = column[i * n + k] = row[i];
    }
    return M;
  }
  M.setZero();
  for_each_entry(rows, packed, [column, n](Index k, Index i, double entry) {
    column[k * n + i] = entry;
    column[i * n + k] = entry;
  });
  return M;
}

bool inverse_mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q,
                         Eigen::Ref<MatrixXd> inverse) noexcept {
  assert(inverse.rows() == model.nv() && inverse.cols() == model.nv() &&
         inverse.outerStride() == model.nv());
  const auto [rows, packed] = pack(model, workspace, q);
  double* const pivot = workspace.memory.scratch().pivot;
  if (!model.kernels().factorise(rows, packed, pivot)) {
    inverse.setZero();
    return false;
  }
  model.kernels().invert(rows, packed, pivot, inverse.data());
  return true;
}

}  // namespace spatial_dynamics
