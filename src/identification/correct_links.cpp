#include "spatial_dynamics/identification/correct_links.hpp"

#include <cmath>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kHalvings = 30;
constexpr double kChanged = 1e-9;  // relative

MassProperties mass_properties_of(const Inertia& inertia) {
  return {inertia.mass, inertia.com(), inertia.inertia_about_com()};
}

/// The inertia of all links of the body except the main one, in the body's frame.
Inertia others_of(const Model& model, Index body, Index main) {
  Inertia sum = Inertia::Zero();
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    if (link.body == body && l != main) sum += to_parent(link.placement, link.inertia);
  }
  return sum;
}

/// True if rounding to the digits of a URDF can't make it inconsistent.
bool is_robust(const Inertia& inertia) {
  if (!(inertia.mass > 0.0) || !is_physical(inertia)) return false;
  const Vector3 moments = check_inertia(inertia.inertia_about_com()).principal_moments;
  return moments(0) > 0.0 && moments(2) < (1.0 - 1e-6) * (moments(0) + moments(1));
}

void correct_body(const Model& model, const IdentifiedBody& body, LinkCorrections& out) {
  const Index main = main_link(model, body.body);
  const Inertia others = others_of(model, body.body, main);
  const auto rest = [&](double factor) { return body.after + (-factor) * others; };
  double factor = 1.0;
  if (others.mass > 0.0 && !is_robust(rest(1.0))) {
    double possible = 0.0;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (possible + factor);
      (is_robust(rest(middle)) ? possible : factor) = middle;
    }
    factor = possible;
    out.notes.push_back("The links that are fixed to " + link_element(body.link) +
                        " are together heavier or wider than the body that was identified, so "
                        "that their masses and inertias are scaled by " +
                        rounded_text(factor) + ".");
    for (Index l = 0; l < model.link_count(); ++l) {
      const Link& link = model.link(l);
      if (link.body != body.body || l == main || !(link.inertia.mass > 0.0)) continue;
      out.changes.links.push_back({link.name, mass_properties_of(factor * link.inertia)});
    }
  }
  out.changes.links.push_back({body.link, mass_properties_of(rest(factor))});
}

}  // namespace

LinkCorrections correct_links(const Model& model, const Identification& identification) {
  LinkCorrections out;
  for (const IdentifiedBody& body : identification.bodies) correct_body(model, body, out);
  for (const IdentifiedJoint& joint : identification.joints) {
    const Index j = model.find_joint(joint.name);
    if (j == kNoIndex) continue;  // a coordinate of a planar joint
    const Joint& before = model.joint(j);
    const auto differs = [](double a, double b) {
      return std::abs(a - b) > kChanged * (std::abs(a) + std::abs(b));
    };
    if (differs(joint.damping, before.damping) || differs(joint.friction, before.friction)) {
      out.changes.joints.push_back({joint.name, joint.damping, joint.friction});
    }
  }
  return out;
}

}  // namespace spatial_dynamics
