#include "validate_inertia.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "require_number.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// Tolerance of symmetric inertias, relative to the trace.
constexpr double kSymmetryTolerance = 1e-9;
/// Radius of gyration, squared, below which an inertia is the rounding error of a point mass, m^2.
constexpr double kPointMass = 1e-15;
/// Largest plausible radius of gyration of a link, m.
constexpr double kLargestRadius = 10.0;
/// An impossible inertia is set to zero if its largest moment is at most this share of the largest
/// moment, about the centre of mass, of the body that the link is part of. The body's inertia then
/// changes by 1 % at most, less than the usual difference between a CAD model and the real part.
constexpr double kNegligibleInertia = 0.01;

/// "0.1, 0.2 and 0.5 kg m^2"
std::string moments_text(const Vector3& moments) {
  // Shows the rounding error of a zero as 0.
  const auto shown = [&moments](Index i) {
    const bool is_rounding =
        std::abs(moments(i)) < kSymmetryTolerance * moments.cwiseAbs().maxCoeff();
    return rounded_text(is_rounding ? 0.0 : moments(i));
  };
  return shown(0) + ", " + shown(1) + " and " + shown(2) + " kg m^2";
}

/// Why an inertia is physically impossible, and the remedy; empty if it is possible. An inertia
/// with a zero or positive mass that is impossible may still have no effect.
std::optional<ImpossibleInertia> impossible_inertia(const MassProperties& mass_properties) {
  const InertiaValidity validity = check_inertia(mass_properties.inertia_about_com);
  const Vector3& moment = validity.principal_moments;
  const double largest = moment.cwiseAbs().maxCoeff();
  if (mass_properties.mass == 0.0 && !mass_properties.inertia_about_com.isZero(0.0)) {
    return ImpossibleInertia{0, "an inertia but no mass",
                             "give it a mass, or set its inertia to zero", largest};
  }
  if (!validity.positive_semidefinite && moment(0) < -kPointMass * mass_properties.mass) {
    return ImpossibleInertia{0,
                             "an inertia with principal moments " + moments_text(moment) +
                                 ", but a negative moment is not possible",
                             "correct its inertia (diagonal and signs of the products)", largest};
  }
  return std::nullopt;
}

void require_usable_mass_properties(const std::string& element,
                                    const MassProperties& mass_properties) {
  const Matrix3& inertia = mass_properties.inertia_about_com;
  require_non_negative(element, "a mass of", mass_properties.mass);
  require_usable(element, "a centre of mass with a coordinate of", mass_properties.com);
  require_usable(element, "an inertia with an entry of", inertia);
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() >
      kSymmetryTolerance * std::abs(inertia.trace())) {
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

}  // namespace

void reject_inertia(const std::string& element, const ImpossibleInertia& inertia) {
  throw ModelError(element, element + " has " + inertia.what + "; " + inertia.remedy);
}

std::optional<ImpossibleInertia> validate_mass_properties(const std::string& element,
                                                          const MassProperties& mass_properties,
                                                          bool strict,
                                                          std::vector<Finding>& findings) {
  require_usable_mass_properties(element, mass_properties);
  std::optional<ImpossibleInertia> impossible = impossible_inertia(mass_properties);
  if (impossible) return impossible;
  check_triangle_inequality(element, mass_properties, strict, findings);
  find_wide_inertia(element, mass_properties, findings);
  return std::nullopt;
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
      reject_inertia(element, inertia);
    }
    findings.push_back(
        {FindingCode::kIgnoredInertia, Severity::kWarning, element,
         "it has " + inertia.what + "; the inertia is set to zero, because " +
             (link.body == 0 ? "the link is fixed to the world"
                             : "it is less than 1 % of that of the body that the link is part of"),
         inertia.remedy + "; with the option 'strict' it is an error"});
  }
}

}  // namespace spatial_dynamics
