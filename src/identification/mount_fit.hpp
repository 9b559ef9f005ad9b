// Finds out from a log how a robot is mounted, although it carries a payload and has friction that
// the model lacks.
#pragma once

#include <string>
#include <vector>

#include "identification/log_comparison.hpp"

namespace spatial_dynamics {

/// A gravity of the model's magnitude, with the payload on the last moving link and the damping and
/// Coulomb friction of each joint that explain most of the residual.
struct LoadedGravity {
  Vector3 gravity = Vector3::Zero();  ///< in the frame of the root link, m/s^2
  double mass = 0.0;                  ///< of the payload, kg
  double left = 1.0;  ///< share of the squared residual that remains, joints weighted by efforts
};

/// Fits payload and friction for any direction of gravity. Efforts are linear in payload and
/// friction for a given gravity, so each direction costs one small least-squares problem.
class MountFit {
 public:
  /// Needs `predicted` and `joints` of the comparison. Keeps no reference. Allocates.
  MountFit(const Model& model, const LogSamples& samples, const LogComparison& comparison);

  /// `signs` are +1, or -1 for joints whose measured efforts have the opposite sign; empty: all +1.
  [[nodiscard]] LoadedGravity at(const Vector3& gravity,
                                 const std::vector<double>& signs = {}) const;
  /// The best direction. An axis is preferred to a direction that explains little more.
  [[nodiscard]] LoadedGravity best() const;
  /// Squared residual divided by squared efforts that remains if this share of the residual does.
  [[nodiscard]] double of_efforts(double left) const;

 private:
  [[nodiscard]] MatrixXd summed(const std::vector<double>& signs) const;
  [[nodiscard]] LoadedGravity solve(const MatrixXd& products, const Vector3& gravity) const;

  std::vector<MatrixXd> products_;  // of the columns in mount_fit.cpp, per joint, without friction
  double squared_residual_ = 0.0, squared_effort_ = 0.0;
  Vector3 gravity_;  // the model's
};

/// A sentence with the option --gravity, if another mount explains the log and the model's mount
/// does not, both with any payload and friction; else empty. Allocates.
std::string loaded_mount_hint(const Model& model, const MountFit& fit, const LoadedGravity& best);

}  // namespace spatial_dynamics
