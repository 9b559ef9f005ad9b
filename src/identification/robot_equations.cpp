#include "identification/robot_equations.hpp"

#include <algorithm>

#include "support/text.hpp"

namespace spatial_dynamics {

SampleEquations::SampleEquations(const Model& model, const RobotLog& log,
                                 const BaseParameters& base)
    : base_(base), Y_(MatrixXd::Zero(model.nv(), base.rank() + 1)) {
  Model weighed = model;
  if (log.without_gravity) weighed.set_gravity(Vector3::Zero());
  regressors_.emplace_back(weighed, base.parameters);
  for (const LogPayload& known : log.payloads) {
    const auto found = std::find(sources_.begin(), sources_.end(), known.source);
    if (found == sources_.end()) {
      sources_.push_back(known.source);
      regressors_.emplace_back(weighed, base.parameters);
    }
    Model& of = regressors_[of_source(known.source)].model();
    const Index link = of.find_link(known.payload.link);
    if (link == kNoIndex) {
      throw LogError("the robot has no link " + in_quotes(known.payload.link) +
                     ", which a log's payload is on.");
    }
    const MassProperties& m = known.payload.mass_properties;
    of.set_payload(link, of.payload(link) + Inertia::from_com(m.mass, m.com, m.inertia_about_com));
  }
}

std::size_t SampleEquations::of_source(std::size_t source) const noexcept {
  const auto found = std::find(sources_.begin(), sources_.end(), source);
  return found == sources_.end() ? 0 : 1 + static_cast<std::size_t>(found - sources_.begin());
}

void SampleEquations::compute(const FitSamples& samples, Index i, const VectorXd& rate) {
  current_ = of_source(samples.source[to_size(i)]);
  RobotRegressor& regressor = regressors_[current_];
  regressor.compute(samples.q.col(i), samples.v.col(i), samples.a.col(i), samples.direction.col(i));
  // Dependent columns are combinations of the independent ones.
  for (Index b = 0; b < base_.rank(); ++b) {
    Y_.col(b) = regressor.matrix().col(base_.independent[to_size(b)]);
  }
  Y_.rightCols<1>() = -rate;
}

const VectorXd& SampleEquations::known() const noexcept { return regressors_[current_].known(); }

MatrixXd rates_of(const FitSamples& samples, const MatrixXd& efforts) {
  MatrixXd rates = MatrixXd::Zero(efforts.rows(), efforts.cols());
  for (Index i = 1; i + 1 < samples.size(); ++i) {
    if (samples.run[to_size(i - 1)] != samples.run[to_size(i + 1)]) continue;
    rates.col(i) = (efforts.col(i + 1) - efforts.col(i - 1)) /
                   (samples.time[to_size(i + 1)] - samples.time[to_size(i - 1)]);
  }
  return rates;
}

MatrixXd predict_efforts(const FitSamples& samples, SampleEquations& equations, const VectorXd& x) {
  MatrixXd efforts(samples.q.rows(), samples.size());
  const VectorXd still = VectorXd::Zero(samples.q.rows());
  for (Index i = 0; i < samples.size(); ++i) {
    equations.compute(samples, i, still);
    efforts.col(i) = equations.matrix().leftCols(x.size()) * x + equations.known();
  }
  return efforts;
}

std::vector<bool> held_out_samples(const FitSamples& samples, double share) {
  std::vector<bool> result(samples.time.size(), false);
  for (std::size_t first = 0, end = 0; first < result.size(); first = end) {
    while (end < result.size() && samples.source[end] == samples.source[first]) ++end;
    const auto kept = static_cast<std::size_t>((1.0 - share) * static_cast<double>(end - first));
    for (std::size_t i = first + kept; i < end; ++i) result[i] = true;
  }
  return result;
}

RobotEquations collect_equations(const FitSamples& samples, const std::vector<bool>& held_out,
                                 const std::vector<bool>& has_effort, const MatrixXd& rates,
                                 SampleEquations& equations,
                                 const std::function<void(double share)>& progress) {
  const Index joints = samples.q.rows(), columns = equations.matrix().cols();
  RobotEquations result;
  result.seen.assign(to_size(joints), JointEquations(columns));
  result.unseen = result.seen;
  for (Index i = 0; i < samples.size(); ++i) {
    equations.compute(samples, i, rates.col(i));
    const bool out = held_out[to_size(i)];
    result.unseen_samples += out ? 1 : 0;
    for (Index k = 0; k < joints; ++k) {
      if (!has_effort[to_size(k)]) continue;
      JointEquations& joint = (out ? result.unseen : result.seen)[to_size(k)];
      joint.add(equations.matrix().row(k), equations.known()(k), samples.effort(k, i));
    }
    progress(static_cast<double>(i + 1) / static_cast<double>(samples.size()));
  }
  return result;
}

}  // namespace spatial_dynamics
