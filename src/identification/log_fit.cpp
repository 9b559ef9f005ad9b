#include "spatial_dynamics/identification/log_fit.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/dynamics/regressor.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kTwoSided95 = 2.0;  // standard deviations, for about 50 blocks of a fit
constexpr Index kMostBlocks = 50, kFewestBlocks = 8;
constexpr double kBlockWindows = 4.0;  // shortest block, in widths of the filter's window
// A direction of the scaled normal matrix with a smaller eigenvalue, relative to the largest one,
// is not determined by the data.
constexpr double kUndetermined = 1e-8;
// A parameter whose squared effect is smaller, relative to the largest one, has no effect.
constexpr double kRounding = 1e-24;
constexpr int kReweightings = 5;

std::vector<FitParameter> name_parameters(const Model& model, const LogFitOptions& options) {
  std::vector<FitParameter> names;
  if (options.link != kNoIndex) {
    names.push_back({"mass", "kg"});
    for (const char* axis : {"x", "y", "z"}) {
      names.push_back({std::string("first moment of mass, ") + axis, "kg m"});
    }
    if (options.rotational) {
      for (const char* i : {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}) {
        names.push_back({i, "kg m^2"});
      }
    }
  }
  for (const ScalarCoordinate& c : scalar_coordinates(model)) {
    const Joint& joint = model.joint(c.joint);
    const bool length = joint.type == JointType::kPrismatic;
    const std::string of = " of " + joint_element(c.name), force = length ? "N" : "N m";
    if (options.friction) {
      names.push_back({"damping" + of, length ? "N s/m" : "N m s/rad"});
      names.back().in_model = joint.damping;
      names.push_back({"friction" + of, force});
      names.back().in_model = joint.friction;
    }
    if (options.offset) names.push_back({"effort offset" + of, force});
  }
  if (options.lag) names.push_back({"effort lag", "s"});
  return names;
}

/// Y with efforts - prediction = Y theta, at one sample.
class Regressor {
 public:
  Regressor(const Model& model, const LogFitOptions& options)
      : model_(model),
        options_(options),
        coordinates_(scalar_coordinates(model)),
        data_(model, Dense::kRegressor),
        Y_(MatrixXd::Zero(model.nv(), static_cast<Index>(name_parameters(model, options).size()))) {
  }

  /// An effort measured `lag` seconds late is tau(t - lag) = tau - lag dtau/dt. Without this
  /// column, a lag would be mistaken for damping where gravity or inertia make the torque follow
  /// the motion.
  const MatrixXd& at(const LogSamples& samples, Index i) {
    fill(samples.q.col(i), samples.v.col(i), samples.a.col(i));
    if (options_.lag) Y_.rightCols<1>() = -samples.effort_rate.col(i);
    return Y_;
  }
  [[nodiscard]] const VectorXd& prediction() const noexcept { return prediction_; }

 private:
  void fill(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    prediction_ = inverse_dynamics(model_, data_, q, v, a);
    Index column = 0;
    if (options_.link != kNoIndex) {  // a payload adds to the parameters of its link
      const MatrixXd& all = regressor(model_, data_, q, v, a);
      column = options_.rotational ? kInertialParameters : 4;
      Y_.leftCols(column) = all.middleCols(kInertialParameters * options_.link, column);
    }
    for (const ScalarCoordinate& c : coordinates_) {
      const Index k = c.v;
      if (options_.friction) {
        Y_(k, column++) = v(k);
        Y_(k, column++) = std::tanh(v(k) / model_.friction_speed());
      }
      if (options_.offset) Y_(k, column++) = 1.0;
    }
  }

  const Model& model_;
  LogFitOptions options_;
  std::vector<ScalarCoordinate> coordinates_;
  Data data_;
  VectorXd prediction_;
  MatrixXd Y_;
};

/// Normal equations of one coordinate over one block of the log.
struct Sums {
  MatrixXd A;  // Y' Y
  VectorXd b;  // Y' r
  double c = 0.0, effort = 0.0;
  double count = 0.0;

  void add(const Sums& other) {
    A += other.A;
    b += other.b;
    c += other.c;
    effort += other.effort;
    count += other.count;
  }
  [[nodiscard]] double squares_left(const VectorXd& theta) const {
    return std::max(0.0, c - 2.0 * theta.dot(b) + theta.dot(A * theta));
  }
};

using Block = std::vector<Sums>;  // per coordinate

Block empty_block(Index coordinates, Index parameters) {
  return Block(to_size(coordinates),
               Sums{MatrixXd::Zero(parameters, parameters), VectorXd::Zero(parameters)});
}

Index block_count(const LogSamples& samples) {
  const double duration = samples.time.back() - samples.time.front();
  const double shortest = std::max(kBlockWindows * samples.window_s, 1e-12);
  const double most = std::min(duration / shortest, static_cast<double>(samples.size()) / 4.0);
  return std::max(Index{1}, static_cast<Index>(std::min(most, static_cast<double>(kMostBlocks))));
}

std::vector<Block> collect(const Model& model, const LogSamples& samples,
                           const LogFitOptions& options, Index parameters,
                           const std::function<void(double share)>& progress) {
  Regressor regressor(model, options);
  const Index blocks = block_count(samples);
  std::vector<Block> result(to_size(blocks), empty_block(model.nv(), parameters));
  for (Index i = 0; i < samples.size(); ++i) {
    const MatrixXd& Y = regressor.at(samples, i);
    Block& block = result[to_size(i * blocks / samples.size())];
    for (Index k = 0; k < model.nv(); ++k) {
      if (!samples.has_effort[to_size(k)]) continue;
      Sums& sums = block[to_size(k)];
      const double effort = samples.effort(k, i), r = effort - regressor.prediction()(k);
      sums.A.selfadjointView<Eigen::Lower>().rankUpdate(Y.row(k).transpose());
      sums.b += Y.row(k).transpose() * r;
      sums.c += r * r;
      sums.effort += effort * effort;
      sums.count += 1.0;
    }
    progress(static_cast<double>(i + 1) / static_cast<double>(samples.size()));
  }
  for (Block& block : result) {
    for (Sums& sums : block) sums.A = MatrixXd(sums.A.selfadjointView<Eigen::Lower>());
  }
  return result;
}

/// The pseudo-inverse of a normal matrix on the directions that the data determine.
struct Inverse {
  MatrixXd matrix;
  std::vector<bool> determined;
};

Inverse invert(const MatrixXd& A) {
  const Index n = A.rows();
  VectorXd scale(n);
  const double rounding = kRounding * A.diagonal().maxCoeff();
  for (Index i = 0; i < n; ++i) scale(i) = A(i, i) > rounding ? 1.0 / std::sqrt(A(i, i)) : 0.0;
  const MatrixXd scaled = scale.asDiagonal() * A * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scaled);
  Inverse inverse{MatrixXd::Zero(n, n), std::vector<bool>(to_size(n), true)};
  const double least = kUndetermined * std::max(eigen.eigenvalues().maxCoeff(), 1e-300);
  for (Index k = 0; k < n; ++k) {
    const VectorXd u = eigen.eigenvectors().col(k);
    if (eigen.eigenvalues()(k) > least) {
      inverse.matrix += u * u.transpose() / eigen.eigenvalues()(k);
      continue;
    }
    for (Index i = 0; i < n; ++i) {
      if (u(i) * u(i) > 0.01) inverse.determined[to_size(i)] = false;
    }
  }
  inverse.matrix = scale.asDiagonal() * inverse.matrix * scale.asDiagonal();
  return inverse;
}

/// 1 / variance of each coordinate's residual; 0 where there are no efforts.
VectorXd weights_for(const Block& total, const VectorXd& theta) {
  VectorXd weights(static_cast<Index>(total.size()));
  for (std::size_t k = 0; k < total.size(); ++k) {
    const Sums& sums = total[k];
    const double variance = sums.count > 0.0 ? sums.squares_left(theta) / sums.count : 0.0;
    const double least = sums.count > 0.0 ? 1e-16 * (sums.effort / sums.count + 1e-12) : 1.0;
    weights(static_cast<Index>(k)) = sums.count > 0.0 ? 1.0 / std::max(variance, least) : 0.0;
  }
  return weights;
}

struct Weighted {
  MatrixXd A;
  VectorXd b;
};
Weighted weigh(const Block& block, const VectorXd& weights) {
  Weighted sum{0.0 * block[0].A, 0.0 * block[0].b};
  for (std::size_t k = 0; k < block.size(); ++k) {
    sum.A += weights(static_cast<Index>(k)) * block[k].A;
    sum.b += weights(static_cast<Index>(k)) * block[k].b;
  }
  return sum;
}

/// Scatter of the blocks' gradients around zero (the sandwich estimate): A^-1 (sum g g') A^-1.
MatrixXd covariance_of(const std::vector<Block>& blocks, const VectorXd& weights,
                       const VectorXd& theta, const MatrixXd& inverse) {
  MatrixXd scatter = MatrixXd::Zero(theta.size(), theta.size());
  for (const Block& block : blocks) {
    const Weighted sum = weigh(block, weights);
    const VectorXd g = sum.b - sum.A * theta;
    scatter += g * g.transpose();
  }
  const auto n = static_cast<double>(blocks.size());
  return n / std::max(n - 1.0, 1.0) * inverse * scatter * inverse;
}

}  // namespace

LogFit fit_log(const Model& model, const LogSamples& samples, const LogFitOptions& options,
               const std::function<void(double share)>& progress) {
  LogFit fit;
  LogFitOptions possible = options;
  possible.lag = fit.has_lag = options.lag && samples.effort_rate.size() != 0;
  fit.parameters = name_parameters(model, possible);
  const auto parameters = static_cast<Index>(fit.parameters.size());
  const std::vector<Block> blocks = collect(model, samples, possible, parameters, progress);
  Block total = empty_block(model.nv(), parameters);
  for (const Block& block : blocks) {
    for (std::size_t k = 0; k < total.size(); ++k) total[k].add(block[k]);
  }

  // The variance of each coordinate's noise is estimated together with the parameters: coordinates
  // with more noise get less weight.
  VectorXd theta = VectorXd::Zero(parameters), weights = weights_for(total, theta);
  Inverse inverse;
  for (int i = 0; i < kReweightings; ++i) {
    const Weighted sum = weigh(total, weights);
    inverse = invert(sum.A);
    theta = inverse.matrix * sum.b;
    if (i + 1 < kReweightings) weights = weights_for(total, theta);
  }
  fit.covariance = covariance_of(blocks, weights, theta, inverse.matrix);
  fit.short_log = static_cast<Index>(blocks.size()) < kFewestBlocks;
  for (Index i = 0; i < parameters; ++i) {
    FitParameter& parameter = fit.parameters[to_size(i)];
    parameter.value = theta(i);
    parameter.deviation = std::sqrt(std::max(0.0, fit.covariance(i, i)));
    parameter.determined = inverse.determined[to_size(i)];
  }

  fit.rms_before = fit.rms_after = VectorXd::Zero(model.nv());
  double before = 0.0, after = 0.0;
  for (Index k = 0; k < model.nv(); ++k) {
    const Sums& sums = total[to_size(k)];
    if (sums.count == 0.0) continue;
    const double left = sums.squares_left(theta);
    fit.rms_before(k) = std::sqrt(sums.c / sums.count);
    fit.rms_after(k) = std::sqrt(left / sums.count);
    const double size = sums.effort + 1e-12;
    before += sums.c / size;
    after += left / size;
  }
  fit.explained = before > 0.0 ? std::clamp(1.0 - after / before, 0.0, 1.0) : 0.0;
  return fit;
}

void add_filter_error(LogFit& fit, const LogFit& wider) {
  VectorXd half(fit.covariance.rows());
  for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
    half(static_cast<Index>(i)) = 0.5 * (wider.parameters[i].value - fit.parameters[i].value);
  }
  fit.covariance += half * half.transpose();
  for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
    const auto k = static_cast<Index>(i);
    fit.parameters[i].deviation = std::sqrt(std::max(0.0, fit.covariance(k, k)));
  }
}

LogFit fit_with_filter_error(const Model& model, const RobotLog& log, const LogSamples& samples,
                             const LogFitOptions& options,
                             const std::function<void(double share)>& progress) {
  LogFit fit = fit_log(model, samples, options, [&](double share) { progress(0.5 * share); });
  if (samples.window_s == 0.0) return fit;
  try {
    const LogSamples wider = make_samples(log, kWiderWindow * samples.window_s);
    add_filter_error(
        fit, fit_log(model, wider, options, [&](double share) { progress(0.5 + 0.5 * share); }));
  } catch (const LogError&) {  // the wider window is longer than the log
    fit.short_log = true;
  }
  return fit;
}

FitInterval interval_95(double value, double deviation) {
  const double half = kTwoSided95 * deviation;
  if (!(half > 0.0)) return {value, 0.0};
  const double unit = std::pow(10.0, std::floor(std::log10(half)) - 1.0);
  const auto rounded = [unit](double x) { return std::round(x / unit) * unit + 0.0; };
  return {rounded(value), rounded(half)};
}

const FitParameter* significant_lag(const LogFit& fit) {
  if (!fit.has_lag) return nullptr;
  const FitParameter& lag = fit.parameters.back();
  if (!lag.determined || std::abs(lag.value) < kTwoSided95 * lag.deviation) return nullptr;
  return &lag;
}

}  // namespace spatial_dynamics
