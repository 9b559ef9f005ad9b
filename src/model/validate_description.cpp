#include "validate_description.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// Tolerance of orthonormal rotation matrices, and of symmetric inertias (relative to the trace).
constexpr double kShapeTolerance = 1e-9;
/// Radius of gyration, squared, below which an inertia is the rounding error of a point mass, m^2.
constexpr double kPointMass = 1e-15;
/// Largest plausible radius of gyration of a link, m.
constexpr double kLargestRadius = 10.0;
/// An impossible inertia is set to zero if its largest moment is at most this share of the largest
/// moment, about the centre of mass, of the body that the link is part of. The body's inertia then
/// changes by 1 % at most, less than the usual difference between a CAD model and the real part.
constexpr double kNegligibleInertia = 0.01;
/// A vector whose length differs from 1 by no more than this counts as a unit vector.
constexpr double kUnitTolerance = 1e-6;

bool is_usable(double value) noexcept { return std::abs(value) <= kLargestNumber; }  // NaN is not

void require_usable(const std::string& element, const char* what, double value) {
  if (!is_usable(value)) {
    throw ModelError(element, element + " has " + what + " " + number_text(value) +
                                  "; give a finite number of magnitude 1e15 at most");
  }
}

template <typename Derived>
void require_usable(const std::string& element, const char* what,
                    const Eigen::MatrixBase<Derived>& values) {
  for (Index column = 0; column < values.cols(); ++column) {
    for (Index row = 0; row < values.rows(); ++row) {
      require_usable(element, what, values(row, column));
    }
  }
}

void require_non_negative(const std::string& element, const char* what, double value) {
  require_usable(element, what, value);
  if (value < 0.0) {
    throw ModelError(element, element + " has " + what + " " + number_text(value) +
                                  ", which is negative; give zero or a positive number");
  }
}

/// "0.1, 0.2 and 0.5 kg m^2"
std::string moments_text(const Vector3& moments) {
  // Shows the rounding error of a zero as 0.
  const auto shown = [&moments](Index i) {
    const bool is_rounding = std::abs(moments(i)) < kShapeTolerance * moments.cwiseAbs().maxCoeff();
    return rounded_text(is_rounding ? 0.0 : moments(i));
  };
  return shown(0) + ", " + shown(1) + " and " + shown(2) + " kg m^2";
}

[[noreturn]] void reject_inertia(const std::string& element, const std::string& what) {
  throw ModelError(element, element + " has " + what);
}

/// The reason why an inertia is physically impossible, and the remedy; empty if it is possible. An
/// inertia with a zero or positive mass that is impossible may still have no effect.
std::string impossible_inertia(const MassProperties& mass_properties, const Vector3& moment) {
  if (mass_properties.mass == 0.0 && !mass_properties.inertia_about_com.isZero(0.0)) {
    return "an inertia but no mass; give it a mass, or set its inertia to zero";
  }
  if (!check_inertia(mass_properties.inertia_about_com).positive_semidefinite &&
      moment(0) < -kPointMass * mass_properties.mass) {
    return "an inertia with principal moments " + moments_text(moment) +
           ", but a negative moment is not possible; correct its inertia (diagonal and signs of "
           "the products)";
  }
  return "";
}

void require_usable_mass_properties(const std::string& element,
                                    const MassProperties& mass_properties) {
  const Matrix3& inertia = mass_properties.inertia_about_com;
  require_non_negative(element, "a mass of", mass_properties.mass);
  require_usable(element, "a centre of mass with a coordinate of", mass_properties.com);
  require_usable(element, "an inertia with an entry of", inertia);
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() >
      kShapeTolerance * std::abs(inertia.trace())) {
    throw ModelError(element, element +
                                  " has an inertia matrix that is not symmetric; give the same "
                                  "number on both sides of the diagonal");
  }
}

/// Violations of the triangle inequality are errors if `strict`, and findings otherwise.
void check_triangle_inequality(const std::string& element, const MassProperties& mass_properties,
                               bool strict, std::vector<Finding>& findings) {
  const InertiaValidity validity = check_inertia(mass_properties.inertia_about_com);
  const Vector3& moment = validity.principal_moments;
  if (validity.triangle_inequality ||
      moment(2) <= moment(0) + moment(1) + kPointMass * mass_properties.mass) {
    return;
  }
  const std::string what = "the principal moments of inertia are " + moments_text(moment) +
                           ", and the largest exceeds the sum of the other two";
  const std::string remedy =
      "export or compute it again, about the centre of mass (common causes: entries in the wrong "
      "order, a parallel-axis term subtracted twice, numbers guessed or rounded to few digits)";
  if (strict) {
    throw ModelError(element,
                     element + " has a physically inconsistent inertia: " + what + "; " + remedy);
  }
  findings.push_back(
      {FindingCode::kInconsistentInertia, Severity::kWarning, element, what, remedy});
}

/// Reports an inertia that is too large for its mass, which is probably not in SI units (g mm^2, kg
/// cm^2).
void find_wide_inertia(const std::string& element, const MassProperties& mass_properties,
                       std::vector<Finding>& findings) {
  if (!(mass_properties.mass > 0.0)) return;
  const double largest = check_inertia(mass_properties.inertia_about_com).principal_moments(2);
  const double radius = std::sqrt(std::max(0.0, largest) / mass_properties.mass);
  if (radius <= kLargestRadius) return;
  findings.push_back({FindingCode::kImplausibleInertia, Severity::kWarning, element,
                      "its inertia of " + rounded_text(largest) + " kg m^2 is that of " +
                          rounded_text(mass_properties.mass) + " kg at " + rounded_text(radius) +
                          " m from the centre of mass: g mm^2 or another unit?",
                      "give masses in kg and inertias in kg m^2"});
}

void validate_origin(const std::string& element, const Transform& origin) {
  require_usable(element, "an origin with a coordinate of", origin.r);
  require_usable(element, "an origin whose rotation has an entry of", origin.E);
  const Matrix3 defect = origin.E * origin.E.transpose() - Matrix3::Identity();
  if (defect.cwiseAbs().maxCoeff() > kShapeTolerance || origin.E.determinant() < 0.0) {
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
    require_usable_mass_properties(element, mass_properties);
    const Vector3 moments = check_inertia(mass_properties.inertia_about_com).principal_moments;
    const std::string what = impossible_inertia(mass_properties, moments);
    if (!what.empty()) {
      if (options.strict) reject_inertia(element, what);
      impossible.push_back({l, what, moments.cwiseAbs().maxCoeff()});
      mass_properties.inertia_about_com.setZero();
    }
    check_triangle_inequality(element, mass_properties, options.strict, findings);
    find_wide_inertia(element, mass_properties, findings);
  }
  return valid;
}

void settle_impossible_inertias(const std::vector<ImpossibleInertia>& impossible,
                                const Model& model, const std::vector<Index>& model_link,
                                std::vector<Finding>& findings) {
  std::vector<double> sum(to_size(model.body_count()), 0.0);  // of the moments, per body
  for (const ImpossibleInertia& inertia : impossible) {
    sum[to_size(model.link(model_link[inertia.link]).body)] += inertia.moment;
  }
  for (const ImpossibleInertia& inertia : impossible) {
    const Link& link = model.link(model_link[inertia.link]);
    const std::string element = link_element(link.name);
    const double largest =
        check_inertia(model.inertia(link.body).inertia_about_com()).principal_moments(2);
    if (link.body != 0 && !(sum[to_size(link.body)] <= kNegligibleInertia * largest)) {
      throw ModelError(element, element + " has " + inertia.what);
    }
    const std::size_t remedy = inertia.what.find("; ");
    findings.push_back(
        {FindingCode::kIgnoredInertia, Severity::kWarning, element,
         "it has " + inertia.what.substr(0, remedy) + "; the inertia is set to zero, because " +
             (link.body == 0 ? "the link is fixed to the world"
                             : "it is less than 1 % of that of the body that the link is part of"),
         inertia.what.substr(remedy + 2) + "; with the option 'strict' it is an error"});
  }
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
  for (const LinkDescription& link : links) {
    names.insert(link.name);
  }
  for (const Payload& payload : options.payloads) {
    const std::string element = "payload on " + link_element(payload.link);
    if (names.count(payload.link) == 0) {
      throw ModelError(element, "the " + element +
                                    " names a link that the robot does not have; "
                                    "name one of its links");
    }
    require_usable_mass_properties(element, payload.mass_properties);
    const std::string what = impossible_inertia(
        payload.mass_properties,
        check_inertia(payload.mass_properties.inertia_about_com).principal_moments);
    if (!what.empty()) reject_inertia(element, what);
    check_triangle_inequality(element, payload.mass_properties, options.strict, findings);
    find_wide_inertia(element, payload.mass_properties, findings);
  }
}

}  // namespace spatial_dynamics
