#include "kernels/mass_matrix.hpp"

#include <utility>

#include "coordinates.hpp"

namespace spatial_dynamics::kernels {

const MatrixXd& mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q) noexcept {
  const auto [rows, packed] = packed_mass_matrix(model, workspace, q);
  MatrixXd& M = workspace.M;
  const Index n = M.rows();
  double* const entries = M.data();
  if (model.is_chain() || model.reduced()) {  // no structural zeros
    for (Index k = 0; k < n; ++k) {
      const double* const row = packed + rows.start[k];
      double* const column = entries + k * n;
      double* mirrored = entries + k;
      for (Index i = 0; i <= k; ++i, mirrored += n) *mirrored = column[i] = row[i];
    }
    return M;
  }
  if (!std::exchange(workspace.has_zeros, true)) M.setZero();
  for (Index i = 0; i < n; ++i) {
    const double* const entry = packed + rows.depth[i];
    for (Index k = i; k <= rows.last[i]; ++k) {
      entries[i * n + k] = entries[k * n + i] = entry[rows.start[k]];
    }
  }
  return M;
}

bool inverse_mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q,
                         Eigen::Ref<MatrixXd> inverse) noexcept {
  assert(inverse.rows() == model.nv() && inverse.cols() == model.nv() &&
         inverse.outerStride() == model.nv());
  const auto [rows, packed] = packed_mass_matrix(model, workspace, q);
  double* const pivot = workspace.memory.scratch().pivot;
  if (!model.kernels().factorise(rows, packed, pivot)) {
    inverse.setZero();
    return false;
  }
  model.kernels().invert(rows, packed, pivot, inverse.data());
  return true;
}

}  // namespace spatial_dynamics::kernels
