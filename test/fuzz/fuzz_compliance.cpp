// Any gains, poses and motions of a robot with an exact model: springs in the joints gain no
// energy, and a hand-guided arm only loses it.
#include <array>
#include <cmath>

#include "control/closed_loop.hpp"
#include "fuzz/byte_source.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/robots.hpp"
#include "spatial_dynamics/textbook/energy.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"

namespace {

using namespace spatial_dynamics;
using fuzz::ByteSource;

struct Robot {
  Model model;         ///< with friction
  Model frictionless;  ///< without gravity
  textbook::Data data;
  explicit Robot(const char* urdf)
      : model(load_urdf(urdf)), frictionless(without_friction(urdf)), data(model) {}
  static Model without_friction(const char* urdf) {
    LoadOptions options;
    options.friction = false;
    options.gravity.setZero();
    return load_urdf(urdf, options);
  }
};

Robot& robot_of(std::size_t kind) {
  static std::array<Robot, 3> robots{Robot(fuzz::kFinger), Robot(fuzz::kThumb),
                                     Robot(fuzz::kStick)};
  return robots[kind];
}

/// From -1 to 1.
double number(ByteSource& bytes) { return bytes.in_range(-1000, 1000) * 1e-3; }
VectorXd numbers(ByteSource& bytes, Index count, double scale) {
  VectorXd result(count);
  for (double& x : result) x = scale * number(bytes);
  return result;
}

/// The power of the torque of a law, at any state: springs return what they store, dampers and
/// friction only take.
void check_power(ByteSource& bytes, Robot& robot) {
  const Index n = robot.model.nv();
  const Coordinates coordinates(robot.model);
  RobotDynamics dynamics(robot.model);
  TorqueLaws laws(n, n);
  ReferenceTracker tracker(coordinates.scalars());
  References references;
  references.joints.resize(coordinates.size());
  ControlSettings settings;
  settings.stiffness = {bytes.in_range(0, 1000) * 1.0};
  settings.damping_ratio = {bytes.in_range(0, 1000) * 1e-2};
  settings.hand_guiding.damping = bytes.in_range(0, 1000) * 1.0;
  settings.hand_guiding.friction_share = bytes.in_range(0, 95) * 1e-2;
  const JointSettings joints = resolve_joint_settings(settings, robot.model);
  laws.update_settings(settings, joints, RampStep{1.0, true});
  const VectorXd q = numbers(bytes, n, 3.0), v = numbers(bytes, n, 5.0);
  const VectorXd held = numbers(bytes, n, 3.0);
  tracker.restart(references, held);
  const VectorXd gravity = textbook::gravity_torque(robot.model, robot.data, q);
  const VectorXd friction = textbook::friction_torque(robot.model, robot.data, v);
  const auto power = [&](TorqueMode mode) {
    fuzz::expect(laws.compute(mode, coordinates, tracker, q, v, kNoExternalForces, dynamics),
                 "torques are finite");
    return (laws.torque() - gravity).dot(v);
  };
  const double impedance = power(TorqueMode::kJointImpedance);
  const double stored = joints.stiffness.cwiseProduct(laws.position_error()).dot(v);
  const double rounding = 1e-9 * (1.0 + std::abs(impedance) + std::abs(stored));
  fuzz::expect(impedance <= stored + rounding, "the power is at most that of the springs");
  const double guiding = power(TorqueMode::kHandGuiding);
  const double kinetic = textbook::kinetic_energy(robot.model, robot.data, q, v);
  const double most = friction.dot(v) * settings.hand_guiding.friction_share -
                      2.0 * settings.hand_guiding.damping * kinetic;
  fuzz::expect(guiding <= most + 1e-9 * (1.0 + std::abs(most)),
               "guiding returns at most its share of friction, and motions decay at its rate");
}

/// A joint that is released from rest, with gains in the stable range.
void check_sampled(ByteSource& bytes, const Model& model) {
  const Index n = model.nv();
  const double period_s = bytes.in_range(5, 100) * 1e-4;
  const VectorXd start = numbers(bytes, n, 1.5), held = start + numbers(bytes, n, 0.2);
  RobotDynamics robot(model);
  const double damped = bytes.in_range(1, 100) * 1e-2, stiff = bytes.in_range(1, 100) * 1e-2;
  test::ClosedLoop loop(model, model, period_s);
  loop.set(test::stable_gains(robot.mass_matrix(start), period_s, damped, stiff, 0.5));
  loop.hold(held);
  loop.start(start, VectorXd::Zero(n));
  if (loop.spring_energy() < 1e-9) return;  // rounding
  fuzz::expect(test::largest_energy_gain(loop, 60) < 0.01, "springs gain less than 1 %");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteSource bytes(data, size);
  Robot& robot = robot_of(bytes.in_range<std::size_t>(0, 2));
  if (bytes.flag()) {
    check_sampled(bytes, robot.frictionless);
  } else {
    check_power(bytes, robot);
  }
  return 0;
}
