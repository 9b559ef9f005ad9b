// Dynamics of many states at once, one per column: for model-predictive control, sampling, learning
// and checking of trajectories.
#pragma once

#include <memory>
#include <optional>

#include "spatial_dynamics/dynamics/data.hpp"

namespace spatial_dynamics {

/// Results and scratch space for up to `capacity` states at a time. Construct it once (allocates).
/// One BatchData per thread.
///
/// The contract is that of Data. A result is a map into the BatchData with as many columns as the
/// arguments have. It stays valid until the same function is called again with the same BatchData,
/// and may be an argument of any function.
class BatchData {
 public:
  /// A read-only result, one state per column.
  using Result = Eigen::Map<const MatrixXd>;

  /// The memory is proportional to joints x capacity. Results with more than a few numbers per
  /// joint and state (all of Dense) are reserved by option. Allocates. Throws std::invalid_argument
  /// if the model is empty or the capacity is negative.
  BatchData(const Model& model, Index capacity, Dense dense = Dense::kNone);
  ~BatchData();
  BatchData(BatchData&& other) noexcept;
  BatchData& operator=(BatchData&& other) noexcept;

  /// Adds memory for dense results. Earlier results remain valid. Allocates.
  void reserve(Dense dense);
  [[nodiscard]] bool is_reserved(Dense dense) const noexcept;
  [[nodiscard]] Index capacity() const noexcept;
  /// The number of states for which the last forward_dynamics(), mass_matrix_inverse() or
  /// forward_dynamics_derivatives() had no unique result; their columns are zero. Real-time safe.
  [[nodiscard]] Index singular_count() const noexcept;

  struct Impl;  // for the functions below; defined in src/
  [[nodiscard]] Impl* impl() noexcept { return impl_.get(); }  ///< null after a move

 private:
  std::unique_ptr<Impl> impl_;
};

/// External wrenches of a batch, passed by value: ExternalForces that are the same for all states,
/// or a matrix with one column per state or one column for all states. The matrix has 6
/// body_count() rows: for each body, the base first, the moment and the force that act ON it, in
/// the body's frame at its origin.
class BatchForces {
 public:
  BatchForces(const ExternalForces& external) noexcept;  // NOLINT(google-explicit-constructor)
  template <typename Derived>
  BatchForces(const Eigen::EigenBase<Derived>& x) noexcept  // NOLINT(google-explicit-constructor)
      : states_(StatesView(x)) {}

  /// The matrix; empty if there is none.
  [[nodiscard]] const std::optional<StatesView>& states() const noexcept { return states_; }

 private:
  std::optional<StatesView> states_;
};

// Each function computes for every column what the function of the same name computes for one
// state. All arguments have as many columns as the first one, at most `capacity`. Real-time safe;
// throws std::invalid_argument for a wrong size or if the memory of a result is not reserved. A
// matrix result has one column per state with the entries of the matrix in column-major order.

// nv x states:

BatchData::Result inverse_dynamics(const Model& model, BatchData& data, StatesView q, StatesView v,
                                   StatesView a, BatchForces external = kNoExternalForces);
BatchData::Result rigid_body_torque(const Model& model, BatchData& data, StatesView q, StatesView v,
                                    StatesView a, BatchForces external = kNoExternalForces);
BatchData::Result friction_torque(const Model& model, BatchData& data, StatesView v);
BatchData::Result friction_torque(const Model& model, BatchData& data, StatesView v,
                                  StatesView coulomb_velocity);
BatchData::Result rotor_torque(const Model& model, BatchData& data, StatesView a);
BatchData::Result bias_torque(const Model& model, BatchData& data, StatesView q, StatesView v,
                              BatchForces external = kNoExternalForces);
BatchData::Result gravity_torque(const Model& model, BatchData& data, StatesView q,
                                 BatchForces external = kNoExternalForces);
BatchData::Result forward_dynamics(const Model& model, BatchData& data, StatesView q, StatesView v,
                                   StatesView tau, BatchForces external = kNoExternalForces);

// (nv nv) x states, reserved by option:

BatchData::Result mass_matrix(const Model& model, BatchData& data, StatesView q);
BatchData::Result mass_matrix_inverse(const Model& model, BatchData& data, StatesView q);
BatchData::Result coriolis_matrix(const Model& model, BatchData& data, StatesView q, StatesView v);

/// d tau / d(q, v, a) of every state, (nv nv) x states each.
struct BatchInverseDynamicsDerivatives {
  BatchData::Result dtau_dq, dtau_dv, dtau_da;
};
BatchInverseDynamicsDerivatives inverse_dynamics_derivatives(
    const Model& model, BatchData& data, StatesView q, StatesView v, StatesView a,
    BatchForces external = kNoExternalForces);

/// d a / d(q, v, tau) of every state, (nv nv) x states each, and the accelerations, nv x states.
struct BatchForwardDynamicsDerivatives {
  BatchData::Result da_dq, da_dv, da_dtau, a;
};
BatchForwardDynamicsDerivatives forward_dynamics_derivatives(
    const Model& model, BatchData& data, StatesView q, StatesView v, StatesView tau,
    BatchForces external = kNoExternalForces);

/// (10 nv link_count()) x states, reserved by option.
BatchData::Result regressor(const Model& model, BatchData& data, StatesView q, StatesView v,
                            StatesView a);

/// (6 body_count()) x states, rows as of BatchForces, reserved by option.
BatchData::Result joint_wrenches(const Model& model, BatchData& data, StatesView q, StatesView v,
                                 StatesView a, BatchForces external = kNoExternalForces);

/// 7 x states: position, then quaternion x, y, z, w, as in the q of a floating base.
BatchData::Result link_pose(const Model& model, BatchData& data, StatesView q, Index link);
/// 6 x states, rows [angular; linear]; the same for the next two.
BatchData::Result link_velocity(const Model& model, BatchData& data, StatesView q, StatesView v,
                                Index link, Frame frame = Frame::kLocalWorldAligned);
BatchData::Result link_acceleration(const Model& model, BatchData& data, StatesView q, StatesView v,
                                    StatesView a, Index link,
                                    Frame frame = Frame::kLocalWorldAligned);
BatchData::Result link_classical_acceleration(const Model& model, BatchData& data, StatesView q,
                                              StatesView v, StatesView a, Index link);
/// (6 nv) x states, reserved by option; the same for the next.
BatchData::Result jacobian(const Model& model, BatchData& data, StatesView q, Index link,
                           Frame frame = Frame::kLocalWorldAligned);
BatchData::Result jacobian_rate(const Model& model, BatchData& data, StatesView q, StatesView v,
                                Index link, Frame frame = Frame::kLocalWorldAligned);

/// 1 x states; the same for the next.
BatchData::Result kinetic_energy(const Model& model, BatchData& data, StatesView q, StatesView v);
BatchData::Result potential_energy(const Model& model, BatchData& data, StatesView q);
/// 3 x states.
BatchData::Result center_of_mass(const Model& model, BatchData& data, StatesView q);
/// 6 x states, rows [angular; linear].
BatchData::Result centroidal_momentum(const Model& model, BatchData& data, StatesView q,
                                      StatesView v);

}  // namespace spatial_dynamics
