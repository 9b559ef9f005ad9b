#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics {

const char* to_string(Severity severity) noexcept {
  return severity == Severity::kWarning ? "warning" : "info";
}

bool suggests_wrong_units(FindingCode code) noexcept {
  return code == FindingCode::kMillimetres || code == FindingCode::kGrams ||
         code == FindingCode::kImplausibleInertia || code == FindingCode::kLimitsInDegrees;
}

// One case per code.
// NOLINTNEXTLINE(readability-function-size)
const char* to_string(FindingCode code) noexcept {
  switch (code) {
    case FindingCode::kRobotWithoutMass:
      return "robot_without_mass";
    case FindingCode::kMasslessEndLink:
      return "massless_end_link";
    case FindingCode::kMasslessLink:
      return "massless_link";
    case FindingCode::kMasslessCompositeLink:
      return "massless_composite_link";
    case FindingCode::kZeroEffortLimit:
      return "zero_effort_limit";
    case FindingCode::kNoEffortLimit:
      return "no_effort_limit";
    case FindingCode::kEmptyPositionRange:
      return "empty_position_range";
    case FindingCode::kLimitsInDegrees:
      return "limits_in_degrees";
    case FindingCode::kUnlimitedJoint:
      return "unlimited_joint";
    case FindingCode::kFloatingJointInTree:
      return "floating_joint_in_tree";
    case FindingCode::kMimicExceedsLimits:
      return "mimic_exceeds_limits";
    case FindingCode::kSingularMassMatrix:
      return "singular_mass_matrix";
    case FindingCode::kInconsistentInertia:
      return "inconsistent_inertia";
    case FindingCode::kImplausibleInertia:
      return "implausible_inertia";
    case FindingCode::kAxisNotUnit:
      return "axis_not_unit";
    case FindingCode::kNegativeLimit:
      return "negative_limit";
    case FindingCode::kArmatureWithoutMotion:
      return "armature_without_motion";
    case FindingCode::kFloatingWorld:
      return "floating_world";
    case FindingCode::kLockedOutsideLimits:
      return "locked_outside_limits";
    case FindingCode::kMimicOfFixedJoint:
      return "mimic_of_fixed_joint";
    case FindingCode::kMimicOnFixedJoint:
      return "mimic_on_fixed_joint";
    case FindingCode::kMimicWithoutMotion:
      return "mimic_without_motion";
    case FindingCode::kIgnoredInertia:
      return "ignored_inertia";
    case FindingCode::kZeroVelocityLimit:
      return "zero_velocity_limit";
    case FindingCode::kMillimetres:
      return "millimetres";
    case FindingCode::kGrams:
      return "grams";
    case FindingCode::kWeightExceedsEffort:
      return "weight_exceeds_effort";
    case FindingCode::kMirroredLinksDiffer:
      return "mirrored_links_differ";
    case FindingCode::kMirroredJointsDiffer:
      return "mirrored_joints_differ";
  }
  return "unknown";
}

}  // namespace spatial_dynamics
