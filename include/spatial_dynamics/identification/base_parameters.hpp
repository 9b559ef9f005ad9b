// The parameters of a robot that identification estimates, and their combinations that efforts can
// determine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spatial_dynamics/model/coordinates.hpp"
#include "spatial_dynamics/model/inertial_parameters.hpp"

namespace spatial_dynamics {

enum class ParameterKind { kInertial, kDamping, kFriction, kOffset, kArmature };

/// One number in which the efforts are linear.
struct RobotParameter {
  std::string name;  ///< "mass of link 'forearm'", "damping of joint 'elbow'"
  std::string unit;
  ParameterKind kind = ParameterKind::kInertial;
  Index body = kNoIndex;        ///< kInertial: the body
  Index entry = kNoIndex;       ///< kInertial: 0 … 9, see inertial_parameters.hpp
  Index joint = kNoIndex;       ///< otherwise: the joint
  Index coordinate = kNoIndex;  ///< kOffset: index into v
  double in_model = 0.0;
};

struct ParameterOptions {
  bool friction = true;  ///< damping and Coulomb friction of each joint
  bool offset = true;    ///< a constant error of each effort
  bool armature = true;  ///< the rotor inertia of each joint
};

/// The parameters of a robot: ten for each body that moves and has mass in the model, in the frame
/// of the body's main link and without payloads, then those of each joint that is a coordinate.
/// Bodies without mass stay without; the friction and the rotor inertia of mimic joints stay those
/// of the model. Allocates.
std::vector<RobotParameter> robot_parameters(const Model& model,
                                             const ParameterOptions& options = {});

/// The link whose frame is that of the body. 0 for the base.
Index main_link(const Model& model, Index body);

/// Which combinations of parameters the efforts determine.
struct BaseParameters {
  std::vector<RobotParameter> parameters;
  /// Indices of the parameters that stand for the combinations; as many as the rank.
  std::vector<Index> independent;
  /// rank x parameters: base parameters = combination * parameters. The columns of `independent`
  /// are the identity.
  MatrixXd combination;
  /// Per parameter: its own value is determined, not only a sum with others.
  std::vector<bool> alone;
  /// Per parameter: no effort depends on it.
  std::vector<bool> without_effect;

  [[nodiscard]] Index rank() const noexcept { return combination.rows(); }
  /// "Ixx of link 'a' + 0.09 * mass of link 'b' - …" for one base parameter.
  [[nodiscard]] std::string name(Index base) const;
};

struct BaseOptions {
  ParameterOptions parameters;
  /// Coordinates (indices into v) that stand still, at these positions; empty: all move.
  std::vector<bool> still;
  VectorXd position;  ///< nq numbers; used only if a coordinate stands still
  /// Coordinates without a measured effort; empty: all are measured.
  std::vector<bool> unmeasured;
  std::uint64_t seed = 1;
};

/// Factorises the regressor of random states by QR with column pivoting: columns that depend on
/// those before them, to rounding, add nothing. Allocates.
BaseParameters base_parameters(const Model& model, const BaseOptions& options = {});

}  // namespace spatial_dynamics
