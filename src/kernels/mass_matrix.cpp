#include "spatial_dynamics/kernels/mass_matrix.hpp"

#include "coordinates.hpp"

namespace spatial_dynamics {

const MatrixXd& mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q) noexcept {
  assert(q.size() == model.nq());
  const KernelScratch& scratch = workspace.memory.scratch();
  model.kernels().mass_matrix(model.layout(), scratch, q.data());
  MatrixXd& M = workspace.M;
  const double* packed = scratch.packed;
  FactorRows rows = model.layout().rows;
  if (model.reduced()) {
    reduce_rows(model, scratch.packed, workspace.reduced);
    packed = workspace.reduced.data();
    rows = model.reduced_rows();
  }
  if (!model.is_chain()) M.setZero();
  const Index n = M.rows();
  double* const column = M.data();
  for_each_entry(rows, packed, [column, n](Index k, Index i, double entry) {
    column[k * n + i] = entry;
    column[i * n + k] = entry;
  });
  return M;
}

bool inverse_mass_matrix(const CompactModel& model, Workspace& workspace, VectorIn q,
                         Eigen::Ref<MatrixXd> inverse) noexcept {
  assert(q.size() == model.nq() && inverse.rows() == model.nv() && inverse.cols() == model.nv());
  const KernelScratch& scratch = workspace.memory.scratch();
  const KernelTable& kernels = model.kernels();
  kernels.mass_matrix(model.layout(), scratch, q.data());
  double* packed = scratch.packed;
  FactorRows rows = model.layout().rows;
  if (model.reduced()) {
    reduce_rows(model, scratch.packed, workspace.reduced);
    packed = workspace.reduced.data();
    rows = model.reduced_rows();
  }
  if (!kernels.factorise(rows, packed, scratch.pivot)) {
    inverse.setZero();
    return false;
  }
  inverse.setIdentity();
  for (Index k = 0; k < model.nv(); ++k) {
    kernels.solve(rows, packed, scratch.pivot, inverse.col(k).data());
  }
  return true;
}

}  // namespace spatial_dynamics
