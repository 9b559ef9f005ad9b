// Tasks and candidates of `bench`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics::cli {

enum class Task {
  kInverseDynamics,
  kMassMatrix,
  kForwardDynamics,
  kInverseMassMatrix,
  kInverseDerivatives,  ///< d tau / d(q, v, a), three matrices in a row
  kForwardDerivatives   ///< d a / d(q, v, tau), likewise
};
inline constexpr Task kTasks[] = {Task::kInverseDynamics,    Task::kMassMatrix,
                                  Task::kForwardDynamics,    Task::kInverseMassMatrix,
                                  Task::kInverseDerivatives, Task::kForwardDerivatives};
const char* to_string(Task task) noexcept;
/// Numbers of one result, for a robot of nv coordinates.
Index result_size(Task task, Index nv) noexcept;
/// True if M is inverted: a robot with singular M has no result, and rounding errors grow with the
/// condition number of M.
bool needs_inverse(Task task) noexcept;

/// States in columns: x is an acceleration, or a torque for forward dynamics.
struct BenchStates {
  MatrixXd q, v, x;
};

/// Largest difference divided by the largest number in `expected`. NaN, which is within no
/// tolerance, if any number is not finite.
double difference(const MatrixXd& results, const MatrixXd& expected);

class Candidate {
 public:
  explicit Candidate(std::string name) : name_(std::move(name)) {}
  Candidate(const Candidate&) = delete;
  Candidate& operator=(const Candidate&) = delete;
  virtual ~Candidate() = default;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[nodiscard]] virtual bool can(Task task) const = 0;
  /// Computes one state and returns a number of the result. Copies the result to `result` unless
  /// that is null. It is null while times are measured, because users of a library read the result
  /// in place.
  virtual double compute(Task task, const double* q, const double* v, const double* x,
                         double* result) = 0;
  /// All states; copies the results to the columns of `results` unless that is null.
  virtual void compute_all(Task task, const BenchStates& states, MatrixXd* results);
  /// True if it is another library.
  [[nodiscard]] virtual bool is_peer() const { return false; }
  /// False if it is not meant for one state at a time.
  [[nodiscard]] virtual bool has_latency() const { return true; }

 private:
  std::string name_;
};

using Candidates = std::vector<std::unique_ptr<Candidate>>;

/// Adds textbook, kernel, batch, generated and generated batch, in this order. If there is no
/// generated code, `notes` has the reason. Allocates.
void add_ours(const Model& model, Candidates& candidates, std::vector<std::string>& notes);

/// Adds the libraries in the folder: shared objects named *_peer.so, which stay loaded until the
/// process ends. `notes` names those that could not be used and why. Allocates.
void add_peers(const Model& model, const std::string& folder, Candidates& candidates,
               std::vector<std::string>& notes);

}  // namespace spatial_dynamics::cli
