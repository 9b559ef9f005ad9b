#include "joint_role.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>

#include "support/text.hpp"
#include "validate_description.hpp"

namespace spatial_dynamics {
namespace {

using Kind = JointRole::Kind;
using JointIndex = std::unordered_map<std::string_view, std::size_t>;

bool has_one_degree_of_freedom(JointType type) noexcept { return velocity_count(type) == 1; }

/// The leader of each joint, kNone if it has none.
std::vector<std::size_t> find_leaders(const std::vector<JointDescription>& joints,
                                      const JointIndex& index) {
  std::vector<std::size_t> leaders(joints.size(), kNone);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!joints[j].mimic) {
      continue;
    }
    const std::string element = joint_element(joints[j].name);
    const std::string& leader_name = joints[j].mimic->joint;
    if (leader_name == joints[j].name) {
      throw ModelError(element, element + " mimics itself; name another joint or remove the mimic");
    }
    const auto found = index.find(leader_name);
    if (found == index.end()) {
      throw ModelError(element, element + " mimics " + joint_element(leader_name) +
                                    ", which does not exist; name a joint of the robot or remove "
                                    "the mimic");
    }
    for (const JointDescription* joint : {&joints[j], &joints[found->second]}) {
      if (velocity_count(joint->type) > 1) {
        throw ModelError(element, element + " mimics " + joint_element(leader_name) + ", and " +
                                      in_quotes(joint->name) + " is " + to_string(joint->type) +
                                      "; only joints with one degree of freedom can lead or "
                                      "follow, so remove the mimic");
      }
    }
    leaders[j] = found->second;
  }
  return leaders;
}

void apply_locks(const std::vector<JointDescription>& joints, const JointIndex& index,
                 const BuildOptions& options, std::vector<JointRole>& roles,
                 std::vector<Finding>& findings) {
  for (const auto& [name, position] : options.locked) {
    const std::string element = joint_element(name);
    const auto found = index.find(name);
    if (found == index.end()) {
      throw ModelError(element, element +
                                    " is to be locked, but the robot has no joint of that name; "
                                    "name one of its joints");
    }
    const JointDescription& joint = joints[found->second];
    if (!has_one_degree_of_freedom(joint.type)) {
      throw ModelError(element, element + " is to be locked, but it is " + to_string(joint.type) +
                                    "; only revolute, continuous and prismatic joints can be");
    }
    if (joint.mimic) {
      throw ModelError(element, element + " is to be locked, but it follows " +
                                    joint_element(joint.mimic->joint) + "; lock that one instead");
    }
    if (!(std::abs(position) <= kLargestNumber)) {
      throw ModelError(element, element + " is to be locked at " + number_text(position) +
                                    "; give a finite number of magnitude 1e15 at most");
    }
    if (position < joint.limits.lower || position > joint.limits.upper) {
      findings.push_back({FindingCode::kLockedOutsideLimits, Severity::kWarning, element,
                          "it is locked at " + number_text(position) + ", outside its limits",
                          "lock it between " + number_text(joint.limits.lower) + " and " +
                              number_text(joint.limits.upper)});
    }
    roles[found->second] = {Kind::kHeld, kNone, 1.0, 0.0, position};
  }
}

/// The role of a joint from its leader's: m (ratio x + offset) + o, or m position + o where the
/// leader is held.
JointRole follow(const JointDescription& joint, std::size_t leader, const JointRole& leader_role,
                 const JointDescription& leader_joint, std::vector<Finding>& findings) {
  const std::string element = joint_element(joint.name);
  const MimicDescription& mimic = *joint.mimic;
  if (joint.type == JointType::kFixed) {
    findings.push_back({FindingCode::kMimicOnFixedJoint, Severity::kInfo, element,
                        "it is fixed, so that its mimic has no effect", "remove the mimic"});
    return {Kind::kHeld, kNone, 1.0, 0.0, 0.0};
  }
  JointRole role;
  if (leader_role.kind == Kind::kHeld) {
    role.kind = Kind::kHeld;
    role.position = mimic.multiplier * leader_role.position + mimic.offset;
    if (leader_joint.type == JointType::kFixed) {
      findings.push_back({FindingCode::kMimicOfFixedJoint, Severity::kWarning, element,
                          "it follows " + joint_element(leader_joint.name) +
                              ", which is fixed; it is held at its offset " +
                              number_text(mimic.offset),
                          "make it fixed, or follow a joint that moves"});
    }
  } else {
    const bool chained = leader_role.kind == Kind::kFollower;
    role.kind = Kind::kFollower;
    role.leader = chained ? leader_role.leader : leader;
    role.ratio = mimic.multiplier * leader_role.ratio;
    role.offset = mimic.multiplier * leader_role.offset + mimic.offset;
    if (role.ratio == 0.0) {
      role = {Kind::kHeld, kNone, 1.0, 0.0, role.offset};
      findings.push_back({FindingCode::kMimicWithoutMotion, Severity::kInfo, element,
                          "its mimic multiplier is 0; it is held at " + number_text(role.position),
                          "nothing to do, if it is not meant to move"});
    }
  }
  for (const double number : {role.ratio, role.offset, role.position}) {
    if (!(std::abs(number) <= kLargestNumber)) {
      throw ModelError(element, element +
                                    " ends a chain of mimic joints whose multipliers and offsets "
                                    "compose to a number beyond 1e15; correct them");
    }
  }
  return role;
}

}  // namespace

std::vector<JointRole> resolve_roles(const std::vector<JointDescription>& joints,
                                     const BuildOptions& options, std::vector<Finding>& findings) {
  JointIndex index;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    index.emplace(joints[j].name, j);
  }
  const std::vector<std::size_t> leaders = find_leaders(joints, index);

  std::vector<JointRole> roles(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].type == JointType::kFixed) {
      roles[j].kind = Kind::kHeld;
    }
  }
  apply_locks(joints, index, options, roles, findings);

  enum class State { kOpen, kOnPath, kResolved };
  std::vector<State> state(joints.size(), State::kOpen);
  std::vector<std::size_t> path;
  for (std::size_t start = 0; start < joints.size(); ++start) {
    std::size_t j = start;
    while (state[j] == State::kOpen && leaders[j] != kNone) {
      state[j] = State::kOnPath;
      path.push_back(j);
      j = leaders[j];
    }
    if (state[j] == State::kOnPath) {
      const std::string element = joint_element(joints[j].name);
      throw ModelError(element, element + " mimics itself through " +
                                    joint_element(joints[leaders[j]].name) +
                                    "; remove one mimic of the cycle");
    }
    state[j] = State::kResolved;
    for (; !path.empty(); path.pop_back()) {
      const std::size_t follower = path.back();
      const std::size_t leader = leaders[follower];
      roles[follower] = follow(joints[follower], leader, roles[leader], joints[leader], findings);
      state[follower] = State::kResolved;
    }
  }
  return roles;
}

}  // namespace spatial_dynamics
