#include "spatial_dynamics/model/load_urdf.hpp"

#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <utility>

#include "link_tree.hpp"
#include "model/urdf_file.hpp"
#include "support/text.hpp"
#include "urdf_scan.hpp"

namespace spatial_dynamics {
namespace {

/// urdfdom's model. Each link owns its children, so that the destruction of a long chain would
/// recurse once per link; this destructor separates the links first.
class UrdfdomModel {
 public:
  explicit UrdfdomModel(const std::string& document) : model_(urdf::parseURDF(document)) {
    // scan_urdf() rejects everything that urdfdom warns about or rejects, so urdfdom prints
    // nothing. Its messages are not caught, because the output handler of console_bridge belongs to
    // the whole process.
    if (!model_) {
      throw ModelError("document",
                       "urdfdom rejects the document; see its message on standard error");
    }
  }
  UrdfdomModel(const UrdfdomModel&) = delete;
  UrdfdomModel& operator=(const UrdfdomModel&) = delete;
  ~UrdfdomModel() {
    if (model_) {
      for (auto& [name, link] : model_->links_) {
        link->child_links.clear();
      }
    }
  }

  [[nodiscard]] const urdf::ModelInterface& get() const noexcept { return *model_; }

 private:
  urdf::ModelInterfaceSharedPtr model_;
};

/// Rejects a document that is not one tree. urdfdom accepts some of these, and frees others by
/// recursion.
void require_tree(const UrdfScan& scan) {
  std::vector<LinkDescription> links;
  for (const UrdfScan::Link& link : scan.links) {
    links.push_back({link.name, std::nullopt});
  }
  std::vector<JointDescription> joints;
  for (const UrdfScan::Joint& scanned : scan.joints) {
    JointDescription joint;
    joint.name = scanned.name;
    joint.parent = scanned.parent;
    joint.child = scanned.child;
    joints.push_back(std::move(joint));
  }
  sort_tree(links, joints);
}

Vector3 to_vector(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

Matrix3 to_rotation(const urdf::Rotation& q) {
  return Quaternion(q.w, q.x, q.y, q.z).toRotationMatrix();
}

LinkDescription to_description(const urdf::Link& link) {
  LinkDescription description;
  description.name = link.name;
  if (link.inertial) {
    const urdf::Inertial& inertial = *link.inertial;
    // The frame of <inertial><origin> lies at the centre of mass, and the tensor is given along its
    // axes: I_link = R I R'.
    const Matrix3 R = to_rotation(inertial.origin.rotation);
    Matrix3 I;
    I << inertial.ixx, inertial.ixy, inertial.ixz,  //
        inertial.ixy, inertial.iyy, inertial.iyz,   //
        inertial.ixz, inertial.iyz, inertial.izz;
    const Matrix3 rotated = R * I * R.transpose();
    description.mass_properties = MassProperties{inertial.mass, to_vector(inertial.origin.position),
                                                 0.5 * (rotated + rotated.transpose())};
  }
  return description;
}

JointType to_type(const urdf::Joint& joint) {
  switch (joint.type) {
    case urdf::Joint::REVOLUTE:
      return JointType::kRevolute;
    case urdf::Joint::CONTINUOUS:
      return JointType::kContinuous;
    case urdf::Joint::PRISMATIC:
      return JointType::kPrismatic;
    case urdf::Joint::PLANAR:
      return JointType::kPlanar;
    case urdf::Joint::FLOATING:
      return JointType::kFloating;
    case urdf::Joint::FIXED:
      return JointType::kFixed;
    default:
      break;
  }
  const std::string element = joint_element(joint.name);
  throw ModelError(element, element +
                                " is of an unknown type; use revolute, continuous, "
                                "prismatic, planar, floating or fixed");
}

JointDescription to_description(const urdf::Joint& joint) {
  JointDescription description;
  description.name = joint.name;
  description.type = to_type(joint);
  description.parent = joint.parent_link_name;
  description.child = joint.child_link_name;
  const urdf::Pose& origin = joint.parent_to_joint_origin_transform;
  description.origin =
      Transform::from_pose(to_rotation(origin.rotation), to_vector(origin.position));
  description.axis = to_vector(joint.axis);
  if (joint.limits) {
    description.limits.lower = joint.limits->lower;
    description.limits.upper = joint.limits->upper;
    description.limits.velocity = joint.limits->velocity;
    description.limits.effort = joint.limits->effort;
  }
  if (joint.dynamics) {
    description.damping = joint.dynamics->damping;
    description.friction = joint.dynamics->friction;
  }
  if (joint.mimic) {
    description.mimic =
        MimicDescription{joint.mimic->joint_name, joint.mimic->multiplier, joint.mimic->offset};
  }
  return description;
}

}  // namespace

ModelBuilder read_urdf(std::string_view xml) {
  const UrdfScan scan = scan_urdf(xml);
  require_tree(scan);
  const UrdfdomModel urdfdom(scan.document);
  const urdf::ModelInterface& model = urdfdom.get();
  ModelBuilder builder(model.getName());
  for (const UrdfScan::Link& link : scan.links) {
    LinkDescription description = to_description(*model.links_.at(link.name));
    description.has_shape = link.has_shape;
    builder.add_link(std::move(description));
  }
  for (const UrdfScan::Joint& joint : scan.joints) {
    JointDescription description = to_description(*model.joints_.at(joint.name));
    description.limits.acceleration = joint.later_limits.acceleration;
    description.limits.deceleration = joint.later_limits.deceleration;
    description.limits.jerk = joint.later_limits.jerk;
    description.limits.soft_lower = joint.later_limits.soft_lower;
    description.limits.soft_upper = joint.later_limits.soft_upper;
    builder.add_joint(std::move(description));
  }
  return builder;
}

Model load_urdf(std::string_view xml, const LoadOptions& options, ModelReport* report) {
  return read_urdf(xml).build(options, report);
}

Model load_urdf_file(const std::string& path, const LoadOptions& options, ModelReport* report) {
  const std::string xml = read_urdf_file(path);
  try {
    return load_urdf(xml, options, report);
  } catch (const ModelError& error) {
    throw ModelError(error.element(), path + ": " + error.what());
  }
}

}  // namespace spatial_dynamics
