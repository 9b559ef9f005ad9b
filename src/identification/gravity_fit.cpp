#include "identification/gravity_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

// A fit is a mount if it explains this share of the squared residual with a gravity whose magnitude
// is that of the model within 5 %, and whose direction is at least 11 degrees from the model's.
constexpr double kExplainedByMount = 0.9;
constexpr double kMagnitudeTolerance = 0.05;
constexpr double kSmallestTurn = 0.2;  // |change| / |gravity|

std::string two_decimals(double value) {
  return rounded_text(std::round(100.0 * value) / 100.0 + 0.0);
}

}  // namespace

// Efforts are linear in gravity: the residual is fitted by the efforts of a unit gravity along each
// axis. Directions that the motion does not determine keep the model's gravity.
GravityFit fit_gravity(const Model& model, const LogSamples& samples,
                       const LogComparison& comparison) {
  const Index joints = static_cast<Index>(comparison.joints.size()), count = samples.size();
  Matrix3 AA = Matrix3::Zero();
  Vector3 Ab = Vector3::Zero();
  double bb = 0.0;
  std::array<Model, 3> tilted{model, model, model};
  for (Index i = 0; i < 3; ++i) tilted[to_size(i)].set_gravity(Vector3::Unit(i));
  std::array<Data, 3> data{Data(tilted[0], Dense::kNone), Data(tilted[1], Dense::kNone),
                           Data(tilted[2], Dense::kNone)};
  Eigen::Matrix<double, Eigen::Dynamic, 3> efforts(model.nv(), 3);
  const Index stride = std::max<Index>(1, count / kMostForHints);
  for (Index n = 0; n < count; n += stride) {
    const VectorXd q = samples.q.col(n);
    for (Index i = 0; i < 3; ++i) {
      efforts.col(i) = gravity_torque(tilted[to_size(i)], data[to_size(i)], q);
    }
    for (Index k = 0; k < joints; ++k) {
      const JointResidual& joint = comparison.joints[to_size(k)];
      if (!joint.has_effort) continue;
      const double weight = joint.weight();
      const double residual = samples.effort(k, n) - comparison.predicted(k, n);
      AA += weight * efforts.row(k).transpose() * efforts.row(k);
      Ab += weight * residual * efforts.row(k).transpose();
      bb += weight * residual * residual;
    }
  }
  if (!(bb > 0.0)) return {model.gravity(), 0.0};
  const Vector3 change = AA.completeOrthogonalDecomposition().solve(Ab);
  return {model.gravity() + change, change.dot(Ab) / bb};
}

std::string gravity_option(const Vector3& gravity) {
  return "--gravity " + two_decimals(gravity.x()) + "," + two_decimals(gravity.y()) + "," +
         two_decimals(gravity.z());
}

std::string mount_sentence(const std::string& cause, double explained, const Vector3& gravity) {
  return cause + " would explain " + rounded_text(std::round(100.0 * explained)) +
         " % of the residual: is the robot on a wall or a ceiling? Then give " +
         gravity_option(gravity) + ".";
}

std::string mount_hint(const Model& model, const GravityFit& fit) {
  const double magnitude = model.gravity().norm();
  const bool is_mount = fit.explained >= kExplainedByMount && magnitude > 0.0 &&
                        std::abs(fit.gravity.norm() / magnitude - 1.0) <= kMagnitudeTolerance &&
                        (fit.gravity - model.gravity()).norm() >= kSmallestTurn * magnitude;
  if (!is_mount) return {};
  return mount_sentence("another direction of gravity", fit.explained,
                        fit.gravity * (magnitude / fit.gravity.norm()));
}

}  // namespace spatial_dynamics
