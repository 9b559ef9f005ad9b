// Results and scratch space of the dynamics functions on one model.
#pragma once

#include <memory>

#include "spatial_dynamics/model/external_forces.hpp"
#include "spatial_dynamics/model/vector_view.hpp"

namespace spatial_dynamics {

/// Results whose memory grows with the square of the number of coordinates. Combine them with `|`.
enum class Dense : unsigned {
  kNone = 0,
  kMassMatrix = 1,  ///< also for forward_dynamics() of a model with mimic joints
  kMassMatrixInverse = 2,
  kCoriolisMatrix = 4,
  kInverseDynamicsDerivatives = 8,
  kForwardDynamicsDerivatives = 16,
  kRegressor = 32,
  kJacobian = 64,        ///< jacobian() and jacobian_rate() of batches; a Data always has them
  kJointWrenches = 128,  ///< joint_wrenches() of batches; a Data always has them
  kAll = 255,
};
constexpr Dense operator|(Dense a, Dense b) noexcept {
  return static_cast<Dense>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr Dense operator&(Dense a, Dense b) noexcept {
  return static_cast<Dense>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}

/// Data(model) reserves all dense results of a model with at most this many coordinates.
inline constexpr Index kReservedCoordinates = 256;

/// Results and scratch space of the dynamics functions on one model. Construct it once (allocates);
/// the functions then allocate nothing. One Data per thread.
///
/// The contract of every function `f(const Model&, Data&, …)`:
///  - A result is a const reference into the Data. It stays valid until the same function is called
///    again with the same Data; no other function changes it. It may be an argument of any
///    function.
///  - Sizes are checked in every build type: std::invalid_argument names the function, the
///    argument, its size and the expected size. A Data of another model, or a dense result without
///    memory, throws too. Otherwise functions do not throw, allocate or lock: they are real-time
///    safe.
///  - Gravity, payloads and friction speed are those of the model at the time of the call.
///  - If the result is not unique (a massless moving link at the end of a chain) or too large for a
///    double, it is zero and singular() is true.
class Data {
 public:
  /// The memory is proportional to the number of joints. Dense results are reserved if the model
  /// has at most kReservedCoordinates. Allocates.
  explicit Data(const Model& model);
  /// The same, but reserves only the given dense results. Allocates.
  Data(const Model& model, Dense dense);
  ~Data();
  Data(Data&& other) noexcept;
  Data& operator=(Data&& other) noexcept;

  /// Adds memory for dense results. Earlier results remain valid. Allocates.
  void reserve(Dense dense);
  [[nodiscard]] bool is_reserved(Dense dense) const noexcept;

  /// True if the last forward_dynamics(), mass_matrix_inverse() or forward_dynamics_derivatives()
  /// had no unique result and returned zero. Real-time safe.
  [[nodiscard]] bool singular() const noexcept;

  struct Impl;  // for the dynamics functions; defined in src/
  [[nodiscard]] Impl* impl() noexcept { return impl_.get(); }  ///< null after a move

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace spatial_dynamics
