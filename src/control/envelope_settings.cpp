#include "spatial_dynamics/control/envelope_settings.hpp"

#include <algorithm>
#include <cmath>

#include "spatial_dynamics/control/control_settings.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// The limits that one joint sets for the coordinate that moves it.
struct Range {
  double hard_lower, hard_upper, soft_lower, soft_upper, velocity;
};

/// Limits of a joint as limits of its coordinate: q_joint = ratio * q + offset.
Range range_of(const Joint& joint) {
  const auto coordinate = [&joint](double lower, double upper) {
    const double a = (lower - joint.offset) / joint.ratio, b = (upper - joint.offset) / joint.ratio;
    return std::pair(std::min(a, b), std::max(a, b));
  };
  const auto [hard_lower, hard_upper] = coordinate(joint.limits.lower, joint.limits.upper);
  const auto [soft_lower, soft_upper] =
      coordinate(joint.limits.soft_lower, joint.limits.soft_upper);
  const double speed = joint.limits.velocity;
  return {hard_lower, hard_upper, soft_lower, soft_upper,
          speed > 0.0 ? speed / std::abs(joint.ratio) : kUnlimited};
}

/// The part common to both. A pair of limits that leaves no range to the other is ignored: it is an
/// error in the URDF (see JointResistance).
Range common(Range a, const Range& b) {
  const auto intersect = [](double& lower, double& upper, double other_lower, double other_upper) {
    const double l = std::max(lower, other_lower), u = std::min(upper, other_upper);
    if (l >= u) return;
    lower = l;
    upper = u;
  };
  intersect(a.hard_lower, a.hard_upper, b.hard_lower, b.hard_upper);
  intersect(a.soft_lower, a.soft_upper, b.soft_lower, b.soft_upper);
  a.velocity = std::min(a.velocity, b.velocity);
  return a;
}

/// The limits of a coordinate: those of its joint and of all joints that mimic it.
Range range_of(const Model& model, const ScalarCoordinate& coordinate) {
  Range range = range_of(model.joint(coordinate.joint));
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.mimics != coordinate.joint || joint.ratio == 0.0) continue;
    range = common(range, range_of(joint));
  }
  return range;
}

/// Sets the soft limits that the URDF does not give, and keeps all within the hard limits.
void complete(Range& range, double margin) {
  const double width = range.hard_upper - range.hard_lower;
  if (margin < 0.0) margin = std::min(kDefaultMarginShare * width, kLargestDefaultMargin);
  margin = std::min(margin, 0.25 * width);
  if (!std::isfinite(range.soft_lower)) range.soft_lower = range.hard_lower + margin;
  if (!std::isfinite(range.soft_upper)) range.soft_upper = range.hard_upper - margin;
  range.soft_lower = std::clamp(range.soft_lower, range.hard_lower, range.hard_upper);
  range.soft_upper = std::clamp(range.soft_upper, range.soft_lower, range.hard_upper);
}

std::string missing_limits(const EnvelopeLimits& limits) {
  if (!limits.enabled || limits.without_velocity_limit.empty()) return "";
  constexpr std::size_t kMostListed = 40;  // joints in one sentence
  std::string names;
  for (std::size_t i = 0; i < limits.without_velocity_limit.size(); ++i) {
    if (i == kMostListed) {
      names += ", ...";
      break;
    }
    names += (i > 0 ? ", " : "") + in_quotes(limits.without_velocity_limit[i]);
  }
  return "the URDF gives no velocity limit, or 0, for " + names +
         ": the envelope does not cap their speed. Add velocity=\"...\" to their <limit>.";
}

}  // namespace

EnvelopeLimits resolve_envelope(const EnvelopeSettings& settings, const Model& model,
                                const std::vector<ScalarCoordinate>& coordinates,
                                const JointOverrides& by_joint) {
  constexpr double kDefault = -1.0;
  const std::vector<double> margin =
      values_per_coordinate("envelope.margin", settings.margin, by_joint, coordinates, kDefault);
  EnvelopeLimits limits;
  limits.enabled = settings.enabled;
  limits.power = settings.power_limit > 0.0 ? settings.power_limit : kUnlimited;
  const VectorXd unlimited = VectorXd::Constant(model.nv(), kUnlimited);
  limits.hard_upper = limits.soft_upper = limits.velocity = unlimited;
  limits.hard_lower = limits.soft_lower = -unlimited;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const ScalarCoordinate& c = coordinates[i];
    Range range = range_of(model, c);
    const bool scalar = c.type == JointType::kRevolute || c.type == JointType::kPrismatic;
    if (scalar && range.hard_lower <= range.hard_upper) {
      complete(range, margin[i]);
      limits.hard_lower[c.v] = range.hard_lower;
      limits.hard_upper[c.v] = range.hard_upper;
      limits.soft_lower[c.v] = range.soft_lower;
      limits.soft_upper[c.v] = range.soft_upper;
    }
    limits.velocity[c.v] = settings.velocity_scale * range.velocity;
    if (std::isinf(range.velocity)) limits.without_velocity_limit.push_back(c.name);
  }
  limits.missing = missing_limits(limits);
  return limits;
}

}  // namespace spatial_dynamics
