#include "spatial_dynamics/model/load_urdf.hpp"

#include <console_bridge/console.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <mutex>
#include <thread>
#include <utility>

#include "describe_model.hpp"
#include "link_tree.hpp"
#include "spatial_dynamics/model/urdf_file.hpp"
#include "text.hpp"
#include "urdf_scan.hpp"

namespace spatial_dynamics {
namespace {

/// While it lives, what urdfdom says on this thread is kept instead of printed; other threads' words pass on.
class CapturedLog : public console_bridge::OutputHandler {
 public:
  CapturedLog() : previous_(console_bridge::getOutputHandler()) {
    console_bridge::useOutputHandler(this);
  }
  CapturedLog(const CapturedLog&) = delete;
  CapturedLog& operator=(const CapturedLog&) = delete;
  ~CapturedLog() override { console_bridge::useOutputHandler(previous_); }

  void log(const std::string& text, console_bridge::LogLevel level, const char* file,
           int line) override {
    if (std::this_thread::get_id() != owner_) {
      if (previous_ != nullptr) {
        previous_->log(text, level, file, line);
      }
    } else if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_error_.empty()) {
      first_error_ = text;
    }
  }

  [[nodiscard]] const std::string& first_error() const noexcept { return first_error_; }

 private:
  console_bridge::OutputHandler* previous_;
  std::thread::id owner_ = std::this_thread::get_id();
  std::string first_error_;
};

/// urdfdom's model. Its links own one another from root to tip, so that freeing a long chain would recurse as deep as the
/// chain is long; the destructor cuts them apart first.
class UrdfdomModel {
 public:
  explicit UrdfdomModel(const std::string& document) {
    // The handler of console_bridge is one for the process, so one load at a time may exchange it.
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    const CapturedLog log;
    model_ = urdf::parseURDF(document);
    if (!model_) {
      throw ModelError("document", "urdfdom refuses the document, saying " +
                                       in_quotes(log.first_error()) + "; correct what it names");
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

/// Refuses what is not one tree. urdfdom accepts some of it, and frees the rest by recursion.
void require_tree(const UrdfScan& scan) {
  std::vector<LinkDescription> links;
  for (const std::string& name : scan.links) {
    links.push_back({name, std::nullopt});
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
    // The frame of <inertial><origin> stands at the centre of mass; the tensor is along its axes: I_link = R I R'.
    const Matrix3 R = to_rotation(inertial.origin.rotation);
    Matrix3 I;
    I << inertial.ixx, inertial.ixy, inertial.ixz,  //
        inertial.ixy, inertial.iyy, inertial.iyz,   //
        inertial.ixz, inertial.iyz, inertial.izz;
    const Matrix3 turned = R * I * R.transpose();
    description.mass_properties = MassProperties{inertial.mass, to_vector(inertial.origin.position),
                                                 0.5 * (turned + turned.transpose())};
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
    description.limits = {joint.limits->lower, joint.limits->upper, joint.limits->velocity,
                          joint.limits->effort};
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

ModelBuilder describe(const UrdfScan& scan) {
  const UrdfdomModel urdfdom(scan.document);
  const urdf::ModelInterface& model = urdfdom.get();
  ModelBuilder builder(model.getName());
  for (const std::string& name : scan.links) {
    builder.add_link(to_description(*model.links_.at(name)));
  }
  for (const UrdfScan::Joint& joint : scan.joints) {
    builder.add_joint(to_description(*model.joints_.at(joint.name)));
  }
  return builder;
}

}  // namespace

Model load_urdf(std::string_view xml, const LoadOptions& options, ModelReport* report) {
  const UrdfScan scan = scan_urdf(xml);
  require_tree(scan);
  Model model = describe(scan).build(options, report);
  if (report != nullptr) warn_of_weightless_shapes(model, scan.shaped_links, report->findings);
  return model;
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
