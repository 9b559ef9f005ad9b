// What `bench` compares: the tasks, and what can do them.
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
  kInverseDerivatives,  ///< d tau / d(q, v, a), three matrices one behind the other
  kForwardDerivatives   ///< d a / d(q, v, tau), likewise
};
inline constexpr Task kTasks[] = {Task::kInverseDynamics,    Task::kMassMatrix,
                                  Task::kForwardDynamics,    Task::kInverseMassMatrix,
                                  Task::kInverseDerivatives, Task::kForwardDerivatives};
const char* to_string(Task task) noexcept;
/// Numbers of one result, for a robot of nv coordinates.
Index result_size(Task task, Index nv) noexcept;
/// True if M is inverted on the way, so that a robot of singular M has no result and others one as exact as M is regular.
bool needs_inverse(Task task) noexcept;

/// States in columns: x is an acceleration, or a torque for forward dynamics.
struct BenchStates {
  MatrixXd q, v, x;
};

class Contender {
 public:
  explicit Contender(std::string name) : name_(std::move(name)) {}
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  virtual ~Contender() = default;
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[nodiscard]] virtual bool can(Task task) const = 0;
  /// One state, in and out.
  virtual void compute(Task task, const double* q, const double* v, const double* x,
                       double* result) = 0;
  /// All states into the columns of `results`.
  virtual void compute_all(Task task, const BenchStates& states, MatrixXd& results);
  /// True if it is another library.
  [[nodiscard]] virtual bool is_peer() const { return false; }
  /// False if it has no use for one state at a time.
  [[nodiscard]] virtual bool has_latency() const { return true; }

 private:
  std::string name_;
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

}  // namespace spatial_dynamics::cli
