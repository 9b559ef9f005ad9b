#include <random>

#include "spatial_dynamics/kernels/forward_dynamics.hpp"
#include "spatial_dynamics/kernels/generated_library.hpp"
#include "spatial_dynamics/kernels/inverse_dynamics.hpp"
#include "spatial_dynamics/kernels/mass_matrix.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kStates = 16;
constexpr double kTolerance = 1e-10;

class RandomStates {
 public:
  explicit RandomStates(const Model& model) : model_(model) {}

  VectorXd vector(Index size) {
    VectorXd x(size);
    for (double& entry : x) entry = uniform_(random_);
    return x;
  }
  VectorXd configuration() {
    VectorXd q = 2.0 * vector(model_.nq());
    for (const Index i : model_.coordinate_joints()) {
      const Joint& joint = model_.joint(i);
      if (joint.type == JointType::kFloating) q.segment<4>(joint.q_index + 3).normalize();
    }
    return q;
  }

 private:
  const Model& model_;
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

/// Largest difference over the largest component; infinite where either is not finite.
double relative_difference(const MatrixXd& a, const MatrixXd& b) {
  if (a.size() == 0) return 0.0;
  const double difference = (a - b).cwiseAbs().maxCoeff(), size = b.cwiseAbs().maxCoeff();
  return difference <= kTolerance * size ? 0.0 : difference / size;
}

std::string sentence(const char* function, double difference) {
  return std::string("generated ") + function + " differs from the loop kernel by " +
         std::to_string(difference) + " of its largest component; the loop kernel is to be used";
}

}  // namespace

std::string find_difference(const GeneratedFunctions& generated, const Model& model) {
  if (generated.nq() != model.nq() || generated.nv() != model.nv()) {
    return "generated code is for a robot with " + std::to_string(generated.nv()) +
           " degrees of freedom, and this one has " + std::to_string(model.nv());
  }
  const CompactModel compact = compile(model);
  Workspace workspace(compact);
  RandomStates states(model);
  const Index n = model.nv();
  const double* gravity = model.gravity().data();
  const bool regular = model.forward_dynamics_refusal().empty();
  for (int i = 0; i < kStates; ++i) {
    const VectorXd q = states.configuration(), v = states.vector(n), x = states.vector(n);
    VectorXd tau(n), acceleration(n);
    MatrixXd M(n, n);
    generated.inverse_dynamics(q.data(), v.data(), x.data(), gravity, nullptr, tau.data());
    double difference = relative_difference(tau, inverse_dynamics(compact, workspace, q, v, x));
    if (!(difference == 0.0)) return sentence("inverse dynamics", difference);
    generated.mass_matrix(q.data(), nullptr, M.data());
    difference = relative_difference(M, mass_matrix(compact, workspace, q));
    if (!(difference == 0.0)) return sentence("mass matrix", difference);
    if (!regular) continue;
    // Accelerations differ by the condition of M; the torques that they take do not.
    generated.forward_dynamics(q.data(), v.data(), tau.data(), gravity, nullptr,
                               acceleration.data());
    const VectorXd again = M * (acceleration - x);
    difference = relative_difference(tau + again, tau);
    if (!(difference == 0.0)) return sentence("forward dynamics", difference);
  }
  return {};
}

}  // namespace spatial_dynamics
