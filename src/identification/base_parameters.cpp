#include "spatial_dynamics/identification/base_parameters.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

#include "identification/robot_regressor.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

// A column is a combination of others if this share of it is left. Rounding leaves 1e-13; the
// smallest share of an independent column of a real robot is above 1e-6.
constexpr double kDependent = 1e-9;
constexpr double kSmallestCoefficient = 1e-8;  // in combinations of scaled columns
constexpr double kFastestState = 3.0;          // random velocities, rad/s and m/s
constexpr double kLargestAcceleration = 10.0;

const char* const kEntryNames[] = {"mass", "mx",  "my",  "mz",  "Ixx",
                                   "Ixy",  "Ixz", "Iyy", "Iyz", "Izz"};

/// The inertia of a body without payloads, in its frame.
Inertia own_inertia(const Model& model, Index body) {
  Inertia sum = Inertia::Zero();
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    if (link.body == body) sum += to_parent(link.placement, link.inertia);
  }
  return sum;
}

void add_joint_parameters(const Model& model, const ParameterOptions& options,
                          std::vector<RobotParameter>& parameters) {
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  for (const Index j : model.coordinate_joints()) {
    const Joint& joint = model.joint(j);
    if (joint.type == JointType::kFloating) continue;
    const bool length = joint.type == JointType::kPrismatic;
    const std::string of = " of " + joint_element(joint.name), force = length ? "N" : "N m";
    const auto add = [&](const char* what, const std::string& unit, ParameterKind kind,
                         double in_model) {
      parameters.push_back({what + of, unit, kind, kNoIndex, kNoIndex, j, kNoIndex, in_model});
    };
    if (options.friction) {
      add("damping", length ? "N s/m" : "N m s/rad", ParameterKind::kDamping, joint.damping);
      add("friction", force, ParameterKind::kFriction, joint.friction);
    }
    if (options.armature) {
      add("rotor inertia", length ? "kg" : "kg m^2", ParameterKind::kArmature, joint.armature);
    }
    if (!options.offset) continue;
    for (const ScalarCoordinate& c : coordinates) {
      if (c.joint != j) continue;
      parameters.push_back({"effort offset of " + joint_element(c.name), force,
                            ParameterKind::kOffset, kNoIndex, kNoIndex, j, c.v, 0.0});
    }
  }
}

/// Random states of the coordinates that move; the others stand still.
class RandomStates {
 public:
  RandomStates(const Model& model, const BaseOptions& options)
      : model_(model), options_(options), random_(options.seed) {}

  void next() {
    q = neutral_configuration(model_);
    VectorXd step(model_.nv());
    v.resize(model_.nv());
    a.resize(model_.nv());
    for (Index k = 0; k < model_.nv(); ++k) {
      step(k) = uniform() * M_PI;
      v(k) = kFastestState * uniform();
      a(k) = kLargestAcceleration * uniform();
    }
    if (!options_.still.empty()) q = options_.position;
    for (std::size_t k = 0; k < options_.still.size(); ++k) {
      if (options_.still[k]) step[Index(k)] = v[Index(k)] = a[Index(k)] = 0.0;
    }
    integrate(model_, q, step, 1.0, q);
  }

  VectorXd q, v, a;

 private:
  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }

  const Model& model_;
  const BaseOptions& options_;
  std::mt19937_64 random_;
};

/// Stacked rows of the measured coordinates, reduced to a triangle now and then.
MatrixXd stacked_regressor(const Model& model, const BaseOptions& options,
                           const std::vector<RobotParameter>& parameters) {
  const auto n = static_cast<Index>(parameters.size());
  RobotRegressor regressor(model, parameters);
  RandomStates states(model, options);
  const Index rows = std::max<Index>(3 * n, 10 * model.nv());
  MatrixXd stack(rows, n);
  Index filled = 0;
  while (filled < rows) {
    states.next();
    regressor.compute(states.q, states.v, states.a, friction_direction(model, states.v));
    for (Index k = 0; k < model.nv() && filled < rows; ++k) {
      if (!options.unmeasured.empty() && options.unmeasured[to_size(k)]) continue;
      stack.row(filled++) = regressor.matrix().row(k);
    }
    if (filled == 0) return MatrixXd::Zero(1, n);  // no coordinate is measured
  }
  return stack;
}

/// |A| triangular, from the factorisation: the part of the matrix that stands for `rank` columns.
void combine(const Eigen::ColPivHouseholderQR<MatrixXd>& qr, const VectorXd& scale, Index rank,
             BaseParameters& base) {
  const Index n = scale.size();
  const MatrixXd R = qr.matrixR().topRows(rank).triangularView<Eigen::Upper>();
  MatrixXd K = R.leftCols(rank).triangularView<Eigen::Upper>().solve(R.rightCols(n - rank));
  K = (K.array().abs() > kSmallestCoefficient).select(K, 0.0);
  const auto& order = qr.colsPermutation().indices();
  base.combination = MatrixXd::Zero(rank, n);
  base.alone.assign(to_size(n), false);
  for (Index r = 0; r < rank; ++r) {
    base.independent.push_back(order(r));
    base.combination(r, order(r)) = 1.0;
    base.alone[to_size(order(r))] = K.row(r).isZero(0.0);
    for (Index c = rank; c < n; ++c) {
      base.combination(r, order(c)) = K(r, c - rank) * scale(order(c)) / scale(order(r));
    }
  }
}

}  // namespace

Index main_link(const Model& model, Index body) {
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    if (link.body == body && link.placement.r.isZero(0.0) && link.placement.E.isIdentity(0.0)) {
      return l;
    }
  }
  return 0;
}

std::vector<RobotParameter> robot_parameters(const Model& model, const ParameterOptions& options) {
  std::vector<RobotParameter> parameters;
  for (Index b = 1; b < model.body_count(); ++b) {
    const Inertia inertia = own_inertia(model, b);
    if (!(inertia.mass > 0.0)) continue;
    const InertialParameters values = inertial_parameters(inertia);
    const std::string of = " of " + link_element(model.link(main_link(model, b)).name);
    for (Index k = 0; k < kInertialParameters; ++k) {
      parameters.push_back({kEntryNames[k] + of,
                            k == 0  ? "kg"
                            : k < 4 ? "kg m"
                                    : "kg m^2",
                            ParameterKind::kInertial, b, k, kNoIndex, kNoIndex, values(k)});
    }
  }
  add_joint_parameters(model, options, parameters);
  return parameters;
}

std::string BaseParameters::name(Index base) const {
  std::string text = parameters[to_size(independent[to_size(base)])].name;
  for (Index i = 0; i < combination.cols(); ++i) {
    const double c = combination(base, i);
    if (c == 0.0 || i == independent[to_size(base)]) continue;
    text += c < 0.0 ? " - " : " + ";
    if (std::abs(std::abs(c) - 1.0) > 1e-9) text += rounded_text(std::abs(c)) + " ";
    text += parameters[to_size(i)].name;
  }
  return text;
}

BaseParameters base_parameters(const Model& model, const BaseOptions& options) {
  BaseParameters base;
  base.parameters = robot_parameters(model, options.parameters);
  MatrixXd stack = stacked_regressor(model, options, base.parameters);
  VectorXd scale = stack.colwise().norm();
  const double rounding = 1e-13 * (scale.size() > 0 ? scale.maxCoeff() : 0.0);
  base.without_effect.assign(base.parameters.size(), false);
  for (Index i = 0; i < scale.size(); ++i) {
    if (scale(i) > rounding) continue;
    base.without_effect[to_size(i)] = true;
    scale(i) = 1.0;
    stack.col(i).setZero();
  }
  stack = stack * scale.cwiseInverse().asDiagonal();
  Eigen::ColPivHouseholderQR<MatrixXd> qr(stack);
  qr.setThreshold(kDependent);
  combine(qr, scale, qr.rank(), base);
  return base;
}

}  // namespace spatial_dynamics
