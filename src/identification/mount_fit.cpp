#include "identification/mount_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "identification/gravity_fit.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/regressor.hpp"

namespace spatial_dynamics {
namespace {

// Products of these columns, summed over the samples, give the residual of every gravity g and
// payload p (mass and first moments):
//   r = measured - weightless - G g - (P + sum_i g_i P_i) p - friction
// with the model's efforts without gravity, the efforts G of a unit gravity along each axis, and
// the regressor of the payload without gravity (P) and of a unit gravity alone (P_i).
constexpr Index kMeasured = 0, kWeightless = 1, kGravity = 2, kPayload = 5, kPayloadGravity = 9,
                kColumns = 21;
constexpr Index kPayloadParameters = 4;

constexpr Index kMostSamples = 1500;
constexpr int kDirections = 400;  // 10 degrees apart
// A mount leaves at most the first share of the squared residual, and at most the second of what
// the model's gravity leaves.
constexpr double kMostLeft = 0.1, kMuchLess = 0.25;
constexpr double kSmallestChange = 0.2;  // |change| / |gravity|
constexpr double kLeastMass = -0.02;     // of the payload / mass of the robot
constexpr double kNearAxis = 0.1;        // rad
constexpr double kLittleMore = 1.5, kNegligibleShare = 1e-4;

/// The columns of all joints at a sample: rows are joints.
class Columns {
 public:
  explicit Columns(const Model& model)
      : first_(kInertialParameters * last_moving_link(model)),
        models_{model, model, model, model},
        data_{Data(model, Dense::kRegressor), Data(model, Dense::kRegressor),
              Data(model, Dense::kRegressor), Data(model, Dense::kRegressor)},
        rest_(VectorXd::Zero(model.nv())),
        X_(model.nv(), kColumns) {
    models_[3].set_gravity(Vector3::Zero());
    for (Index i = 0; i < 3; ++i) models_[to_size(i)].set_gravity(Vector3::Unit(i));
  }

  const MatrixXd& at(const LogSamples& samples, Index n) {
    const VectorXd q = samples.q.col(n), v = samples.v.col(n), a = samples.a.col(n);
    X_.col(kMeasured) = samples.effort.col(n);
    X_.col(kWeightless) = inverse_dynamics(models_[3], data_[3], q, v, a);
    X_.middleCols<kPayloadParameters>(kPayload) = payload(3, q, v, a);
    for (Index i = 0; i < 3; ++i) {
      X_.col(kGravity + i) = gravity_torque(models_[to_size(i)], data_[to_size(i)], q);
      X_.middleCols<kPayloadParameters>(kPayloadGravity + kPayloadParameters * i) =
          payload(to_size(i), q, rest_, rest_);
    }
    return X_;
  }

 private:
  MatrixXd payload(std::size_t i, const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    return regressor(models_[i], data_[i], q, v, a).middleCols(first_, kPayloadParameters);
  }

  Index first_;                  // column of the payload
  std::array<Model, 4> models_;  // a unit gravity along each axis, and no gravity
  std::array<Data, 4> data_;
  VectorXd rest_;
  MatrixXd X_;
};

/// The columns of r: without and with payload, for one gravity.
Eigen::Matrix<double, kColumns, 1 + kPayloadParameters> combination(const Vector3& gravity) {
  Eigen::Matrix<double, kColumns, 1 + kPayloadParameters> T;
  T.setZero();
  T(kMeasured, 0) = 1.0;
  T(kWeightless, 0) = -1.0;
  T.block<3, 1>(kGravity, 0) = -gravity;
  for (Index j = 0; j < kPayloadParameters; ++j) {
    T(kPayload + j, 1 + j) = -1.0;
    for (Index i = 0; i < 3; ++i) {
      T(kPayloadGravity + kPayloadParameters * i + j, 1 + j) = -gravity(i);
    }
  }
  return T;
}

/// Directions that are evenly distributed: a spiral on the sphere.
Vector3 spiral(int k) {
  const double z = 1.0 - (2.0 * k + 1.0) / kDirections, r = std::sqrt(1.0 - z * z);
  const double angle = M_PI * (3.0 - std::sqrt(5.0)) * k;
  return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace

MountFit::MountFit(const Model& model, const LogSamples& samples, const LogComparison& comparison)
    : gravity_(model.gravity()) {
  constexpr Index kWithFriction = kColumns + 2;
  products_.assign(comparison.joints.size(), MatrixXd::Zero(kWithFriction, kWithFriction));
  Columns columns(model);
  VectorXd x(kWithFriction);
  const Index stride = std::max<Index>(1, samples.size() / kMostSamples);
  for (Index n = 0; n < samples.size(); n += stride) {
    const MatrixXd& X = columns.at(samples, n);
    for (std::size_t k = 0; k < products_.size(); ++k) {
      const JointResidual& joint = comparison.joints[k];
      if (!joint.has_effort) continue;
      const auto row = static_cast<Index>(k);
      const double v = samples.v(row, n);
      x << X.row(row).transpose(), v, std::tanh(v / model.friction_speed());
      products_[k] += joint.weight() * x * x.transpose();
    }
  }
  const Eigen::Matrix<double, kColumns, 1> residual = combination(gravity_).col(0);
  for (MatrixXd& all : products_) {
    const MatrixXd X = all.topLeftCorner<kColumns, kColumns>();
    squared_residual_ += residual.dot(X * residual);
    squared_effort_ += X(kMeasured, kMeasured);
    const MatrixXd F = all.bottomRightCorner<2, 2>(), XF = all.topRightCorner<kColumns, 2>();
    all = X - XF * F.completeOrthogonalDecomposition().solve(MatrixXd(XF.transpose()));
  }
}

MatrixXd MountFit::summed(const std::vector<double>& signs) const {
  MatrixXd sum = MatrixXd::Zero(kColumns, kColumns);
  for (std::size_t k = 0; k < products_.size(); ++k) {
    MatrixXd products = products_[k];
    if (!signs.empty() && signs[k] < 0.0) {
      products.row(kMeasured) *= -1.0;
      products.col(kMeasured) *= -1.0;
    }
    sum += products;
  }
  return sum;
}

LoadedGravity MountFit::solve(const MatrixXd& products, const Vector3& gravity) const {
  const auto T = combination(gravity);
  const Eigen::Matrix<double, 5, 5> H = T.transpose() * products * T;
  const Eigen::Matrix4d A = H.bottomRightCorner<4, 4>();
  const Eigen::Vector4d b = H.bottomLeftCorner<4, 1>();
  const Eigen::Vector4d payload = -A.completeOrthogonalDecomposition().solve(b);
  const double left = H(0, 0) + b.dot(payload);
  return {gravity, payload(0),
          squared_residual_ > 0.0 ? std::max(0.0, left) / squared_residual_ : 0.0};
}

LoadedGravity MountFit::at(const Vector3& gravity, const std::vector<double>& signs) const {
  return solve(summed(signs), gravity);
}

// Coarse search on the sphere, then steps that are halved.
LoadedGravity MountFit::best() const {
  const MatrixXd products = summed({});
  const double magnitude = gravity_.norm();
  LoadedGravity best = solve(products, gravity_);
  const auto better = [&](const Vector3& direction) {
    const LoadedGravity found = solve(products, magnitude * direction.normalized());
    if (!(found.left < best.left)) return false;
    best = found;
    return true;
  };
  if (!(magnitude > 0.0)) return best;
  for (int k = 0; k < kDirections; ++k) better(spiral(k));
  std::array<Vector3, 6> axes;
  for (std::size_t k = 0; k < 6; ++k) {
    axes[k] = (k < 3 ? 1.0 : -1.0) * Vector3::Unit(static_cast<Index>(k % 3));
  }
  for (double step = 0.1; step > 1e-3;) {
    bool found = false;
    for (const Vector3& axis : axes) {
      found = better(best.gravity / magnitude + step * axis) || found;
    }
    if (!found) step *= 0.5;
  }
  for (const Vector3& axis : axes) {
    if ((best.gravity / magnitude - axis).norm() > kNearAxis) continue;
    LoadedGravity along = solve(products, magnitude * axis);
    if (of_efforts(along.left) <= kLittleMore * of_efforts(best.left) + kNegligibleShare)
      return along;
  }
  return best;
}

double MountFit::of_efforts(double left) const {
  return left * squared_residual_ / (squared_effort_ + 1e-12);
}

std::string loaded_mount_hint(const Model& model, const MountFit& fit, const LoadedGravity& best) {
  const double magnitude = model.gravity().norm();
  if (!(magnitude > 0.0) || (best.gravity - model.gravity()).norm() < kSmallestChange * magnitude) {
    return {};
  }
  const double left = fit.at(model.gravity()).left;
  if (best.left > kMostLeft || best.left > kMuchLess * left ||
      fit.of_efforts(left) < kGoodShare * kGoodShare ||
      best.mass < kLeastMass * model.total_mass()) {
    return {};
  }
  return mount_sentence("another direction of gravity, with a payload or friction,",
                        1.0 - best.left, best.gravity);
}

}  // namespace spatial_dynamics
