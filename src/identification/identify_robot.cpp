#include "spatial_dynamics/identification/identify_robot.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "identification/base_fit.hpp"
#include "identification/consistent_fit.hpp"
#include "identification/contact_thresholds.hpp"
#include "identification/current_gains.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kStill = 1e-3;      // rms velocity of a joint that does not move, rad/s or m/s
constexpr double kDetermined = 0.5;  // uncertainty of a parameter that the log determines
constexpr int kLagPasses = 2;

VectorXd row_rms(const MatrixXd& rows) {
  return (rows.rowwise().squaredNorm() / static_cast<double>(std::max<Index>(1, rows.cols())))
      .cwiseSqrt();
}

void require_usable(const Model& model, const RobotLog& log) {
  if (static_cast<Index>(scalar_coordinates(model).size()) != model.nv()) {
    throw LogError("a robot on a floating base can't be identified: logs have no forces on it.");
  }
  for (const Index j : model.coordinate_joints()) {
    if (model.joint(j).type == JointType::kPlanar) {
      throw LogError(joint_element(model.joint(j).name) +
                     " is planar, which identification does not support; lock it.");
    }
  }
  if (model.nv() == 0) throw LogError("the robot has no moving joint.");
  if (log.effort.size() == 0 ||
      std::none_of(log.has_effort.begin(), log.has_effort.end(), [](bool x) { return x; })) {
    throw LogError("the log has no efforts; record joint states with efforts.");
  }
}

class RobotIdentification {
 public:
  RobotIdentification(const Model& model, const RobotLog& log, const IdentificationOptions& options,
                      const IdentificationProgress& progress)
      : model_(model), log_(log), options_(options), progress_(progress) {
    require_usable(model, log);
    Model weighed = model;
    if (log.without_gravity) weighed.set_gravity(Vector3::Zero());
    BaseOptions base_options;
    base_options.parameters = options.parameters;
    for (const bool has : log.has_effort) base_options.unmeasured.push_back(!has);
    base_ = base_parameters(weighed, base_options);
    if (base_.rank() == 0) throw LogError("no effort of the log depends on any parameter.");
    gains_ = VectorXd::Ones(model.nv());
    equations_ = std::make_unique<SampleEquations>(model, log, base_);
  }

  Identification run() {
    progress_("filtering", 0.0);
    result_.window_s = options_.window_s > 0.0 ? options_.window_s : fit_window(log_);
    states_ = derive_states(log_, result_.window_s);
    make_samples_with_lag();
    require_motion();
    fit_without_lag();
    for (int pass = 0; pass < kLagPasses; ++pass) fit_with_lag(pass);
    estimate_base();
    fit_all();
    return std::move(result_);
  }

 private:
  void make_samples_with_lag() {
    samples_ =
        make_fit_samples(log_, states_, result_.window_s, model_.friction_speed(), result_.lag_s);
    samples_.effort = (gains_.asDiagonal() * samples_.effort).eval();
    held_out_ = held_out_samples(samples_, options_.held_out);
    result_.samples = samples_.size();
  }

  void require_motion() const {
    if (row_rms(samples_.v).maxCoeff() < kStill) {
      throw LogError("no joint moves in the log; record a motion, such as that of excite.");
    }
    const double rows =
        static_cast<double>(samples_.size()) *
        static_cast<double>(std::count(log_.has_effort.begin(), log_.has_effort.end(), true));
    if (rows < 3.0 * static_cast<double>(base_.rank())) {
      throw LogError("the log is too short for " + std::to_string(base_.rank()) +
                     " parameters; record at least ten seconds.");
    }
  }

  void collect(const MatrixXd& rates, const char* step) {
    rates_ = rates;
    collected_ = collect_equations(samples_, held_out_, log_.has_effort, rates_, *equations_,
                                   [&](double share) { progress_(step, share); });
    all_ = collected_.seen;
    for (std::size_t k = 0; k < all_.size(); ++k) all_[k].add(collected_.unseen[k]);
  }

  /// A payload that some of the logs have and others do not.
  [[nodiscard]] bool has_known_payload() const {
    std::vector<bool> loaded(log_.sources.size(), false);
    for (const LogPayload& known : log_.payloads) {
      if (known.source < loaded.size()) loaded[known.source] = true;
    }
    const auto count = std::count(loaded.begin(), loaded.end(), true);
    return count > 0 && count < static_cast<std::ptrdiff_t>(loaded.size());
  }

  void fit_without_lag() {
    const MatrixXd still = MatrixXd::Zero(model_.nv(), samples_.size());
    collect(still, "reading the motion");
    if (log_.effort_kind == EffortKind::kCurrent) {
      gains_ = fit_current_gains(all_, log_.has_effort, base_.rank(), has_known_payload());
      make_samples_with_lag();
      collect(still, "reading the motion again");
    }
    fit_ = fit_base(all_, log_.has_effort);
  }

  void fit_with_lag(int pass) {
    const VectorXd x = fit_.x.head(base_.rank());
    if (pass > 0) make_samples_with_lag();
    collect(rates_of(samples_, predict_efforts(samples_, *equations_, x)),
            pass == 0 ? "estimating the lag" : "fitting");
    fit_ = fit_base(all_, log_.has_effort);
    if (pass + 1 < kLagPasses) result_.lag_s += fit_.x(base_.rank());
  }

  void estimate_base() {
    const MatrixXd covariance =
        block_covariance(fit_, samples_, log_.has_effort, rates_, *equations_);
    const VectorXd in_model = base_.combination * values_in_model(base_.parameters);
    for (Index b = 0; b < base_.rank(); ++b) {
      result_.base.push_back({base_.name(b), in_model(b), fit_.x(b),
                              std::sqrt(std::max(0.0, covariance(b, b))),
                              fit_.determined[to_size(b)]});
    }
    const Index lag = base_.rank();
    result_.lag_s += fit_.x(lag);
    result_.lag_deviation_s = std::sqrt(std::max(0.0, covariance(lag, lag)));
    result_.condition = fit_.condition;
  }

  /// Expected errors of the model's joint parameters: wide, in proportion to the log's efforts.
  [[nodiscard]] ConsistentFitOptions fit_options() const {
    ConsistentFitOptions options;
    options.inertia_error = options_.inertia_error;
    options.error = VectorXd::Ones(static_cast<Index>(base_.parameters.size()));
    options.held.assign(base_.parameters.size(), false);
    const VectorXd effort = row_rms(samples_.effort), v = row_rms(samples_.v),
                   a = row_rms(samples_.a);
    for (Index i = 0; i < options.error.size(); ++i) {
      const RobotParameter& p = base_.parameters[to_size(i)];
      if (p.kind == ParameterKind::kInertial) continue;
      const Index k =
          p.kind == ParameterKind::kOffset ? p.coordinate : model_.joint(p.joint).v_index;
      const double scale = p.kind == ParameterKind::kDamping    ? std::max(v(k), kStill)
                           : p.kind == ParameterKind::kArmature ? std::max(a(k), kStill)
                                                                : 1.0;
      options.error(i) = std::max({effort(k) / scale, std::abs(p.in_model), 1e-6});
      // A rotor inertia that only adds to that of its link stays the model's.
      options.held[to_size(i)] = base_.without_effect[to_size(i)] ||
                                 (p.kind == ParameterKind::kArmature && !base_.alone[to_size(i)]);
    }
    return options;
  }

  /// Without the column of the lag, which is known by now.
  [[nodiscard]] WeightedEquations without_lag(const WeightedEquations& with) const {
    const Index n = base_.rank();
    return {with.A.topLeftCorner(n, n), with.b.head(n) - with.A.col(n).head(n) * fit_.x(n)};
  }

  [[nodiscard]] VectorXd fit_part(std::vector<JointEquations>& joints,
                                  VectorXd* uncertainty) const {
    const WeightedEquations weighted =
        weigh_equations(joints, fit_.weights, VectorXd::Ones(model_.nv()));
    const ConsistentFit fit = fit_consistently(without_lag(weighted), base_, fit_options());
    if (uncertainty != nullptr) *uncertainty = fit.uncertainty;
    return fit.parameters;
  }

  void fit_all() {
    progress_("fitting all parameters", 0.0);
    const VectorXd of_seen = fit_part(collected_.seen, nullptr);
    progress_("fitting all parameters", 0.5);
    VectorXd uncertainty;
    const VectorXd p = fit_part(all_, &uncertainty);
    report_parameters(p, uncertainty);
    report_joints(p);
    report_unseen(of_seen);
    report_thresholds(p);
  }

  void report_parameters(const VectorXd& p, const VectorXd& uncertainty) {
    const std::vector<bool> held = fit_options().held;
    for (Index i = 0; i < p.size(); ++i) {
      const RobotParameter& parameter = base_.parameters[to_size(i)];
      const double u = held[to_size(i)] ? 1.0 : uncertainty(i);
      result_.parameters.push_back({parameter, p(i), u, u < kDetermined});
      if (parameter.kind != ParameterKind::kInertial || parameter.entry != 0) continue;
      const VectorXd before = values_in_model(base_.parameters);
      result_.bodies.push_back({parameter.body, model_.link(main_link(model_, parameter.body)).name,
                                inertia_from_parameters(before.segment<kInertialParameters>(i)),
                                inertia_from_parameters(p.segment<kInertialParameters>(i))});
    }
  }

  void report_joints(const VectorXd& p) {
    for (const ScalarCoordinate& c : scalar_coordinates(model_)) {
      const Joint& joint = model_.joint(c.joint);
      IdentifiedJoint out;
      out.name = c.name;
      out.coordinate = c.v;
      out.is_length = joint.type == JointType::kPrismatic;
      out.has_effort = log_.has_effort[to_size(c.v)];
      out.damping = joint.damping;
      out.friction = joint.friction;
      out.armature = joint.armature;
      out.gain = gains_(c.v);
      for (Index i = 0; i < p.size(); ++i) {
        const RobotParameter& q = base_.parameters[to_size(i)];
        if (q.joint != c.joint) continue;
        if (q.kind == ParameterKind::kDamping) out.damping = p(i);
        if (q.kind == ParameterKind::kFriction) out.friction = p(i);
        if (q.kind == ParameterKind::kArmature) out.armature = p(i);
        if (q.kind == ParameterKind::kOffset && q.coordinate == c.v) out.offset = p(i);
      }
      result_.joints.push_back(out);
    }
  }

  [[nodiscard]] MatrixXd predict(const VectorXd& p) {
    return predict_efforts(samples_, *equations_, base_.combination * p);
  }

  void report_unseen(const VectorXd& of_seen) {
    const MatrixXd before = predict(values_in_model(base_.parameters)), after = predict(of_seen);
    UnseenEfforts& unseen = result_.unseen;
    const Index n = model_.nv(), count = collected_.unseen_samples;
    for (MatrixXd* const m : {&unseen.measured, &unseen.before, &unseen.after}) m->resize(n, count);
    Index filled = 0;
    for (Index i = 0; i < samples_.size(); ++i) {
      if (!held_out_[to_size(i)]) continue;
      unseen.time.push_back(samples_.time[to_size(i)]);
      unseen.measured.col(filled) = samples_.effort.col(i);
      unseen.before.col(filled) = before.col(i);
      unseen.after.col(filled++) = after.col(i);
    }
    result_.unseen_samples = count;
    const VectorXd error_before = row_rms(unseen.measured - unseen.before),
                   error_after = row_rms(unseen.measured - unseen.after),
                   effort = row_rms(unseen.measured);
    for (IdentifiedJoint& joint : result_.joints) {
      joint.error_before = error_before(joint.coordinate);
      joint.error_after = error_after(joint.coordinate);
      joint.effort_rms = effort(joint.coordinate);
    }
  }

  void report_thresholds(const VectorXd& p) {
    const MatrixXd residual = samples_.effort - predict(p);
    const VectorXd thresholds =
        contact_thresholds(samples_, residual, options_.false_alarms_per_hour);
    const VectorXd noise = row_rms(residual);
    for (IdentifiedJoint& joint : result_.joints) {
      joint.noise = noise(joint.coordinate);
      if (!joint.has_effort) continue;
      // A node knows no offsets: they look like an external torque.
      joint.contact_threshold = thresholds(joint.coordinate) + std::abs(joint.offset);
    }
  }

  const Model& model_;
  const RobotLog& log_;
  const IdentificationOptions& options_;
  const IdentificationProgress& progress_;
  BaseParameters base_;
  VectorXd gains_;
  std::unique_ptr<SampleEquations> equations_;
  DerivedStates states_;
  FitSamples samples_;
  std::vector<bool> held_out_;
  MatrixXd rates_;
  RobotEquations collected_;
  std::vector<JointEquations> all_;
  BaseFit fit_;
  Identification result_;
};

}  // namespace

Identification identify_robot(const Model& model, const RobotLog& log,
                              const IdentificationOptions& options,
                              const IdentificationProgress& progress) {
  return RobotIdentification(model, log, options, progress).run();
}

}  // namespace spatial_dynamics
