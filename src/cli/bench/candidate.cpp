#include "cli/bench/candidate.hpp"

#include <limits>

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

double difference(const MatrixXd& results, const MatrixXd& expected) {
  // maxCoeff() may ignore NaN.
  if (!results.allFinite() || !expected.allFinite()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return (results - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

void Candidate::compute_all(Task task, const BenchStates& states, MatrixXd* results) {
  for (Index i = 0; i < states.q.cols(); ++i) {
    compute(task, states.q.col(i).data(), states.v.col(i).data(), states.x.col(i).data(),
            results != nullptr ? results->col(i).data() : nullptr);
  }
}

}  // namespace spatial_dynamics::cli
