#include "compliance_settings.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <random>

#include "robot_dynamics.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kPoses = 16;
constexpr int kIterations = 60;     // of the power method
constexpr double kRounding = 1e-9;  // of gains that are exactly at a limit

/// The joint that is farthest outside of the range, and by which factor; 1: none.
struct Worst {
  std::string joint;
  double factor = 1.0;
  void note(const std::string& name, double value) {
    if (!(value > factor * (1.0 + kRounding))) return;
    factor = value;
    joint = name;
  }
};

/// Finds the largest T D / (0.2 M), and the largest K T / D, at one pose.
void check_pose(const JointSettings& joints, const MatrixXd& M, double period_s,
                const std::vector<ScalarCoordinate>& coordinates, Worst& fast, Worst& slow) {
  VectorXd D = joints.damping;
  for (const ScalarCoordinate& c : coordinates) {
    const double K = joints.stiffness(c.v);
    D(c.v) += 2.0 * joints.damping_ratio(c.v) * std::sqrt(K * std::max(0.0, M(c.v, c.v)));
    slow.note(c.name, K == 0.0 ? 0.0 : K * period_s / D(c.v));
  }
  const Eigen::LLT<MatrixXd> cholesky(M);
  if (cholesky.info() != Eigen::Success || D.isZero(0.0)) return;
  // The largest eigenvalue of D^(1/2) M^-1 D^(1/2), by the power method.
  const VectorXd root = D.cwiseSqrt();
  VectorXd x = root;
  double largest = 0.0;
  for (int i = 0; i < kIterations; ++i) {
    x /= x.norm();
    x = root.cwiseProduct(cholesky.solve(root.cwiseProduct(x)).eval()).eval();
    largest = x.norm();
    if (!(largest > 0.0)) return;
  }
  Index joint = 0;
  x.cwiseAbs().maxCoeff(&joint);
  for (const ScalarCoordinate& c : coordinates) {
    if (c.v == joint) fast.note(c.name, largest * period_s / kLargestDampingStep);
  }
}

std::string spring_warning(double rate_hz, const JointSettings& joints, const Model& model,
                           const std::vector<ScalarCoordinate>& coordinates) {
  RobotDynamics robot(model);
  VectorXd q = neutral_configuration(model);
  std::mt19937 random(1);  // the same poses every time
  Worst fast, slow;
  for (int pose = 0; pose < kPoses; ++pose) {
    for (const ScalarCoordinate& c : coordinates) {
      const JointLimits& limits = model.joint(c.joint).limits;
      const bool free = !std::isfinite(limits.lower + limits.upper);
      const double reach = c.type == JointType::kPrismatic ? 1.0 : M_PI;
      const double lower = free ? -reach : limits.lower, upper = free ? reach : limits.upper;
      const double share = static_cast<double>(random()) / std::mt19937::max();
      q(c.q) = lower + share * (upper - lower);
    }
    check_pose(joints, robot.mass_matrix(q), 1.0 / rate_hz, coordinates, fast, slow);
  }
  std::string text;
  if (!fast.joint.empty()) {
    text = "the damping of joint " + in_quotes(fast.joint) + " is up to " +
           rounded_text(fast.factor) +
           " times the largest for which its spring gains no energy at 'rate_hz' " +
           number_text(rate_hz) +
           " (D <= 0.2 M / T; from about 10 times on it oscillates): lower its "
           "'impedance.stiffness' or its damping, or raise 'rate_hz'";
  }
  if (!slow.joint.empty()) {
    text += text.empty() ? "" : "; ";
    text += "the damping of joint " + in_quotes(slow.joint) +
            " is too small for its stiffness at 'rate_hz' " + number_text(rate_hz) +
            " (D >= K T), so that oscillations may grow: raise its damping, or lower its "
            "'impedance.stiffness'";
  }
  return text.empty() ? text : text + ".";
}

/// A hand-guided arm must come to rest by itself: by friction that is not compensated, or by
/// damping, which must be stable at this rate.
std::string guiding_warning(const ControlSettings& settings, const JointSettings& joints,
                            const Model& model, const std::vector<ScalarCoordinate>& coordinates) {
  const double damping = settings.hand_guiding.damping;
  if (damping > kLargestDampingStep * settings.rate_hz) {
    return "'hand_guiding.damping' " + number_text(damping) + " 1/s is too high for 'rate_hz' " +
           number_text(settings.rate_hz) + ": the arm may vibrate; it should be at most " +
           number_text(kLargestDampingStep * settings.rate_hz) + ".";
  }
  if (damping > 0.0) return "";
  for (const ScalarCoordinate& c : coordinates) {
    const Joint& joint = model.joint(c.joint);
    if (joint.friction > 0.0 || joint.damping > 0.0 || joints.locked(c.v) != 0.0) continue;
    return "joint " + in_quotes(c.name) +
           " has neither friction nor damping, so that nothing stops it when it is released: set "
           "'hand_guiding.damping', or the joint's friction in the URDF.";
  }
  return "";
}

/// Whether a contact may start hand guiding.
bool may_float(const ControlSettings& settings) {
  return settings.contact.reaction == ContactReaction::kFloat;
}

std::string mode_warning(const ControlSettings& settings, const JointSettings& joints,
                         const Model& model, const std::vector<ScalarCoordinate>& coordinates) {
  const bool guides = settings.torque_mode == TorqueMode::kHandGuiding;
  std::string text;
  if (uses_springs(settings, joints)) {
    JointSettings used = joints;
    if (guides) {  // springs hold locked joints only
      for (VectorXd* const gain : {&used.stiffness, &used.damping, &used.damping_ratio}) {
        gain->array() *= joints.locked.array();
      }
    }
    text = spring_warning(settings.rate_hz, used, model, coordinates);
  }
  if (!guides && !may_float(settings)) return text;
  const std::string guiding = guiding_warning(settings, joints, model, coordinates);
  return text + (text.empty() || guiding.empty() ? "" : " ") + guiding;
}

void resolve_locks(const ControlSettings& settings, const Model& model,
                   const std::vector<ScalarCoordinate>& coordinates, JointSettings& joints) {
  joints.locked = VectorXd::Zero(model.nv());
  for (const std::string& name : settings.hand_guiding.locked_joints) {
    const auto found = std::find_if(coordinates.begin(), coordinates.end(),
                                    [&](const ScalarCoordinate& c) { return c.name == name; });
    if (found == coordinates.end()) {
      std::string known;
      for (const ScalarCoordinate& c : coordinates) {
        known += (known.empty() ? "" : ", ") + in_quotes(c.name);
      }
      throw ParameterError("hand_guiding.locked_joints",
                           "parameter 'hand_guiding.locked_joints' names " + in_quotes(name) +
                               ", which the robot does not have; choose among " + known + ".");
    }
    joints.locked(found->v) = 1.0;
  }
}

}  // namespace

bool uses_springs(const ControlSettings& settings, const JointSettings& joints) noexcept {
  switch (settings.torque_mode) {
    case TorqueMode::kJointImpedance:
      return true;
    case TorqueMode::kHandGuiding:
      return !joints.locked.isZero(0.0);
    case TorqueMode::kComputedTorque:
      return false;  // it holds positions itself
    case TorqueMode::kInverseDynamics:
    case TorqueMode::kGravityCompensation:
      break;
  }
  const ContactReaction reaction = settings.contact.reaction;
  return reaction == ContactReaction::kHold || reaction == ContactReaction::kRetreat;
}

void resolve_springs(const ControlSettings& settings, const JointOverrides& by_joint,
                     const Model& model, const std::vector<ScalarCoordinate>& coordinates,
                     JointSettings& joints) {
  constexpr double kNotGiven = -1.0;
  const auto values = [&](const char* name, const std::vector<double>& given, double without) {
    return values_per_coordinate(name, given, by_joint, coordinates, without);
  };
  std::vector<double> damping = values("impedance.damping", settings.damping, kNotGiven);
  std::vector<double> ratio = values("impedance.damping_ratio", settings.damping_ratio, 0.0);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    (damping[i] == kNotGiven ? damping : ratio)[i] = 0.0;
  }
  joints.stiffness = on_velocities(model, coordinates,
                                   values("impedance.stiffness", settings.stiffness, 0.0), 0.0);
  joints.damping = on_velocities(model, coordinates, damping, 0.0);
  joints.damping_ratio = on_velocities(model, coordinates, ratio, 0.0);
  resolve_locks(settings, model, coordinates, joints);
}

void resolve_contact(const ControlSettings& settings, const JointOverrides& by_joint,
                     const Model& model, const std::vector<ScalarCoordinate>& coordinates,
                     JointSettings& joints) {
  constexpr double kNotGiven = -1.0;
  const std::vector<double> given = values_per_coordinate(
      "contact.threshold", settings.contact.threshold, by_joint, coordinates, kNotGiven);
  joints.contact_threshold = VectorXd::Constant(model.nv(), kUnlimited);
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const double effort = model.joint(coordinates[i].joint).limits.effort;
    const bool limited = std::isfinite(effort) && effort > 0.0;
    double& threshold = joints.contact_threshold(coordinates[i].v);
    if (given[i] == kNotGiven && limited) threshold = kDefaultContactShare * effort;
    if (given[i] > 0.0) threshold = given[i];
    if (!limited || threshold >= kLowestContactShare * effort) continue;
    throw ParameterError("contact.threshold",
                         "parameter 'contact.threshold' is " + number_text(given[i]) +
                             " for joint " + in_quotes(coordinates[i].name) +
                             ", which is below the noise of its torque; give at least " +
                             number_text(kLowestContactShare * effort) +
                             " (1 % of its effort limit), or 0 to leave the joint out.");
  }
}

std::string gain_warning(const ControlSettings& settings, const JointSettings& joints,
                         const Model& model, const std::vector<ScalarCoordinate>& coordinates) {
  std::string text = mode_warning(settings, joints, model, coordinates);
  if (settings.contact.reaction == ContactReaction::kNone) return text;
  for (const ScalarCoordinate& c : coordinates) {
    if (std::isfinite(joints.contact_threshold(c.v))) continue;
    return text + (text.empty() ? "" : " ") + "Contacts of joint " + in_quotes(c.name) +
           " are not detected, because it has neither an effort limit nor a 'contact.threshold'.";
  }
  return text;
}

}  // namespace spatial_dynamics
