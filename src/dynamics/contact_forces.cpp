#include "spatial_dynamics/dynamics/contact_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data_impl.hpp"
#include "smallest_forces.hpp"
#include "spatial_dynamics/model/coordinates.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// A nanometre: less is rounding of the points of a robot, and not the reason why no forces exist.
constexpr double kRoundingOfPoints = 1e-9;

/// True if the floating base, body 1, moves the body.
bool moves_with_base(const Model& model, Index body) noexcept {
  while (body > 1) body = model.parent(body);
  return body == 1;
}

void check_contacts(const Checks& check, const Model& model, const std::vector<Contact>& contacts,
                    const ContactForces& result, double friction) {
  check.require(has_floating_base(model), "the model has no floating base.");
  check.require(!contacts.empty(), "there are no contacts.");
  check.require(contacts.size() <= result.forces.capacity(),
                "there are more contacts than the ContactForces was constructed for.");
  check.require(friction >= 0.0, "the friction is negative or not a number.");
  for (const Contact& contact : contacts) {
    check.link(contact.link);
    const Link& link = model.link(contact.link);
    if (moves_with_base(model, link.body)) continue;
    check.violated("a contact is on link '" + link.name +
                   "', which does not move with the floating base.");
  }
}

bool is_zero(const ExternalForces& external) noexcept {
  for (Index i = 0; i < external.body_count(); ++i) {
    if (!external.on_body(i).vector().isZero(0.0)) return false;
  }
  return true;
}

/// The distance of a point to the convex hull of the others, all projected along `normal`; 0 if it
/// is inside. The nearest point of the hull is on a line between two points. It is the nearest if
/// all points are on its other side.
double distance_to_hull(const std::vector<Vector3>& points, const Vector3& point,
                        const Vector3& normal) noexcept {
  const auto flat = [&](const Vector3& p) -> Vector3 {
    const Vector3 from = p - point;
    return from - normal.dot(from) * normal;
  };
  Vector3 nearest = flat(points[0]);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3 a = flat(points[i]);
    for (std::size_t j = i; j < points.size(); ++j) {
      const Vector3 ab = flat(points[j]) - a;
      const double square = ab.squaredNorm();
      const double t = square > 0.0 ? std::clamp(-a.dot(ab) / square, 0.0, 1.0) : 0.0;
      const Vector3 candidate = a + t * ab;
      if (candidate.squaredNorm() < nearest.squaredNorm()) nearest = candidate;
    }
  }
  const double square = nearest.squaredNorm();
  for (const Vector3& p : points) {
    // Less than the nearest point by more than rounding: the hull contains the point.
    if (flat(p).dot(nearest) < square - 1e-9 * (square + flat(p).norm() * nearest.norm())) {
      return 0.0;
    }
  }
  return std::sqrt(square);
}

double ratio_of(const std::vector<Vector3>& forces, const Vector3& normal) noexcept {
  double largest = 0.0, ratio = 0.0;
  for (const Vector3& f : forces) largest = std::max(largest, f.norm());
  for (const Vector3& f : forces) {
    if (f.norm() <= 1e-12 * largest) continue;  // the direction of a force of rounding
    const double up = normal.dot(f);
    ratio = std::max(ratio, (f - up * normal).norm() / std::max(up, 0.0));
  }
  return ratio;
}

/// The forces at result.points with the sum `wrench` at the world's origin, or the reason why none
/// exist.
void balance(const Force& wrench, const Ground& ground, ContactForces& result) noexcept {
  const std::vector<Vector3>& points = result.points;
  if (smallest_forces(points, wrench, ground, result.forces)) {
    result.balance = Balance::kBalanced;
    result.needed_friction = ratio_of(result.forces, ground.normal);
    return;
  }
  const double up = ground.normal.dot(wrench.force);
  if (up < 0.0) {
    result.balance = Balance::kPull;
    result.excess = -up;
    return;
  }
  Vector3 centre = Vector3::Zero();
  for (const Vector3& p : points) centre += p / static_cast<double>(points.size());
  const Vector3 moment = wrench.moment - centre.cross(wrench.force);
  // The zero-moment point: a force there has no horizontal moment.
  const Vector3 zero_moment_point = centre + ground.normal.cross(moment) / up;
  result.excess = up > 0.0 ? distance_to_hull(points, zero_moment_point, ground.normal) : 0.0;
  if (result.excess > kRoundingOfPoints) {
    result.balance = Balance::kOutsideSupport;
    return;
  }
  const Ground rough{ground.normal, std::numeric_limits<double>::infinity()};
  if (smallest_forces(points, wrench, rough, result.forces)) {
    result.balance = Balance::kFriction;
    result.excess = ratio_of(result.forces, ground.normal);
  } else {
    result.balance = Balance::kUnbalanced;
  }
}

}  // namespace

ContactForces::ContactForces(const Model& model, std::size_t capacity) : wrenches(model) {
  forces.reserve(capacity);
  points.reserve(capacity);
}

bool contact_forces(const Model& model, Data& data, VectorView q, VectorView v, VectorView a,
                    const std::vector<Contact>& contacts, ContactForces& result, double friction,
                    const ExternalForces& external) {
  const Checks check("contact_forces", model);
  Data::Impl& d = prepare(check, model, data);
  check.state(q, v, "a", a);
  check.forces(external);
  check.forces(result.wrenches);
  check_contacts(check, model, contacts, result, friction);

  // Without contacts, the base would need this wrench, in its own frame at its origin.
  const VectorXd& tau =
      textbook::inverse_dynamics(model, d.textbook, q.map(), v.map(), a.map(), external);
  textbook::forward_kinematics(model, d.textbook, q.map());
  const Force on_base(Vector6(tau.segment<6>(model.joint(1).v_index)));
  const Force wrench = d.textbook.X_world[1].apply_transpose(on_base);

  result.points.resize(contacts.size());
  result.forces.assign(contacts.size(), Vector3::Zero());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Transform link = textbook::link_transform(model, d.textbook, contacts[i].link);
    result.points[i] = link.inverse_point(contacts[i].point);
  }
  result.at_rest = v.map().isZero(0.0) && a.map().isZero(0.0) && is_zero(external);
  result.friction = friction;
  result.needed_friction = 0.0;
  result.excess = 0.0;
  const double gravity = model.gravity().norm();
  result.balance = Balance::kNoGravity;
  if (gravity > 0.0) balance(wrench, {-model.gravity() / gravity, friction}, result);

  const bool balanced = result.balance == Balance::kBalanced;
  for (Index i = 0; i < model.body_count(); ++i) {
    result.wrenches.set_on_body(i, external.empty() ? Force::Zero() : external.on_body(i));
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!balanced) result.forces[i].setZero();
    const Contact& contact = contacts[i];
    const Transform link = textbook::link_transform(model, d.textbook, contact.link);
    const Vector3 force = link.E * result.forces[i];
    result.wrenches.add(model, contact.link, Force(contact.point.cross(force), force));
  }
  return balanced;
}

std::string explain(const ContactForces& result) {
  const std::size_t count = result.points.size();
  switch (result.balance) {
    case Balance::kBalanced:
      return {};
    case Balance::kNoGravity:
      return "gravity is zero, so there is no horizontal ground";
    case Balance::kPull:
      return "the ground would have to pull the robot with " + rounded_text(result.excess) +
             " N: the robot accelerates downwards faster than in free fall, or a wrench lifts it";
    case Balance::kOutsideSupport: {
      std::string where =
          " m outside the support polygon of the " + std::to_string(count) + " contacts";
      if (count == 1) where = " m beside the only contact";
      if (count == 2) where = " m beside the line between the two contacts";
      return std::string(result.at_rest ? "the centre of mass" : "the zero-moment point") + " is " +
             rounded_text(result.excess) + where +
             ", so the robot would tip over; add contacts, or change the pose";
    }
    case Balance::kFriction:
      return "the contacts would slip: the smallest forces need a friction coefficient of " +
             rounded_text(result.excess) + ", but it is " + rounded_text(result.friction);
    case Balance::kUnbalanced:
      break;
  }
  return "no forces at the " + count_text(count, "contact") +
         " have the moment that the motion needs; add contacts, or change the motion";
}

}  // namespace spatial_dynamics
