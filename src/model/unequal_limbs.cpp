#include "unequal_limbs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "spatial_dynamics/model/configuration.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// Relative difference of masses and limits that rounding to two digits does not cause.
constexpr double kDifference = 0.05;
/// Distance, m, up to which positions count as mirrored.
constexpr double kPlace = 2e-3;

/// Words that mark a left part, and their counterparts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kSides{{
    {"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}, {"l", "r"},   {"L", "R"},
    {"fl", "fr"},      {"FL", "FR"},      {"rl", "rr"},      {"RL", "RR"}, {"hl", "hr"},
    {"HL", "HR"},      {"bl", "br"},      {"BL", "BR"},      {"lf", "rf"}, {"LF", "RF"},
    {"lh", "rh"},      {"LH", "RH"},      {"lb", "rb"},      {"LB", "RB"}, {"lleg", "rleg"},
}};

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }

/// The right counterpart of a word; empty if the word marks no side.
std::string_view right_word(std::string_view word) {
  for (const auto& [left, right] : kSides) {
    if (word == left) return right;
  }
  return "";
}

/// The end of the word that begins at `begin`: letters only, up to the next word of camel case. The
/// words of frontLeftThigh, LFThigh and thighL1 are front, Left, Thigh; LF, Thigh; thigh, L.
std::size_t end_of_word(const std::string& name, std::size_t begin) {
  const auto letter_at = [&name](std::size_t i) { return i < name.size() && is_letter(name[i]); };
  const auto upper_at = [&name](std::size_t i) { return i < name.size() && is_upper(name[i]); };
  std::size_t end = begin;
  while (upper_at(end)) ++end;
  // The last capital belongs to the word that it begins.
  if (end > begin + 1 && letter_at(end)) return end - 1;
  while (letter_at(end) && !upper_at(end)) ++end;
  return end;
}

bool differs(double a, double b) {
  return std::abs(a - b) > kDifference * std::max(std::abs(a), std::abs(b));
}

/// Positions of each link's origin and centre of mass in the root's frame at the neutral pose.
struct Places {
  std::vector<Vector3> origin, com;

  /// Between the centre of mass of the left link and the mirror image of the right one's, m.
  double distance_to_mirror_image(Index left, Index right) const {
    return (com[to_size(left)] - mirrored(com[to_size(right)])).norm();
  }
  bool has_mirrored_origins(Index left, Index right) const {
    return (origin[to_size(left)] - mirrored(origin[to_size(right)])).norm() < kPlace;
  }

 private:
  static Vector3 mirrored(const Vector3& place) { return {place.x(), -place.y(), place.z()}; }
};

Places places_of(const Model& model) {
  const VectorXd q = neutral_configuration(model);
  std::vector<Transform> to_body(to_size(model.body_count()), Transform::Identity());
  for (Index i = 1; i < model.body_count(); ++i) {
    to_body[to_size(i)] = parent_to_child(model.joint(i), q) * to_body[to_size(model.parent(i))];
  }
  Places places;
  for (Index l = 0; l < model.link_count(); ++l) {
    const Link& link = model.link(l);
    const Transform X = link.placement * to_body[to_size(link.body)];
    places.origin.push_back(X.r);
    places.com.emplace_back(X.r + X.E.transpose() * link.inertia.com());
  }
  return places;
}

struct Pair {
  Index left = 0, right = 0;
};

/// Whether the origins of two links are mirrored and their centres of mass are not.
bool is_off_mirror_image(const Model& model, const Places& places, const Pair& pair) {
  const Link& left = model.link(pair.left);
  const double miss = places.distance_to_mirror_image(pair.left, pair.right);
  return left.body != model.link(pair.right).body && left.inertia.mass > 0.0 &&
         places.has_mirrored_origins(pair.left, pair.right) && miss > kPlace &&
         miss > kDifference * left.inertia.com().norm();
}

/// Whether the right side is the mirror image of the left one, except for one pair of links at
/// most. Many robots have equal parts on both sides, such as two arms of one type, or some equal
/// links between mirrored ones.
bool has_mirrored_sides(const Model& model, const Places& places, const std::vector<Pair>& pairs) {
  std::size_t mirrored = 0, off = 0;
  for (const Pair& pair : pairs) {
    const Vector3 difference =
        model.link(pair.left).inertia.com() - model.link(pair.right).inertia.com();
    if (is_off_mirror_image(model, places, pair)) {
      ++off;
    } else if (difference.norm() > kPlace && places.has_mirrored_origins(pair.left, pair.right)) {
      ++mirrored;
    }
  }
  return mirrored > 0 && off <= 1;
}

/// `mirrored`: see has_mirrored_sides().
std::string difference_of_links(const Model& model, const Places& places, const Pair& pair,
                                bool mirrored) {
  const Inertia& a = model.link(pair.left).inertia;
  const Inertia& b = model.link(pair.right).inertia;
  if (differs(a.mass, b.mass)) {
    return "its mass of " + rounded_text(a.mass) + " kg differs from " + rounded_text(b.mass) +
           " kg of ";
  }
  if (a.mass == 0.0) return "";
  // Principal moments and the distance of the centre of mass are the same in a mirror, whatever the
  // axes of the links are.
  const Vector3 moments_a = check_inertia(a.inertia_about_com()).principal_moments;
  const Vector3 moments_b = check_inertia(b.inertia_about_com()).principal_moments;
  Index m = 0;
  if ((moments_a - moments_b).cwiseAbs().maxCoeff(&m) >
      kDifference * std::max(moments_a(2), moments_b(2))) {
    return "its principal moment of inertia of " + rounded_text(moments_a(m)) +
           " kg m^2 differs from " + rounded_text(moments_b(m)) + " kg m^2 of ";
  }
  const double distance_a = a.com().norm(), distance_b = b.com().norm();
  if (differs(distance_a, distance_b) && std::abs(distance_a - distance_b) > kPlace) {
    return "its centre of mass is " + rounded_text(distance_a) + " m from its origin, not " +
           rounded_text(distance_b) + " m as that of ";
  }
  if (mirrored && is_off_mirror_image(model, places, pair)) {
    return "its centre of mass is " +
           rounded_text(places.distance_to_mirror_image(pair.left, pair.right)) +
           " m from the mirror image of that of ";
  }
  return "";
}

std::string range_text(const JointLimits& limits) {
  return rounded_text(limits.lower) + " to " + rounded_text(limits.upper);
}

std::string difference_of_joints(const Joint& a, const Joint& b) {
  if (a.type != b.type) return "it is not of the type of ";
  for (const auto& [name, limit] :
       {std::pair("effort", &JointLimits::effort), std::pair("velocity", &JointLimits::velocity)}) {
    const double x = a.limits.*limit, y = b.limits.*limit;
    if (x == y || (std::isfinite(x) && std::isfinite(y) && !differs(x, y))) continue;
    return std::string("its ") + name + " limit of " + rounded_text(x) + " differs from " +
           rounded_text(y) + " of ";
  }
  const double range_a = a.limits.upper - a.limits.lower;
  const double range_b = b.limits.upper - b.limits.lower;
  if (!std::isfinite(range_a) || !std::isfinite(range_b)) return "";
  const double slack = kDifference * std::max(range_a, range_b);
  const auto is_near = [slack](double x, double y) { return std::abs(x - y) <= slack; };
  const bool same =
      is_near(a.limits.lower, b.limits.lower) && is_near(a.limits.upper, b.limits.upper);
  const bool mirror =
      is_near(a.limits.lower, -b.limits.upper) && is_near(a.limits.upper, -b.limits.lower);
  if (same || mirror) return "";
  return "its range of " + range_text(a.limits) + " is neither that nor the mirror image of " +
         range_text(b.limits) + " of ";
}

constexpr const char* kUnequalRemedy =
    "correct one of the two; nothing to do, if the robot is not symmetric";

/// Whether one of two bodies carries the other. Then they are not limbs of two sides: an arm's
/// joints "joint_l" and "joint_r" are its second and fourth.
bool are_in_line(const Model& model, Index a, Index b) {
  if (a > b) std::swap(a, b);  // a parent has the smaller index
  while (b > a) b = model.parent(b);
  return a == b && a != 0;
}

/// The element that `find` has for the right counterpart of a name; kNoIndex if there is none.
template <typename Find>
Index right_counterpart(const std::string& name, Find find) {
  for (const bool all : {false, true}) {
    const std::string right = right_of_left(name, all);
    if (right.empty()) return kNoIndex;
    if (const Index found = find(right); found != kNoIndex) return found;
  }
  return kNoIndex;
}

}  // namespace

std::string right_of_left(const std::string& name, bool all) {
  std::string mirrored_name;
  bool is_found = false;
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t end = end_of_word(name, i);
    if (end == i) {
      mirrored_name += name[i++];
      continue;
    }
    const std::string_view word = std::string_view(name).substr(i, end - i);
    const std::string_view right = !is_found || all ? right_word(word) : "";
    is_found = is_found || !right.empty();
    mirrored_name += right.empty() ? word : right;
    i = end;
  }
  return is_found ? mirrored_name : "";
}

void find_unequal_limbs(const Model& model, std::vector<Finding>& findings) {
  std::vector<Pair> pairs;
  for (Index l = 0; l < model.link_count(); ++l) {
    const Index right = right_counterpart(
        model.link(l).name, [&model](const std::string& name) { return model.find_link(name); });
    if (right == kNoIndex || are_in_line(model, model.link(l).body, model.link(right).body)) {
      continue;
    }
    pairs.push_back({l, right});
  }
  const Places places = places_of(model);
  const bool mirrored = has_mirrored_sides(model, places, pairs);
  for (const Pair& pair : pairs) {
    const std::string what = difference_of_links(model, places, pair, mirrored);
    if (what.empty()) continue;
    findings.push_back({FindingCode::kMirroredLinksDiffer, Severity::kWarning,
                        link_element(model.link(pair.left).name),
                        what + link_element(model.link(pair.right).name), kUnequalRemedy});
  }
  for (const Index i : model.coordinate_joints()) {
    const Index right = right_counterpart(
        model.joint(i).name, [&model](const std::string& name) { return model.find_joint(name); });
    if (right == kNoIndex || model.joint(right).is_mimic() || are_in_line(model, i, right))
      continue;
    const std::string what = difference_of_joints(model.joint(i), model.joint(right));
    if (what.empty()) continue;
    findings.push_back({FindingCode::kMirroredJointsDiffer, Severity::kWarning,
                        joint_element(model.joint(i).name),
                        what + joint_element(model.joint(right).name), kUnequalRemedy});
  }
}

}  // namespace spatial_dynamics
