// Members of BatchData, and the checks and computations of a call on it.
#pragma once

#include <algorithm>
#include <array>

#include "checks.hpp"
#include "kernels/batch.hpp"
#include "spatial_dynamics/dynamics/batch.hpp"
#include "spatial_dynamics/model/inertial_parameters.hpp"

namespace spatial_dynamics {

struct BatchData::Impl {
  Impl(const Model& model, Index states, Dense dense)
      : structure(Checks("BatchData", model).not_empty().structure()),
        stamp(model.stamp()),
        capacity(states),
        bodies(model.body_count()),
        links(model.link_count()),
        compact(kernels::compile(model)),
        work(compact, model.nv() <= kReservedCoordinates || dense != Dense::kNone),
        one(model, Dense::kNone),
        forces(model) {
    const Index n = compact.nv();
    for (VectorXd& copy : copies) copy.setZero(std::max(model.nq(), n) * states);
    for (VectorXd* result : {&tau, &rigid, &friction, &rotor, &bias, &gravity, &acceleration}) {
      result->setZero(n * states);
    }
    pose.setZero(7 * states);
    for (VectorXd* result :
         {&velocity, &spatial_acceleration, &classical_acceleration, &momentum}) {
      result->setZero(6 * states);
    }
    com.setZero(3 * states);
    kinetic.setZero(states);
    potential.setZero(states);
    reserve(dense);
  }
  void reserve(Dense dense) {
    const auto reserve = [&](Dense option, Index rows, std::initializer_list<VectorXd*> results) {
      if ((dense & option) != option || has(option)) return;
      for (VectorXd* result : results) result->setZero(rows * capacity);
    };
    if (dense != Dense::kNone && work.memory.scratch().packed == nullptr) {
      work = kernels::BatchWorkspace(compact);
    }
    one.reserve(dense);
    const Index n = compact.nv();
    reserve(Dense::kMassMatrix, n * n, {&M});
    reserve(Dense::kMassMatrixInverse, n * n, {&M_inverse});
    reserve(Dense::kCoriolisMatrix, n * n, {&C});
    reserve(Dense::kInverseDynamicsDerivatives, n * n, {&dtau_dq, &dtau_dv, &dtau_da});
    reserve(Dense::kForwardDynamicsDerivatives, n * n, {&da_dq, &da_dv, &da_dtau});
    reserve(Dense::kForwardDynamicsDerivatives, n, {&a});
    reserve(Dense::kRegressor, n * kInertialParameters * links, {&Y});
    reserve(Dense::kJacobian, 6 * n, {&J, &J_rate});
    reserve(Dense::kJointWrenches, 6 * bodies, {&wrenches});
    reserved = reserved | dense;
  }
  [[nodiscard]] bool has(Dense option) const noexcept { return (reserved & option) == option; }

  std::uint64_t structure;
  std::uint64_t stamp;
  Index capacity, bodies, links;
  Dense reserved = Dense::kNone;
  Index singular = 0;
  kernels::CompactModel compact;
  kernels::BatchWorkspace work;
  Data one;               ///< for functions that compute one state at a time
  ExternalForces forces;  ///< of the present state

  // Results, one state after the other.
  VectorXd tau, rigid, friction, rotor, bias, gravity, acceleration;
  VectorXd pose, velocity, spatial_acceleration, classical_acceleration, momentum, com, kinetic,
      potential;
  VectorXd M, M_inverse, C, dtau_dq, dtau_dv, dtau_da, da_dq, da_dv, da_dtau, a, Y, J, J_rate,
      wrenches;
  std::array<VectorXd, 3> copies;  ///< of arguments that share memory with a result
};

using BatchOutput = Eigen::Map<MatrixXd>;
using BatchColumn = Eigen::Map<const VectorXd>;

/// One call on a batch: checks its arguments and computes its result.
class BatchCall {
 public:
  BatchCall(const char* function, const Model& model, BatchData& data)
      : model_(model), check_(function, model), d(check_.data(data.impl())) {
    if (d.stamp == model.stamp()) return;
    d.compact.update(model);
    d.stamp = model.stamp();
  }

  // These check an argument. It is replaced by a copy later if it shares memory with the result.
  BatchCall& q(StatesView& x) { return argument("q", x, model_.nq()); }
  BatchCall& v(const char* name, StatesView& x) { return argument(name, x, model_.nv()); }
  BatchCall& q_v(StatesView& q_, StatesView& v_) { return q(q_).v("v", v_); }
  BatchCall& forces(const BatchForces& external) {
    if (const auto& x = external.states()) {
      check_.rows("external", x->rows(), 6 * model_.body_count());
      if (x->cols() != 1) check_.columns("external", x->cols(), states_);
    }
    return *this;
  }
  BatchCall& link(Index link) {
    check_.link(link);
    return *this;
  }
  BatchCall& reserved(Dense option, const char* name) {
    check_.reserved(d.has(option), "BatchData", name);
    return *this;
  }
  /// Forward dynamics with mimic joints needs the mass matrix.
  BatchCall& reserved_if_reduced() {
    const bool has = !d.compact.reduced() || d.work.memory.scratch().packed != nullptr;
    check_.reserved(has, "BatchData", "kMassMatrix");
    return *this;
  }

  /// Copies the arguments that share memory with a result.
  void detach(const VectorXd& result) noexcept {
    for (std::size_t k = 0; k < count_; ++k) {
      StatesView& x = *arguments_[k];
      if (!overlaps(x, result)) continue;
      BatchOutput copy(d.copies[k].data(), x.rows(), x.cols());
      copy = x.map();
      x = copy;
    }
  }

  /// Column i of the result is compute(i).
  template <typename Compute>
  BatchData::Result each(VectorXd& result, const Compute& compute) {
    detach(result);
    const Index rows = d.capacity == 0 ? 0 : result.size() / d.capacity;
    BatchOutput out(result.data(), rows, states_);
    for (Index i = 0; i < states_; ++i) out.col(i) = compute(i);
    return {result.data(), rows, states_};
  }

  /// compute(out) writes nv numbers per state, several states at once. It writes to other memory if
  /// an argument shares that of the result.
  template <typename Compute>
  BatchData::Result at_once(VectorXd& result, std::initializer_list<StatesView> arguments,
                            const Compute& compute) {
    const Index n = d.compact.nv();
    bool shared = false;
    for (const StatesView& x : arguments) shared = shared || overlaps(x, result);
    VectorXd& spare = d.copies.front();
    compute(BatchOutput((shared ? spare : result).data(), n, states_));
    if (shared) result.head(n * states_) = spare.head(n * states_);
    return {result.data(), n, states_};
  }

  /// Column i, in the form that the functions of one state expect.
  static BatchColumn at(StatesView x, Index i) noexcept {
    return {x.data() + x.stride() * i, x.rows()};
  }
  /// One column for all states is read before the first result, which may share its memory, is
  /// written.
  [[nodiscard]] const ExternalForces& forces_at(const BatchForces& external, Index i) noexcept {
    const auto& x = external.states();
    if (!x) return kNoExternalForces;
    if (x->cols() == 1 && i > 0) return d.forces;
    const BatchColumn column = at(*x, i);
    for (Index b = 0; b < d.bodies; ++b) {
      d.forces.set_on_body(b, Force(column.segment<3>(6 * b), column.segment<3>(6 * b + 3)));
    }
    return d.forces;
  }

  static bool overlaps(StatesView x, const VectorXd& result) noexcept {
    if (x.cols() == 0 || x.rows() == 0) return false;
    return overlap(x.data(), x.stride() * (x.cols() - 1) + x.rows(), result.data(), result.size());
  }

 private:
  BatchCall& argument(const char* name, StatesView& x, Index rows) {
    check_.rows(name, x.rows(), rows);
    if (states_ < 0) {
      check_.capacity(name, x.cols(), d.capacity);
      states_ = x.cols();
    }
    check_.columns(name, x.cols(), states_);
    arguments_[count_++] = &x;
    return *this;
  }

  const Model& model_;
  Checks check_;
  std::array<StatesView*, 3> arguments_{};
  std::size_t count_ = 0;
  Index states_ = -1;  // of the first argument

 public:
  BatchData::Impl& d;
};

inline BatchColumn entries(const MatrixXd& x) noexcept { return {x.data(), x.size()}; }
inline BatchColumn entries(const Matrix6X& x) noexcept { return {x.data(), x.size()}; }
}  // namespace spatial_dynamics
