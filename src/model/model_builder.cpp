#include "spatial_dynamics/model/model_builder.hpp"

#include <utility>

#include "describe_model.hpp"
#include "joint_role.hpp"
#include "link_tree.hpp"
#include "singularity.hpp"
#include "support/text.hpp"
#include "validate_description.hpp"

namespace spatial_dynamics {
namespace {

using Kind = JointRole::Kind;

Inertia inertia_of(const MassProperties& m) noexcept {
  return Inertia::from_com(m.mass, m.com, m.inertia_about_com);
}

JointDescription floating_base_joint(const BuildOptions& options) {
  JointDescription joint;
  joint.name = kFloatingBase;
  joint.type = JointType::kFloating;
  if (const auto found = options.armature.find(kFloatingBase); found != options.armature.end()) {
    joint.armature = found->second;
  }
  return joint;
}

/// Armature must name joints that exist; it has no effect on joints that do not move.
void check_armature(const std::vector<JointDescription>& joints,
                    const std::vector<JointRole>& roles, const BuildOptions& options,
                    std::vector<Finding>& findings) {
  std::map<std::string, double> unknown = options.armature;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (unknown.erase(joints[j].name) > 0 && roles[j].kind == Kind::kHeld) {
      findings.push_back({FindingCode::kArmatureWithoutMotion, Severity::kWarning,
                          joint_element(joints[j].name), "it has an armature, but does not move",
                          "remove it from the option 'armature'"});
    }
  }
  if (options.floating_base) {
    unknown.erase(kFloatingBase);
  }
  if (!unknown.empty()) {
    const std::string element = joint_element(unknown.begin()->first);
    throw ModelError(element, element +
                                  " has an armature, but the robot has no joint of that name; "
                                  "name one of its joints");
  }
}

void check_floating_base(const std::string& root, const std::vector<JointDescription>& joints,
                         std::vector<Finding>& findings) {
  for (const JointDescription& joint : joints) {
    // A fixed joint is merged, so that its name is free (hyq has a fixed joint of this name).
    if (joint.name == kFloatingBase && joint.type != JointType::kFixed) {
      const std::string element = joint_element(joint.name);
      throw ModelError(element, element +
                                    " has the reserved name of the floating base's joint; rename "
                                    "it, or build without the option 'floating_base'");
    }
  }
  if (root == "world") {
    findings.push_back({FindingCode::kFloatingWorld, Severity::kWarning, link_element(root),
                        "it is the root, and floats although it is called 'world'",
                        "remove it and its joint, or build without the option 'floating_base'"});
  }
}

}  // namespace

/// Adds bodies and links to a Model, parents first.
class ModelBuilder::Assembly {
 public:
  explicit Assembly(std::string name) {
    model_.name_ = std::move(name);
    Joint base;
    base.name = "world";
    base.type = JointType::kFixed;
    base.S = motion_subspace(JointType::kFixed, base.axis);
    base.nq = base.nv = 0;
    add_body(std::move(base), kNone, "world");
  }

  /// The root link: fixed, or on a floating joint.
  void add_root(const LinkDescription& link, const BuildOptions& options) {
    Index body = 0;
    if (options.floating_base) {
      body = add_joint(floating_base_joint(options), kNone, 0, Transform::Identity(), link.name);
    } else {
      origins_.frame_link[0] = link.name;
    }
    add_link(link, body, Transform::Identity());
  }

  /// The child link of `joint`, whose parent is the link `parent` of the model.
  Index add_child(const LinkDescription& link, const JointDescription& joint,
                  std::size_t description, const JointRole& role, Index parent) {
    const Link& parent_link = model_.links_[to_size(parent)];
    const Transform to_joint = joint.origin * parent_link.placement;
    if (role.kind == Kind::kHeld) {
      const Transform held = joint_transform(joint.type, joint.axis, &role.position);
      return add_link(link, parent_link.body, held * to_joint);
    }
    return add_link(link, add_joint(joint, description, parent_link.body, to_joint, link.name),
                    Transform::Identity());
  }

  /// Numbers the coordinates depth first, then assigns followers the coordinates of their leaders.
  void number_coordinates(const std::vector<JointRole>& roles) {
    std::vector<Index> body_of(roles.size(), kNoIndex);
    for (Index i = 1; i < model_.body_count(); ++i) {
      Joint& joint = model_.joints_[to_size(i)];
      const std::size_t description = origins_.description[to_size(i)];
      if (description != kNone) {
        body_of[description] = i;
        if (roles[description].kind == Kind::kFollower) {
          continue;
        }
      }
      joint.q_index = std::exchange(model_.nq_, model_.nq_ + joint.nq);
      joint.v_index = std::exchange(model_.nv_, model_.nv_ + joint.nv);
      model_.names_.push_back(joint.name);
      model_.coordinate_joints_.push_back(i);
    }
    for (std::size_t j = 0; j < roles.size(); ++j) {
      if (roles[j].kind != Kind::kFollower) {
        continue;
      }
      Joint& joint = model_.joints_[to_size(body_of[j])];
      joint.mimics = body_of[roles[j].leader];
      joint.q_index = model_.joints_[to_size(joint.mimics)].q_index;
      joint.v_index = model_.joints_[to_size(joint.mimics)].v_index;
      joint.ratio = roles[j].ratio;
      joint.offset = roles[j].offset;
      model_.has_mimic_ = true;
    }
  }

  void apply_options(const BuildOptions& options) {
    model_.gravity_ = options.gravity;
    model_.friction_speed_ = options.friction_speed;
    for (const Payload& payload : options.payloads) {
      const Index link = model_.find_link(payload.link);
      model_.set_payload(link,
                         model_.payloads_[to_size(link)] + inertia_of(payload.mass_properties));
    }
    singularity_ = find_singularity(model_, origins_.frame_link);
    model_.why_forward_dynamics_fails_ = singularity_.sentence();
  }

  [[nodiscard]] const Singularity& singularity() const noexcept { return singularity_; }
  [[nodiscard]] const Origins& origins() const noexcept { return origins_; }
  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] Model take() { return std::move(model_); }

 private:
  Index add_body(Joint joint, std::size_t description, const std::string& frame_link) {
    const Index i = static_cast<Index>(model_.joints_.size());
    if (i > 0) {
      model_.joint_index_.emplace(joint.name, i);
    }
    model_.joints_.push_back(std::move(joint));
    model_.own_inertias_.push_back(Inertia::Zero());
    model_.inertias_.push_back(Inertia::Zero());
    model_.links_of_body_.emplace_back();
    origins_.description.push_back(description);
    origins_.frame_link.push_back(frame_link);
    origins_.has_shape.push_back(false);
    return i;
  }

  Index add_joint(const JointDescription& joint, std::size_t description, Index parent,
                  const Transform& placement, const std::string& child) {
    Joint moving;
    moving.name = joint.name;
    moving.type = joint.type;
    moving.parent = parent;
    moving.placement = placement;
    moving.axis = joint.axis;
    moving.S = motion_subspace(joint.type, joint.axis);
    moving.nq = position_count(joint.type);
    moving.nv = velocity_count(joint.type);
    moving.limits = joint.limits;
    moving.damping = joint.damping;
    moving.friction = joint.friction;
    moving.armature = joint.armature;
    return add_body(std::move(moving), description, child);
  }

  Index add_link(const LinkDescription& description, Index body, const Transform& placement) {
    Link link{description.name, body, placement, Inertia::Zero()};
    if (description.mass_properties) {
      link.inertia = inertia_of(*description.mass_properties);
      const Inertia in_body = to_parent(placement, link.inertia);
      model_.own_inertias_[to_size(body)] += in_body;
      model_.inertias_[to_size(body)] += in_body;
    }
    if (description.has_shape) origins_.has_shape[to_size(body)] = true;
    const Index l = static_cast<Index>(model_.links_.size());
    model_.link_index_.emplace(link.name, l);
    model_.links_of_body_[to_size(body)].push_back(l);
    model_.links_.push_back(std::move(link));
    model_.payloads_.push_back(Inertia::Zero());
    return l;
  }

  Model model_;
  Origins origins_;
  Singularity singularity_;
};

ModelBuilder& ModelBuilder::add_link(LinkDescription link) {
  links_.push_back(std::move(link));
  return *this;
}

ModelBuilder& ModelBuilder::add_link(const std::string& name,
                                     const MassProperties& mass_properties) {
  return add_link(LinkDescription{name, mass_properties});
}

ModelBuilder& ModelBuilder::add_link(const std::string& name) {
  return add_link(LinkDescription{name, std::nullopt});
}

ModelBuilder& ModelBuilder::add_joint(JointDescription joint) {
  joints_.push_back(std::move(joint));
  return *this;
}

Model ModelBuilder::build(const BuildOptions& options, ModelReport* report) const {
  std::vector<Finding> findings;
  if (!name_.empty()) {
    require_valid_name("robot", name_);
  }
  std::vector<ImpossibleInertia> impossible;
  const std::vector<LinkDescription> links = validate_links(links_, options, findings, impossible);
  std::vector<JointDescription> joints = validate_joints(joints_, options, findings);
  if (!options.friction) {
    for (JointDescription& joint : joints) joint.damping = joint.friction = 0.0;
  }
  validate_options(options, links, findings);
  const LinkTree tree = sort_tree(links, joints);
  const std::vector<JointRole> roles = resolve_roles(joints, options, findings);
  check_armature(joints, roles, options, findings);
  if (options.floating_base) {
    check_floating_base(links[tree.order.front()].name, joints, findings);
  }

  Assembly assembly(name_);
  std::vector<Index> model_link(links.size(), 0);
  assembly.add_root(links[tree.order.front()], options);
  for (std::size_t k = 1; k < tree.order.size(); ++k) {
    const std::size_t link = tree.order[k];
    const std::size_t joint = tree.parent_joint[link];
    model_link[link] = assembly.add_child(links[link], joints[joint], joint, roles[joint],
                                          model_link[tree.parent_link[link]]);
  }
  settle_impossible_inertias(impossible, assembly.model(), model_link, findings);
  assembly.number_coordinates(roles);
  assembly.apply_options(options);

  const Singularity& singularity = assembly.singularity();
  if (options.require_forward_dynamics && !singularity.what.empty()) {
    throw ModelError(singularity.element, singularity.sentence());
  }
  if (report != nullptr) {
    add_findings(assembly.model(), assembly.origins(), singularity, findings);
    *report = describe_model(assembly.model(), assembly.origins(), joints, roles);
    report->findings = std::move(findings);
  }
  return assembly.take();
}

}  // namespace spatial_dynamics
