#include "link_tree.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

using NameIndex = std::unordered_map<std::string_view, std::size_t>;

NameIndex index_links(const std::vector<LinkDescription>& links) {
  NameIndex index;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!index.emplace(links[i].name, i).second) {
      const std::string element = link_element(links[i].name);
      throw ModelError(element, element + " is declared twice; rename one of the two");
    }
  }
  return index;
}

void require_unique_joints(const std::vector<JointDescription>& joints) {
  NameIndex index;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!index.emplace(joints[j].name, j).second) {
      const std::string element = joint_element(joints[j].name);
      throw ModelError(element, element + " is declared twice; rename one of the two");
    }
  }
}

std::size_t link_of(const NameIndex& index, const JointDescription& joint, const char* role,
                    const std::string& name) {
  const auto found = index.find(name);
  if (found == index.end()) {
    const std::string element = joint_element(joint.name);
    throw ModelError(element, element + " has the " + role + " " + link_element(name) +
                                  ", which does not exist; add that link or correct the name");
  }
  return found->second;
}

/// Fills parent_joint and parent_link. Returns the child joints of every link, in order.
std::vector<std::vector<std::size_t>> connect(const std::vector<LinkDescription>& links,
                                              const std::vector<JointDescription>& joints,
                                              const NameIndex& index, LinkTree& tree,
                                              std::vector<std::size_t>& child_of_joint) {
  std::vector<std::vector<std::size_t>> joints_below(links.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const JointDescription& joint = joints[j];
    const std::size_t parent = link_of(index, joint, "parent", joint.parent);
    const std::size_t child = link_of(index, joint, "child", joint.child);
    const std::string element = joint_element(joint.name);
    if (parent == child) {
      throw ModelError(element, element + " joins " + link_element(joint.parent) +
                                    " to itself; name two different links");
    }
    if (tree.parent_joint[child] != kNone) {
      throw ModelError(link_element(joint.child),
                       link_element(joint.child) + " is the child of two joints, " +
                           in_quotes(joints[tree.parent_joint[child]].name) + " and " +
                           in_quotes(joint.name) + "; a robot is a tree, so remove one of them");
    }
    tree.parent_joint[child] = j;
    tree.parent_link[child] = parent;
    child_of_joint[j] = child;
    joints_below[parent].push_back(j);
  }
  return joints_below;
}

[[noreturn]] void reject_cycle(const std::vector<JointDescription>& joints, const LinkTree& tree,
                               std::size_t link) {
  // The path up from a link that the root does not reach never ends: the first link that repeats is
  // on the cycle.
  std::vector<bool> seen(tree.parent_link.size(), false);
  while (!seen[link]) {
    seen[link] = true;
    link = tree.parent_link[link];
  }
  const std::string element = joint_element(joints[tree.parent_joint[link]].name);
  throw ModelError(element, element +
                                " closes a cycle of links; a robot is a tree, so remove one joint "
                                "of the cycle");
}

std::size_t find_root(const std::vector<LinkDescription>& links,
                      const std::vector<JointDescription>& joints, const LinkTree& tree) {
  std::size_t root = kNone;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (tree.parent_joint[i] != kNone) {
      continue;
    }
    if (root != kNone) {
      throw ModelError(
          link_element(links[i].name),
          link_element(links[i].name) + " and " + link_element(links[root].name) +
              " both have no parent joint; a robot has one root, so connect one of them "
              "by a joint or remove it");
    }
    root = i;
  }
  if (root == kNone) {
    reject_cycle(joints, tree, 0);
  }
  return root;
}

}  // namespace

LinkTree sort_tree(const std::vector<LinkDescription>& links,
                   const std::vector<JointDescription>& joints) {
  if (links.empty()) {
    throw ModelError("robot", "the robot has no links; add at least one");
  }
  const NameIndex index = index_links(links);
  require_unique_joints(joints);

  LinkTree tree;
  tree.parent_joint.assign(links.size(), kNone);
  tree.parent_link.assign(links.size(), kNone);
  std::vector<std::size_t> child_of_joint(joints.size(), kNone);
  const auto joints_below = connect(links, joints, index, tree, child_of_joint);

  tree.order.reserve(links.size());
  std::vector<std::size_t> stack = {find_root(links, joints, tree)};
  while (!stack.empty()) {
    const std::size_t link = stack.back();
    stack.pop_back();
    tree.order.push_back(link);
    const std::vector<std::size_t>& below = joints_below[link];
    for (auto j = below.rbegin(); j != below.rend(); ++j) {
      stack.push_back(child_of_joint[*j]);
    }
  }
  if (tree.order.size() < links.size()) {
    std::vector<bool> reached(links.size(), false);
    for (const std::size_t link : tree.order) {
      reached[link] = true;
    }
    std::size_t lost = 0;
    while (reached[lost]) {
      ++lost;
    }
    reject_cycle(joints, tree, lost);
  }
  return tree;
}

}  // namespace spatial_dynamics
