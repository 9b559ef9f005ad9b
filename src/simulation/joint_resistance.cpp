#include "simulation/joint_resistance.hpp"

#include <algorithm>
#include <cmath>

namespace spatial_dynamics {
namespace {

/// tanh(x) / x for x >= 0.
double tanh_over(double x) noexcept { return x < 1e-4 ? 1.0 - x * x / 3.0 : std::tanh(x) / x; }

/// Beyond this many friction speeds, tanh is 1 within 1e-6.
constexpr double kSlidingSpeeds = 8.0;

}  // namespace

JointResistance::JointResistance(const Model& model, bool with_stops)
    : damping_(VectorXd::Zero(model.nv())) {
  for (Index i = 1; i < model.body_count(); ++i) {
    add_friction(model.joint(i));
    if (with_stops) add_stop(model.joint(i));
  }
}

void JointResistance::add_friction(const Joint& joint) {
  if ((joint.damping == 0.0 && joint.friction == 0.0) || joint.ratio == 0.0) return;
  for (Index k = joint.v_index; k < joint.v_index + joint.nv; ++k) {
    damping_(k) += joint.ratio * joint.ratio * joint.damping;
    frictions_.push_back({k, joint.friction, std::abs(joint.ratio)});
  }
}

void JointResistance::add_stop(const Joint& joint) {
  if (joint.type != JointType::kRevolute && joint.type != JointType::kPrismatic) return;
  if (joint.ratio == 0.0) return;
  const double a = (joint.limits.lower - joint.offset) / joint.ratio;
  const double b = (joint.limits.upper - joint.offset) / joint.ratio;
  const Stop stop{joint.q_index, joint.v_index, std::min(a, b), std::max(a, b)};
  if (std::isinf(stop.lower) && std::isinf(stop.upper)) return;
  const auto same = std::find_if(stops_.begin(), stops_.end(),
                                 [&](const Stop& other) { return other.v == stop.v; });
  if (same == stops_.end()) {
    stops_.push_back(stop);
    return;
  }
  const double lower = std::max(same->lower, stop.lower);
  const double upper = std::min(same->upper, stop.upper);
  // Limits of a mimic joint that leave its leader no range would block both. They are an error in
  // the URDF and are ignored.
  if (lower >= upper) return;
  same->lower = lower;
  same->upper = upper;
}

void JointResistance::friction_coefficients(double friction_speed, VectorIn v,
                                            Eigen::Ref<VectorXd> secant,
                                            Eigen::Ref<VectorXd> tangent) const noexcept {
  secant = damping_;
  tangent = damping_;
  for (const Friction& friction : frictions_) {
    // The joint moves at r v: its friction c tanh(r v / w) acts on the coordinate as r c tanh(r v /
    // w).
    const double r = friction.ratio;
    const double u = r * std::abs(v(friction.coordinate)) / friction_speed;
    const double coefficient_at_rest = r * r * friction.coulomb / friction_speed;
    const double t = std::tanh(u);
    secant(friction.coordinate) += coefficient_at_rest * tanh_over(u);
    tangent(friction.coordinate) += coefficient_at_rest * (1.0 - t * t);
  }
}

bool JointResistance::is_sliding(double friction_speed, VectorIn v,
                                 VectorIn v_before) const noexcept {
  return std::all_of(frictions_.begin(), frictions_.end(), [&](const Friction& friction) {
    const Index k = friction.coordinate;
    return friction.coulomb == 0.0 ||
           (friction.ratio * std::abs(v(k)) > kSlidingSpeeds * friction_speed &&
            std::signbit(v(k)) == std::signbit(v_before(k)));
  });
}

void JointResistance::velocity_bounds(VectorIn q, double h, Eigen::Ref<VectorXd> lower,
                                      Eigen::Ref<VectorXd> upper) const noexcept {
  lower.setConstant(-kUnlimited);
  upper.setConstant(kUnlimited);
  for (const Stop& stop : stops_) {
    lower(stop.v) = std::min(0.0, (stop.lower - q(stop.q)) / h);
    upper(stop.v) = std::max(0.0, (stop.upper - q(stop.q)) / h);
  }
}

bool JointResistance::is_within_stops(VectorIn q) const noexcept {
  return std::all_of(stops_.begin(), stops_.end(), [&](const Stop& stop) {
    return q(stop.q) >= stop.lower && q(stop.q) <= stop.upper;
  });
}

}  // namespace spatial_dynamics
