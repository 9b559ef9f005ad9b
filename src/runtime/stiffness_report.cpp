#include "runtime/stiffness_report.hpp"

#include <algorithm>

#include "control/compliance_settings.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

/// The stiffness of each coordinate: that of a message, else that of the parameters.
VectorXd stiffness_of(const JointSettings& joints, const VectorXd& commanded) {
  return (commanded.array() >= 0.0).select(commanded, joints.stiffness);
}

}  // namespace

std::string stiffness_text(const Robot& robot, const Config& config) {
  const std::shared_ptr<const JointSettings> joints = robot.joints();
  if (!uses_springs(config, *joints)) return "";
  const VectorXd stiffness = stiffness_of(*joints, robot.inbox.stiffness());
  const std::vector<ScalarCoordinate>& published = robot.published;
  if (published.empty()) return "";
  const double first = stiffness(published.front().v);
  const bool same = std::all_of(published.begin(), published.end(),
                                [&](const auto& c) { return stiffness(c.v) == first; });
  if (same) return rounded_text(first) + " for all joints";
  constexpr std::size_t kMostListed = 40;
  std::string text;
  for (std::size_t k = 0; k < published.size(); ++k) {
    if (k == kMostListed) return text + ", ...";
    text += (k > 0 ? ", " : "") + in_quotes(published[k].name) + " " +
            rounded_text(stiffness(published[k].v));
  }
  return text;
}

std::string StiffnessReport::gain_warning(const Robot& robot, const Config& config) const {
  const std::shared_ptr<const JointSettings> joints = robot.joints();
  const VectorXd commanded = robot.inbox.stiffness();
  if (!(commanded.array() >= 0.0).any()) return joints->gain_warning;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (joints_ == joints && stiffness_ == commanded) return warning_;
  JointSettings changed = *joints;
  changed.stiffness = stiffness_of(*joints, commanded);
  warning_ = spatial_dynamics::gain_warning(config, changed, robot.model, robot.published);
  joints_ = joints;
  stiffness_ = commanded;
  return warning_;
}

}  // namespace spatial_dynamics
