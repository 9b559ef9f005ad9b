#include "describe_model.hpp"

#include <algorithm>
#include <cmath>

#include "support/text.hpp"
#include "unequal_limbs.hpp"
#include "wrong_units.hpp"

namespace spatial_dynamics {
namespace {

constexpr const char* kWorld = "world";

CoordinateEntry coordinate_entry(const Model& model, const Origins& origins, Index i,
                                 const std::vector<JointDescription>& joints) {
  const Joint& joint = model.joint(i);
  const std::size_t description = origins.description[to_size(i)];
  return {joint.name,
          joint.type,
          description == kNone ? kWorld : joints[description].parent,
          origins.frame_link[to_size(i)],
          joint.limits,
          joint.damping,
          joint.friction,
          joint.armature};
}

/// Joints whose origins are no farther apart, m, may be one joint with several axes.
constexpr double kSamePlace = 1e-3;

/// A robot without any mass has zero torques, so this finding comes first.
void find_robot_without_mass(const Model& model, std::vector<Finding>& findings) {
  for (Index i = 1; i < model.body_count(); ++i) {
    if (model.inertia(i).mass > 0.0) return;
  }
  if (model.body_count() == 1) return;
  findings.push_back({FindingCode::kRobotWithoutMass, Severity::kWarning,
                      "robot " + in_quotes(model.name()),
                      "no moving link has a mass (0 kg in total), so that every torque is 0",
                      "give its links masses and inertias (<inertial>)"});
}

void find_massless_bodies(const Model& model, const Origins& origins,
                          std::vector<Finding>& findings) {
  std::vector<bool> is_leaf(to_size(model.body_count()), true);
  std::vector<bool> is_long(is_leaf.size(), false);  // has a child joint away from its own joint
  for (Index i = model.body_count() - 1; i > 0; --i) {
    const std::size_t parent = to_size(model.parent(i));
    is_leaf[parent] = false;
    is_long[parent] = is_long[parent] || model.joint(i).placement.r.norm() > kSamePlace;
    if (model.inertia(i).mass > 0.0) {
      continue;
    }
    const std::string& link = origins.frame_link[to_size(i)];
    const std::string& joint = model.joint(i).name;
    if (is_leaf[to_size(i)]) {
      findings.push_back({FindingCode::kMasslessEndLink, Severity::kWarning, link_element(link),
                          "it moves and has no mass, at the end of " + joint_element(joint),
                          "give it a mass and an inertia (<inertial>), or make the joint fixed"});
      continue;
    }
    std::string what = "it moves and has no mass, between two joints";
    const bool has_shape = origins.has_shape[to_size(i)];
    if (is_long[to_size(i)] || has_shape) {
      what += is_long[to_size(i)] ? " that are apart" : ", but a shape (<visual> or <collision>)";
      findings.push_back({FindingCode::kMasslessLink, Severity::kWarning, link_element(link), what,
                          "give it a mass and an inertia (<inertial>); without them its weight is "
                          "missing in every torque"});
    } else {
      findings.push_back({FindingCode::kMasslessCompositeLink, Severity::kInfo, link_element(link),
                          what, "nothing to do, if it only composes a joint with several axes"});
    }
  }
}

/// More turns than a cable allows, so that the limit may be in degrees. Infinity is intended.
bool is_many_turns(double limit) noexcept {
  return std::isfinite(limit) && std::abs(limit) > 4.0 * M_PI + 1e-2;  // 12.57 is rounded
}

void check_limits(const Joint& joint, std::vector<Finding>& findings) {
  const std::string element = joint_element(joint.name);
  const JointLimits& limits = joint.limits;
  if (limits.effort == 0.0 || std::isinf(limits.effort)) {
    const bool is_zero = limits.effort == 0.0;
    findings.push_back({is_zero ? FindingCode::kZeroEffortLimit : FindingCode::kNoEffortLimit,
                        Severity::kWarning, element,
                        is_zero ? "its effort limit is 0" : "it has no effort limit",
                        "give one in <limit effort=\"...\"> or in the parameter 'effort_limits'"});
  }
  if (limits.velocity == 0.0) {
    findings.push_back({FindingCode::kZeroVelocityLimit, Severity::kWarning, element,
                        "its velocity limit is 0: planners do not move it, and the node does not "
                        "detect jumps of its state",
                        "give one in <limit velocity=\"...\">, in rad/s or m/s"});
  }
  const bool is_bounded = joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
  if (is_bounded && limits.lower == limits.upper) {
    findings.push_back({FindingCode::kEmptyPositionRange, Severity::kWarning, element,
                        "its lower and upper limit are both " + number_text(limits.lower) +
                            ", so that it cannot move",
                        "give the range in <limit lower=\"...\" upper=\"...\">, or make it fixed"});
  }
  if (joint.type == JointType::kRevolute &&
      (is_many_turns(limits.lower) || is_many_turns(limits.upper))) {
    findings.push_back({FindingCode::kLimitsInDegrees, Severity::kWarning, element,
                        "its limits " + rounded_text(limits.lower) + " and " +
                            rounded_text(limits.upper) + " rad are several turns: degrees?",
                        "give radians, or make it continuous if it turns without end"});
  }
  std::string unlimited;
  const auto note = [&unlimited](const char* what, double limit) {
    if (std::isinf(limit)) {
      unlimited += (unlimited.empty() ? "" : ", ") + std::string(what);
    }
  };
  if (is_bounded) {
    note("lower", limits.lower);
    note("upper", limits.upper);
  }
  note("velocity", limits.velocity);
  if (!unlimited.empty()) {
    findings.push_back({FindingCode::kUnlimitedJoint, Severity::kInfo, element,
                        "it is unlimited in: " + unlimited, "nothing to do, if that is meant"});
  }
}

/// Messages carry one number per joint name (three for a planar joint), and a pose only for the
/// base, which is the first body.
void find_floating_joint(const Model& model, Index i, std::vector<Finding>& findings) {
  const Joint& joint = model.joint(i);
  if (joint.type != JointType::kFloating || (i == 1 && model.parent(i) == 0)) return;
  findings.push_back({FindingCode::kFloatingJointInTree, Severity::kWarning,
                      joint_element(joint.name),
                      "it floats and is not the base: no message carries its state, so that run, "
                      "demo, latency, simulate, replay and the ROS 2 nodes reject the robot",
                      "make it fixed or remove it; compute and the library accept it"});
}

/// Reports a follower that its leader moves beyond the follower's limits.
void find_excessive_mimic(const Model& model, const Joint& joint, std::vector<Finding>& findings) {
  const Joint& leader = model.joint(joint.mimics);
  const JointLimits& limits = joint.limits;
  const double ends[] = {joint.ratio * leader.limits.lower + joint.offset,
                         joint.ratio * leader.limits.upper + joint.offset};
  const double least = std::min(ends[0], ends[1]), greatest = std::max(ends[0], ends[1]);
  const bool is_bounded = joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
  if (!is_bounded || !std::isfinite(greatest - least)) return;
  const double slack = 1e-3 * (limits.upper - limits.lower);  // many URDFs round ratios
  if (least >= limits.lower - slack && greatest <= limits.upper + slack) return;
  findings.push_back(
      {FindingCode::kMimicExceedsLimits, Severity::kWarning, joint_element(joint.name),
       "it follows " + joint_element(leader.name) + " from " + rounded_text(least) + " to " +
           rounded_text(greatest) + ", beyond its own limits " + rounded_text(limits.lower) +
           " and " + rounded_text(limits.upper),
       "correct its <limit>, its <mimic>, or the limits of the joint that it follows"});
}

}  // namespace

ModelReport describe_model(const Model& model, const Origins& origins,
                           const std::vector<JointDescription>& joints,
                           const std::vector<JointRole>& roles) {
  ModelReport report;
  report.name = model.name();
  report.dof = model.nv();
  report.total_mass = model.total_mass();
  for (const Index i : model.coordinate_joints()) {
    report.joints.push_back(coordinate_entry(model, origins, i, joints));
  }
  for (Index l = 0; l < model.link_count(); ++l) {
    const std::string& into = origins.frame_link[to_size(model.link(l).body)];
    if (model.link(l).name != into) {
      report.lumped.push_back({model.link(l).name, into});
    }
  }
  for (Index i = 1; i < model.body_count(); ++i) {
    const Joint& joint = model.joint(i);
    if (joint.is_mimic()) {
      report.mimic.push_back(
          {joint.name, model.joint(joint.mimics).name, joint.ratio, joint.offset});
    }
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (roles[j].kind == JointRole::Kind::kHeld && joints[j].type != JointType::kFixed) {
      report.locked.push_back({joints[j].name, roles[j].position});
    }
  }
  return report;
}

void add_findings(const Model& model, const Origins& origins, const Singularity& singularity,
                  std::vector<Finding>& findings) {
  find_robot_without_mass(model, findings);
  find_massless_bodies(model, origins, findings);
  for (const Index i : model.coordinate_joints()) {
    find_floating_joint(model, i, findings);
    // A floating joint has no motor.
    if (model.joint(i).type != JointType::kFloating) check_limits(model.joint(i), findings);
  }
  for (Index i = 1; i < model.body_count(); ++i) {
    if (model.joint(i).is_mimic()) find_excessive_mimic(model, model.joint(i), findings);
  }
  find_wrong_units(model, findings);
  find_unequal_limbs(model, findings);
  if (!singularity.what.empty()) {
    findings.push_back({FindingCode::kSingularMassMatrix, Severity::kWarning, singularity.element,
                        "forward dynamics is not available: " + singularity.what,
                        singularity.remedy});
  }
}

}  // namespace spatial_dynamics
