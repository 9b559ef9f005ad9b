// The stiffness of the springs in the joints, in diagnostics.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "runtime/robot.hpp"

namespace spatial_dynamics {

/// "50 N m/rad for all joints", "'elbow' 50, 'wrist' 5": what parameters and ~/stiffness have set.
/// Empty if no springs act (uses_springs()). Allocates.
std::string stiffness_text(const Robot& robot, const Config& config);

/// Which gains are outside of the stable range, with the stiffness of ~/stiffness.
class StiffnessReport {
 public:
  /// JointSettings::gain_warning of the parameters, or the same with the stiffness that messages
  /// have set. Takes milliseconds after a change. Allocates. Any thread but the loop's.
  [[nodiscard]] std::string gain_warning(const Robot& robot, const Config& config) const;

 private:
  mutable std::mutex mutex_;  // the other members, which are of the last check
  mutable std::shared_ptr<const JointSettings> joints_;
  mutable VectorXd stiffness_;
  mutable std::string warning_;
};

}  // namespace spatial_dynamics
