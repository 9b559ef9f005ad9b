// The report of a model that was built: its parts and its findings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spatial_dynamics/model/joint.hpp"

namespace spatial_dynamics {

enum class Severity { kInfo, kWarning };
const char* to_string(Severity severity) noexcept;  ///< "info", "warning"

/// What a finding is about, for programs; texts may change, names may not.
enum class FindingCode {
  kRobotWithoutMass,
  kMasslessEndLink,        ///< moves at the end of a chain
  kMasslessLink,           ///< between joints that are apart, or with a shape
  kMasslessCompositeLink,  ///< between joints at one place, which act as one joint
  kZeroEffortLimit,
  kNoEffortLimit,
  kEmptyPositionRange,
  kLimitsInDegrees,
  kUnlimitedJoint,
  kFloatingJointInTree,  ///< not at the base
  kMimicExceedsLimits,
  kSingularMassMatrix,
  kInconsistentInertia,  ///< violates the triangle inequality
  kImplausibleInertia,   ///< too large for its mass
  kAxisNotUnit,
  kNegativeLimit,
  kArmatureWithoutMotion,
  kFloatingWorld,
  kLockedOutsideLimits,
  kMimicOfFixedJoint,  ///< the leader is fixed
  kMimicOnFixedJoint,  ///< the follower is fixed
  kMimicWithoutMotion,
  kIgnoredInertia,  ///< physically impossible, on a link where it has no effect
  kZeroVelocityLimit,
  kMillimetres,           ///< lengths that are too large for metres
  kGrams,                 ///< masses that are too large for kilograms
  kWeightExceedsEffort,   ///< a joint can't hold what it carries
  kMirroredLinksDiffer,   ///< a left and a right link
  kMirroredJointsDiffer,  ///< the joints of a left and a right link
};
inline constexpr FindingCode kLastFindingCode = FindingCode::kMirroredJointsDiffer;
/// The enumerator in snake case without its k: "robot_without_mass".
const char* to_string(FindingCode code) noexcept;

/// Numbers are probably not in SI units: lengths, masses, inertias or limits.
bool suggests_wrong_units(FindingCode code) noexcept;

/// One observation. A model that is rejected has a ModelError instead.
struct Finding {
  FindingCode code = FindingCode::kRobotWithoutMass;
  Severity severity = Severity::kInfo;
  std::string element;  ///< "link 'forearm'", "joint 'elbow'"
  std::string what;     ///< one sentence
  std::string remedy;   ///< what to do; may be "nothing to do"
};

/// A link that was merged into another because no moving joint lies between them.
struct LumpedLink {
  std::string link;
  std::string into;  ///< the link whose frame the common body has
};

/// A joint that follows another: position = ratio * leader + offset, chains resolved.
struct MimicEntry {
  std::string joint;
  std::string leader;
  double ratio = 1.0;
  double offset = 0.0;
};

struct LockedJoint {
  std::string joint;
  double value = 0.0;
};

/// A joint that is a coordinate, in coordinate order.
struct CoordinateEntry {
  std::string name;
  JointType type = JointType::kRevolute;
  std::string parent;  ///< parent link, "world" for the floating base
  std::string child;   ///< child link
  JointLimits limits;
  double damping = 0.0;
  double friction = 0.0;
  double armature = 0.0;
  /// What holding the robot's own weight asks of the joint at the worst pose, N m or N; see
  /// add_weights(). Empty if that was not computed, or for a joint with several coordinates.
  std::optional<double> weight = std::nullopt;
};

struct ModelReport {
  std::string name;
  Index dof = 0;  ///< numbers in v
  double total_mass = 0.0;
  std::vector<CoordinateEntry> joints;
  std::vector<LumpedLink> lumped;
  std::vector<MimicEntry> mimic;
  std::vector<LockedJoint> locked;
  std::vector<Finding> findings;
};

}  // namespace spatial_dynamics
