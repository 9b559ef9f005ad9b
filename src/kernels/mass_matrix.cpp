#include "kernels/mass_matrix.hpp"

#include <utility>

#include "coordinates.hpp"

namespace spatial_dynamics::kernels {

const MatrixXd& mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q) noexcept {
  MatrixXd& M = workspace.M;
  if (model.reduced()) {  // no structural zeros
    const auto [rows, packed] = packed_mass_matrix(model, workspace, q);
    for_each_entry(rows, packed,
                   [&M](Index k, Index i, double entry) { M(i, k) = M(k, i) = entry; });
    return M;
  }
  assert(q.size() == model.nq());
  if (!std::exchange(workspace.has_zeros, true) && !model.is_chain()) M.setZero();
  model.kernels().mass_matrix(model.layout(), workspace.memory.scratch(), q.data(), M.data());
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
