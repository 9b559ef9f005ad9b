#include "validate_description.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>

#include "require_number.hpp"
#include "support/nearest_name.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// Tolerance of orthonormal rotation matrices.
constexpr double kRotationTolerance = 1e-9;
/// A vector whose length differs from 1 by no more than this counts as a unit vector.
constexpr double kUnitTolerance = 1e-6;

void validate_origin(const std::string& element, const Transform& origin) {
  require_usable(element, "an origin with a coordinate of", origin.r);
  require_usable(element, "an origin whose rotation has an entry of", origin.E);
  const Matrix3 defect = origin.E * origin.E.transpose() - Matrix3::Identity();
  if (defect.cwiseAbs().maxCoeff() > kRotationTolerance || origin.E.determinant() < 0.0) {
    throw ModelError(element, element +
                                  " has an origin whose matrix is not a rotation; give it "
                                  "orthonormal, right-handed axes");
  }
}

/// The axis with unit length. Fixed and floating joints ignore their axis, which may be zero.
Vector3 unit_axis(const std::string& element, const JointDescription& joint,
                  std::vector<Finding>& findings) {
  require_usable(element, "an axis with a coordinate of", joint.axis);
  if (joint.type == JointType::kFixed || joint.type == JointType::kFloating) {
    return Vector3::UnitX();
  }
  // Divide by the largest number first, so that tiny axes do not underflow when squared.
  const double largest = joint.axis.cwiseAbs().maxCoeff();
  if (largest == 0.0) {
    throw ModelError(element, element +
                                  " has the axis 0 0 0; give the direction it moves about or "
                                  "along, such as 0 0 1, or make the joint fixed");
  }
  const Vector3 scaled = joint.axis / largest;
  if (std::abs(largest * scaled.norm() - 1.0) > kUnitTolerance) {
    findings.push_back({FindingCode::kAxisNotUnit, Severity::kInfo, element,
                        "the axis " + number_text(joint.axis.x()) + " " +
                            number_text(joint.axis.y()) + " " + number_text(joint.axis.z()) +
                            " is not of unit length; it was normalised",
                        "give a unit vector"});
  }
  return scaled.normalized();
}

bool is_unlimited(double limit) noexcept { return std::abs(limit) >= kLargestNumber; }

void require_not_nan(const std::string& element, const char* what, double limit) {
  if (std::isnan(limit)) {
    throw ModelError(element,
                     element + " has " + what +
                         " limit that is not a number; give a number, or infinity for none");
  }
}

/// An effort or velocity limit. A negative limit becomes 0, which is the safe choice.
double magnitude_limit(const std::string& element, const char* what, double limit,
                       std::vector<Finding>& findings) {
  if (is_unlimited(limit)) {
    return kUnlimited;
  }
  if (limit < 0.0) {
    findings.push_back({FindingCode::kNegativeLimit, Severity::kWarning, element,
                        std::string("the ") + what + " limit " + number_text(limit) +
                            " is negative; it is replaced by 0",
                        std::string("give the magnitude of the ") + what + " limit"});
    return 0.0;
  }
  return limit;
}

/// Two equal soft limits count as none: URDF's defaults are 0 and 0.
void copy_soft_limits(const std::string& element, const JointLimits& given, JointLimits& limits) {
  require_not_nan(element, "a soft lower", given.soft_lower);
  require_not_nan(element, "a soft upper", given.soft_upper);
  if (given.soft_lower == given.soft_upper) return;
  if (given.soft_lower > given.soft_upper) {
    throw ModelError(element, element + " has a soft lower limit of " +
                                  number_text(given.soft_lower) +
                                  " above its soft upper limit of " +
                                  number_text(given.soft_upper) + "; exchange or correct them");
  }
  limits.soft_lower = is_unlimited(given.soft_lower) ? -kUnlimited : given.soft_lower;
  limits.soft_upper = is_unlimited(given.soft_upper) ? kUnlimited : given.soft_upper;
}

JointLimits validate_limits(const std::string& element, const JointDescription& joint,
                            std::vector<Finding>& findings) {
  require_not_nan(element, "a lower", joint.limits.lower);
  require_not_nan(element, "an upper", joint.limits.upper);
  require_not_nan(element, "a velocity", joint.limits.velocity);
  require_not_nan(element, "an effort", joint.limits.effort);
  require_not_nan(element, "an acceleration", joint.limits.acceleration);
  require_not_nan(element, "a deceleration", joint.limits.deceleration);
  require_not_nan(element, "a jerk", joint.limits.jerk);

  JointLimits limits;
  limits.velocity = magnitude_limit(element, "velocity", joint.limits.velocity, findings);
  limits.effort = magnitude_limit(element, "effort", joint.limits.effort, findings);
  limits.acceleration =
      magnitude_limit(element, "acceleration", joint.limits.acceleration, findings);
  limits.deceleration =
      magnitude_limit(element, "deceleration", joint.limits.deceleration, findings);
  limits.jerk = magnitude_limit(element, "jerk", joint.limits.jerk, findings);
  if (joint.type != JointType::kRevolute && joint.type != JointType::kPrismatic) {
    return limits;
  }
  if (joint.limits.lower > joint.limits.upper) {
    throw ModelError(element, element + " has a lower limit of " + number_text(joint.limits.lower) +
                                  " above its upper limit of " + number_text(joint.limits.upper) +
                                  "; exchange or correct them");
  }
  if (joint.limits.lower >= kLargestNumber || joint.limits.upper <= -kLargestNumber) {
    throw ModelError(element, element + " has the limits " + number_text(joint.limits.lower) +
                                  " to " + number_text(joint.limits.upper) +
                                  ", between which it can never be; give -inf to inf if it is "
                                  "unlimited, or the range it has");
  }
  limits.lower = is_unlimited(joint.limits.lower) ? -kUnlimited : joint.limits.lower;
  limits.upper = is_unlimited(joint.limits.upper) ? kUnlimited : joint.limits.upper;
  copy_soft_limits(element, joint.limits, limits);
  return limits;
}

}  // namespace

void require_valid_name(const std::string& kind, const std::string& name) {
  const std::string element = kind + " " + in_quotes(name);
  if (name.empty()) {
    throw ModelError(kind, "a " + kind + " has an empty name; give it one");
  }
  if (!is_utf8(name)) {
    throw ModelError(
        element, element + " has a name that is not UTF-8; rename it, or save the file as UTF-8");
  }
  if (has_control_character(name)) {
    throw ModelError(element, element + " has control characters in its name; remove them");
  }
}

std::vector<LinkDescription> validate_links(const std::vector<LinkDescription>& links,
                                            const BuildOptions& options,
                                            std::vector<Finding>& findings,
                                            std::vector<ImpossibleInertia>& impossible) {
  std::vector<LinkDescription> valid = links;
  for (std::size_t l = 0; l < valid.size(); ++l) {
    require_valid_name("link", valid[l].name);
    if (!valid[l].mass_properties) continue;
    const std::string element = link_element(valid[l].name);
    MassProperties& mass_properties = *valid[l].mass_properties;
    std::optional<ImpossibleInertia> found =
        validate_mass_properties(element, mass_properties, options.strict, findings);
    if (!found) continue;
    if (options.strict) reject_inertia(element, *found);
    found->link = l;
    impossible.push_back(*std::move(found));
    mass_properties.inertia_about_com.setZero();
  }
  return valid;
}

std::vector<JointDescription> validate_joints(const std::vector<JointDescription>& joints,
                                              const BuildOptions& options,
                                              std::vector<Finding>& findings) {
  std::vector<JointDescription> valid = joints;
  for (JointDescription& joint : valid) {
    require_valid_name("joint", joint.name);
    const std::string element = joint_element(joint.name);
    validate_origin(element, joint.origin);
    joint.axis = unit_axis(element, joint, findings);
    joint.limits = validate_limits(element, joint, findings);
    if (const auto found = options.armature.find(joint.name); found != options.armature.end()) {
      joint.armature = found->second;
    }
    require_non_negative(element, "a damping of", joint.damping);
    require_non_negative(element, "a friction of", joint.friction);
    require_non_negative(element, "an armature of", joint.armature);
    if (joint.mimic) {
      require_usable(element, "a mimic multiplier of", joint.mimic->multiplier);
      require_usable(element, "a mimic offset of", joint.mimic->offset);
    }
  }
  return valid;
}

void validate_options(const BuildOptions& options, const std::vector<LinkDescription>& links,
                      std::vector<Finding>& findings) {
  require_usable("option 'gravity'", "a coordinate of", options.gravity);
  require_usable("option 'friction_speed'", "a value of", options.friction_speed);
  if (options.friction_speed <= 0.0) {
    throw ModelError("option 'friction_speed'", "option 'friction_speed' is " +
                                                    number_text(options.friction_speed) +
                                                    "; give a positive speed, such as 1e-3");
  }
  std::unordered_set<std::string> names;
  std::vector<std::string> in_order;
  for (const LinkDescription& link : links) {
    names.insert(link.name);
    in_order.push_back(link.name);
  }
  for (const Payload& payload : options.payloads) {
    const std::string element = "payload on " + link_element(payload.link);
    if (names.count(payload.link) == 0) {
      throw ModelError(element, element + ": the robot has no such link; " +
                                    name_advice(payload.link, in_order));
    }
    const auto impossible =
        validate_mass_properties(element, payload.mass_properties, options.strict, findings);
    if (impossible) reject_inertia(element, *impossible);
  }
}

}  // namespace spatial_dynamics
