#include "contender.hpp"

namespace spatial_dynamics::cli {

const char* to_string(Task task) noexcept {
  switch (task) {
    case Task::kInverseDynamics:
      return "inverse_dynamics";
    case Task::kMassMatrix:
      return "mass_matrix";
    case Task::kForwardDynamics:
      return "forward_dynamics";
    case Task::kInverseMassMatrix:
      return "inverse_mass_matrix";
    case Task::kInverseDerivatives:
      return "inverse_derivatives";
    case Task::kForwardDerivatives:
      break;
  }
  return "forward_derivatives";
}

Index result_size(Task task, Index nv) noexcept {
  switch (task) {
    case Task::kInverseDynamics:
    case Task::kForwardDynamics:
      return nv;
    case Task::kMassMatrix:
    case Task::kInverseMassMatrix:
      return nv * nv;
    case Task::kInverseDerivatives:
    case Task::kForwardDerivatives:
      break;
  }
  return 3 * nv * nv;
}

bool needs_inverse(Task task) noexcept {
  return task == Task::kForwardDynamics || task == Task::kInverseMassMatrix ||
         task == Task::kForwardDerivatives;
}

void Contender::compute_all(Task task, const BenchStates& s, MatrixXd& results) {
  for (Index i = 0; i < s.q.cols(); ++i) {
    compute(task, s.q.col(i).data(), s.v.col(i).data(), s.x.col(i).data(), results.col(i).data());
  }
}

}  // namespace spatial_dynamics::cli
