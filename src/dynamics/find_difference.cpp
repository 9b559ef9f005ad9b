#include <random>

#include "kernels/forward_dynamics.hpp"
#include "kernels/inverse_dynamics.hpp"
#include "kernels/mass_matrix.hpp"
#include "spatial_dynamics/dynamics/generated_library.hpp"

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

/// States in columns.
struct States {
  MatrixXd q, v, x, external;
};
States random_states(const Model& model) {
  RandomStates random(model);
  const Index n = model.nv(), wrenches = 6 * model.body_count();
  States s{MatrixXd(model.nq(), kStates), MatrixXd(n, kStates), MatrixXd(n, kStates),
           MatrixXd(wrenches, kStates)};
  for (Index i = 0; i < kStates; ++i) {
    s.q.col(i) = random.configuration();
    s.v.col(i) = random.vector(n);
    s.x.col(i) = random.vector(n);
    s.external.col(i) = random.vector(wrenches);
  }
  return s;
}

/// One comparison.
struct Round {
  bool external = false;
  const double* payload = nullptr;
};

/// A payload in the format of generated code (mass, first moments and inertia about the link's
/// origin) and on the model.
constexpr double kPayload[10] = {0.5, 0.02, -0.03, 0.05, 0.02, 0.001, -0.002, 0.03, 0.003, 0.01};
Inertia payload_inertia() {
  Matrix3 I;
  I << kPayload[4], kPayload[5], kPayload[6], kPayload[5], kPayload[7], kPayload[8], kPayload[6],
      kPayload[8], kPayload[9];
  return {kPayload[0], Vector3(kPayload[1], kPayload[2], kPayload[3]), I};
}

/// The payload link of the generated code, or -1 if there is no moving link or it already has a
/// payload.
Index loadable_link(const Model& model, const std::string& payload_link) {
  const Index link = payload_link.empty() ? last_moving_link(model) : model.find_link(payload_link);
  if (link < 0 || model.link(link).body == 0) return -1;
  Model bare = model;
  bare.set_payload(link, Inertia::Zero());
  return bare.total_mass() == model.total_mass() ? link : -1;
}

/// Results in columns: torques, mass matrices, and the torques of the accelerations.
struct Results {
  explicit Results(Index n) : tau(n, kStates), M(n * n, kStates), drive(n, kStates) {}
  MatrixXd tau, M, drive;
};

/// Results of the kernels. `external`: with the wrenches.
Results loop_results(const Model& model, const States& s, bool external) {
  const kernels::CompactModel compact = kernels::compile(model);
  kernels::Workspace workspace(compact);
  const Index n = model.nv();
  Results results(n);
  std::vector<Force> wrenches(static_cast<std::size_t>(model.body_count()), Force::Zero());
  for (Index i = 0; i < kStates; ++i) {
    for (Index b = 0; b < model.body_count(); ++b) {
      wrenches[static_cast<std::size_t>(b)] = Force(Vector6(s.external.col(i).segment<6>(6 * b)));
    }
    results.tau.col(i) = inverse_dynamics(compact, workspace, s.q.col(i), s.v.col(i), s.x.col(i),
                                          external ? wrenches.data() : nullptr);
    results.M.col(i) = mass_matrix(compact, workspace, s.q.col(i)).reshaped();
  }
  results.drive = results.tau;
  return results;
}

/// Results of generated code. Errors of accelerations grow with the condition of M; errors of their
/// torques do not.
Results generated_results(const GeneratedFunctions& f, const Model& model, const States& s,
                          const Results& expected, const Round& round, bool batch) {
  const Index n = model.nv();
  const double* gravity = model.gravity().data();
  Results results(n);
  MatrixXd a(n, kStates);
  if (batch) {
    const double* wrenches = round.external ? s.external.data() : nullptr;
    f.inverse_dynamics_batch(kStates, s.q.data(), s.v.data(), s.x.data(), gravity, round.payload,
                             wrenches, results.tau.data());
    f.mass_matrix_batch(kStates, s.q.data(), round.payload, results.M.data());
    f.forward_dynamics_batch(kStates, s.q.data(), s.v.data(), expected.tau.data(), gravity,
                             round.payload, wrenches, a.data());
  }
  for (Index i = 0; i < kStates; ++i) {
    if (!batch) {
      const double *q = s.q.col(i).data(), *v = s.v.col(i).data();
      const double* wrenches = round.external ? s.external.col(i).data() : nullptr;
      f.inverse_dynamics(q, v, s.x.col(i).data(), gravity, round.payload, wrenches,
                         results.tau.col(i).data());
      f.mass_matrix(q, round.payload, results.M.col(i).data());
      f.forward_dynamics(q, v, expected.tau.col(i).data(), gravity, round.payload, wrenches,
                         a.col(i).data());
    }
    results.drive.col(i) =
        expected.tau.col(i) + expected.M.col(i).reshaped(n, n) * (a.col(i) - s.x.col(i));
  }
  return results;
}

/// 0 if all states agree; otherwise, for the first that does not, the largest difference relative
/// to the largest component, NaN if it is not finite.
double relative_difference(const MatrixXd& a, const MatrixXd& b) {
  for (Index i = 0; i < a.cols() && a.rows() > 0; ++i) {
    const double difference = (a.col(i) - b.col(i)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    const double size = b.col(i).cwiseAbs().maxCoeff();
    if (!(difference <= kTolerance * size)) return difference / size;
  }
  return 0.0;
}

std::string sentence(const std::string& function, double difference) {
  return "generated " + function + " differs from the loop kernel by " +
         std::to_string(difference) + " of its largest component; use the loop kernel";
}

}  // namespace

std::string find_difference(const GeneratedFunctions& generated, const Model& model,
                            const std::string& payload_link) {
  if (generated.nq() != model.nq() || generated.nv() != model.nv()) {
    return "generated code is for a robot with " + std::to_string(generated.nv()) +
           " degrees of freedom, and this one has " + std::to_string(model.nv());
  }
  const bool regular = model.why_forward_dynamics_fails().empty();
  const States states = random_states(model);
  std::vector<Round> rounds{{}, {true}};
  Model loaded = model;
  if (const Index link = loadable_link(model, payload_link); link >= 0) {
    loaded.set_payload(link, payload_inertia());
    rounds.push_back({true, kPayload});
  }
  for (const Round& round : rounds) {
    const Model& robot = round.payload == nullptr ? model : loaded;
    const Results expected = loop_results(robot, states, round.external);
    for (const bool batch : {false, true}) {
      const Results results = generated_results(generated, model, states, expected, round, batch);
      const std::string how = std::string(batch ? " of a batch" : "") +
                              (round.external ? " with external wrenches" : "") +
                              (round.payload != nullptr ? " and a payload" : "");
      double difference = relative_difference(results.tau, expected.tau);
      if (difference != 0.0) return sentence("inverse dynamics" + how, difference);
      difference = relative_difference(results.M, expected.M);
      if (difference != 0.0) return sentence("mass matrix" + how, difference);
      difference = relative_difference(results.drive, expected.drive);
      if (regular && difference != 0.0) return sentence("forward dynamics" + how, difference);
    }
  }
  return {};
}

}  // namespace spatial_dynamics
