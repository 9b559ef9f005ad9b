// From a list of links and joints to a Model: checks, orders and merges.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spatial_dynamics/model/model.hpp"
#include "spatial_dynamics/model/model_error.hpp"
#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics {

/// Mass properties as a data sheet gives them: centre of mass in the link's frame, inertia about
/// the centre of mass along the link's axes.
struct MassProperties {
  double mass = 0.0;                            ///< kg
  Vector3 com = Vector3::Zero();                ///< m
  Matrix3 inertia_about_com = Matrix3::Zero();  ///< kg m^2
};

struct LinkDescription {
  std::string name;
  std::optional<MassProperties> mass_properties;
  bool has_shape = false;  ///< a `visual` or `collision`; without mass it is reported
};

/// position = multiplier * (position of `joint`) + offset. Chains are resolved. A joint that
/// follows a fixed or locked joint, or has a multiplier of 0, is locked at the resulting position
/// (a fixed joint is at 0).
struct MimicDescription {
  std::string joint;
  double multiplier = 1.0;
  double offset = 0.0;
};

struct JointDescription {
  std::string name;
  JointType type = JointType::kFixed;
  std::string parent;  ///< link name
  std::string child;   ///< link name
  /// From the parent link's frame to the joint's, which is the child link's at q = 0.
  Transform origin = Transform::Identity();
  Vector3 axis = Vector3::UnitX();  ///< in the joint's frame; any length but zero
  JointLimits limits;
  double damping = 0.0;
  double friction = 0.0;
  double armature = 0.0;
  std::optional<MimicDescription> mimic;
};

struct Payload {
  std::string link;
  MassProperties mass_properties;
};

/// The name of the joint of a floating base.
inline constexpr const char* kFloatingBase = "floating_base";

struct BuildOptions {
  /// The root link floats in the world on a joint called "floating_base".
  bool floating_base = false;
  /// Reject physically inconsistent inertias (triangle inequality) instead of warning about them.
  bool strict = false;
  /// Reject a model whose mass matrix is singular instead of warning about it.
  bool require_forward_dynamics = false;
  Vector3 gravity = kStandardGravity;
  bool friction = true;  ///< false: sets damping and friction of all joints to 0
  double friction_speed = kDefaultFrictionSpeed;
  std::map<std::string, double> armature;  ///< by joint; overrides the description's
  std::map<std::string, double> locked;    ///< joint -> position at which it is held
  std::vector<Payload> payloads;           ///< several on one link add up; see Model::set_payload()
};

/// Collects links and joints, then builds models from them. Coordinates are ordered depth first,
/// joints of one link in the order in which they were added. Allocates; build() throws ModelError.
class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name) : name_(std::move(name)) {}

  ModelBuilder& add_link(LinkDescription link);
  ModelBuilder& add_link(const std::string& name, const MassProperties& mass_properties);
  ModelBuilder& add_link(const std::string& name);  ///< without mass
  ModelBuilder& add_joint(JointDescription joint);

  [[nodiscard]] Model build(const BuildOptions& options = {}, ModelReport* report = nullptr) const;

 private:
  class Assembly;

  std::string name_;
  std::vector<LinkDescription> links_;
  std::vector<JointDescription> joints_;
};

}  // namespace spatial_dynamics
