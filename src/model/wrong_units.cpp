#include "wrong_units.hpp"

#include <algorithm>
#include <cmath>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// The largest plausible distance between joints, or of a centre of mass, m.
constexpr double kLargestLength = 10.0;
/// The largest plausible range of a joint on the world, m: a rail that the robot moves along.
constexpr double kLongestRail = 100.0;
/// Ranges beyond this, m, stand for unlimited.
constexpr double kUnlimitedRange = 1e5;
/// No metal is denser, kg/m^3: osmium.
constexpr double kLargestDensity = 22600.0;

/// What a length belongs to.
enum class Measured { kOrigin, kCentreOfMass };

/// Lengths of a robot: between a joint and its parent's, and of a centre of mass or a merged link
/// from the joint that moves it. Where the robot stands in the world is not its size.
struct Lengths {
  double longest = 0.0;
  std::string element;  // of the longest, as the next one
  Measured what = Measured::kOrigin;
  std::size_t too_long = 0;
  double sum = 0.0;  // between joints and to centres of mass: more than the robot's reach

  void include(double length, std::string of, Measured measured) {
    if (length > kLargestLength) ++too_long;
    if (length <= longest) return;
    longest = length;
    element = std::move(of);
    what = measured;
  }
};

Lengths measure(const Model& model) {
  Lengths lengths;
  for (Index i = 1; i < model.body_count(); ++i) {
    const double com = model.inertia(i).com().norm();
    lengths.sum += com;
    if (model.parent(i) == 0) continue;
    const double offset = model.joint(i).placement.r.norm();
    lengths.sum += offset;
    lengths.include(offset, joint_element(model.joint(i).name), Measured::kOrigin);
  }
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    if (link.body == 0) continue;
    lengths.include(link.inertia.com().norm(), link_element(link.name), Measured::kCentreOfMass);
    lengths.include(link.placement.r.norm(), link_element(link.name), Measured::kOrigin);
  }
  return lengths;
}

void find_millimetres(const Model& model, const Lengths& lengths, std::vector<Finding>& findings) {
  if (lengths.too_long > 0) {
    const bool is_com = lengths.what == Measured::kCentreOfMass;
    findings.push_back(
        {FindingCode::kMillimetres, Severity::kWarning, lengths.element,
         (is_com ? "its centre of mass is " : "its origin is ") + rounded_text(lengths.longest) +
             " m from " + (is_com ? "its link's origin" : "the joint before it") +
             (lengths.too_long > 1
                  ? " (" + count_text(lengths.too_long, "length") + " beyond 10 m in all)"
                  : "") +
             ": millimetres?",
         "give metres in every <origin xyz=\"...\">: 0.4 for 400 mm; nothing to do, "
         "if the robot is that large"});
    return;
  }
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    const double range = joint.limits.upper - joint.limits.lower;
    if (joint.type != JointType::kPrismatic || !std::isfinite(range)) continue;
    const double largest = joint.parent == 0 ? kLongestRail : kLargestLength;
    if (range <= std::max(largest, 10.0 * lengths.sum) || range >= kUnlimitedRange) continue;
    findings.push_back({FindingCode::kMillimetres, Severity::kWarning, joint_element(joint.name),
                        "its range of " + rounded_text(range) +
                            " m is more than ten times the size of the robot: millimetres?",
                        "give metres in <limit lower=\"...\" upper=\"...\">, or infinity if it is "
                        "unlimited"});
  }
}

double largest_moment(const Link& link) {
  return check_inertia(link.inertia.inertia_about_com()).principal_moments(2);
}

/// The density of a solid ball with this mass and moment. Of all bodies of one mass and density,
/// the ball has the least inertia: the largest moment is at least a third of their sum, which a
/// ball minimises. So some part of the link is at least that dense.
double least_density(double mass, double moment) {
  const double radius = std::sqrt(2.5 * moment / mass);
  return mass / (4.0 / 3.0 * M_PI * radius * radius * radius);
}

/// Reports masses if more than half of the robot's mass is denser than any metal. A few such links
/// are common: their inertias are guessed.
void find_grams(const Model& model, std::vector<Finding>& findings) {
  double total = 0.0, dense = 0.0, heaviest = 0.0;
  const Link* example = nullptr;
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    const double mass = link.inertia.mass;
    if (link.body == 0 || !(mass > 0.0)) continue;
    total += mass;
    const double moment = largest_moment(link);
    if (!(moment > 0.0) || least_density(mass, moment) <= kLargestDensity) continue;
    dense += mass;
    if (mass <= heaviest) continue;
    heaviest = mass;
    example = &link;
  }
  if (example == nullptr || dense <= 0.5 * total) return;
  const double moment = largest_moment(*example);
  findings.push_back({FindingCode::kGrams, Severity::kWarning, link_element(example->name),
                      "its mass of " + rounded_text(heaviest) + " kg and its inertia of " +
                          rounded_text(moment) + " kg m^2 make it denser than any metal (in all " +
                          rounded_text(100.0 * dense / total) + " % of the robot's mass): grams?",
                      "give masses in kg and inertias in kg m^2"});
}

/// Reports links that are wider than the whole robot is long: inertias in kg cm^2, for example.
void find_inertia_beyond_robot(const Model& model, double size, std::vector<Finding>& findings) {
  if (!(size > 0.0)) return;
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    if (link.body == 0 || !(link.inertia.mass > 0.0)) continue;
    const double moment = largest_moment(link);
    const double radius = std::sqrt(std::max(0.0, moment) / link.inertia.mass);
    // Beyond kLargestLength the validation of links has reported it.
    if (radius <= 2.0 * size || radius > kLargestLength) continue;
    findings.push_back({FindingCode::kImplausibleInertia, Severity::kWarning,
                        link_element(link.name),
                        "its inertia of " + rounded_text(moment) + " kg m^2 is that of " +
                            rounded_text(link.inertia.mass) + " kg at " + rounded_text(radius) +
                            " m from the centre of mass, farther than the robot is long: g "
                            "mm^2 or another unit?",
                        "give masses in kg and inertias in kg m^2"});
  }
}

}  // namespace

void find_wrong_units(const Model& model, std::vector<Finding>& findings) {
  const Lengths lengths = measure(model);
  find_millimetres(model, lengths, findings);
  find_grams(model, findings);
  find_inertia_beyond_robot(model, lengths.sum, findings);
}

}  // namespace spatial_dynamics
