// Runs a cycle of the torque controller a number of times, so that callgrind can count what the
// envelope costs: run_cycle URDF_FOLDER ROBOT_SCENE COUNT
//
// ROBOT is a robot of the folder, or `floating` for the humanoid with a floating base; the
// quadruped floats. SCENE is
//   without   at rest inside the envelope, which is switched off
//   inside    the same with the envelope
//   moving    every joint moves at 0.3 of its velocity limit, far from its stops
//   stop      one joint rests at its upper soft stop and is pushed against it
//   stops     every joint with limits does
//   weak      the same with a tenth of the motors' effort
//   fast      every joint with limits is 0.05 rad before its stop and moves at its velocity cap
// `_measured` after it: with measured efforts.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "spatial_dynamics/control/torque_controller.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

// NOLINTNEXTLINE(google-build-using-namespace): a program of one function
using namespace spatial_dynamics;

namespace {

TorqueController make_controller(const std::string& folder, const std::string& robot,
                                 const std::string& scene) {
  LoadOptions options;
  options.floating_base = robot == "quadruped" || robot == "floating";
  // In free fall, torques that compensate gravity would move all joints.
  if (options.floating_base) options.gravity = Vector3::Zero();
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;
  settings.ramp_s = 0.01;
  settings.state_jump_factor = 0.0;
  settings.envelope.enabled = scene != "without";
  if (scene == "weak") settings.effort_limit_scale = 0.1;
  return TorqueController(
      load_urdf_file(folder + "/" + (robot == "floating" ? "humanoid" : robot) + ".urdf", options),
      settings);
}

struct Scene {
  VectorXd q, v;
  VectorXd position, velocity, acceleration;  // of the reference
};

Scene arrange(const std::string& name, const TorqueController& controller) {
  constexpr double kPush = 5.0, kBefore = 0.05, kFastest = 10.0, kMoving = 0.3;
  const Model& model = controller.model();
  const EnvelopeLimits limits = resolve_joint_settings(controller.settings(), model).envelope;
  const VectorXd zero = VectorXd::Zero(static_cast<Index>(controller.coordinates().size()));
  Scene scene{neutral_configuration(model), VectorXd::Zero(model.nv()), zero, zero, zero};
  int limited = 0;
  for (std::size_t k = 0; k < controller.coordinates().size(); ++k) {
    const ScalarCoordinate& c = controller.coordinates()[k];
    const auto i = static_cast<Index>(k);
    const double lower = limits.soft_lower(c.v), upper = limits.soft_upper(c.v);
    const double fastest = std::min(limits.velocity(c.v), kFastest);
    if (std::isfinite(lower + upper)) {
      scene.q(c.q) = 0.5 * (lower + upper);
      ++limited;
      if (name == "stops" || name == "weak" || (name == "stop" && limited == 2)) {
        scene.q(c.q) = upper;
        scene.acceleration(i) = kPush;
      } else if (name == "fast") {
        scene.q(c.q) = std::max(upper - kBefore, lower);
        scene.v(c.v) = fastest;
      }
    }
    if (name == "moving") scene.v(c.v) = scene.velocity(i) = kMoving * fastest;
    scene.position(i) = scene.q(c.q);
  }
  return scene;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::string what = argv[2];
  const auto suffix = what.find("_measured");
  const bool measured = suffix != std::string::npos;
  what = what.substr(0, suffix);
  const auto split = what.find('_');
  if (split == std::string::npos) return 2;
  const std::string name = what.substr(split + 1);
  TorqueController controller = make_controller(argv[1], what.substr(0, split), name);
  const Scene scene = arrange(name, controller);
  // States change from cycle to cycle: nothing that depends on the positions may be kept.
  VectorXd near = scene.q;
  for (const ScalarCoordinate& c : controller.coordinates()) near(c.q) -= 1e-9;
  const VectorXd effort = VectorXd::Ones(scene.v.size());
  ControlInput input = controller.make_input();
  ControlOutput output = controller.make_output();
  // The first cycles end the ramps.
  constexpr long kFirst = 40;
  constexpr std::int64_t kMillisecond = 1000000;
  std::int64_t now = kMillisecond;
  for (long i = std::strtol(argv[3], nullptr, 10) + kFirst; i > 0; --i) {
    now += kMillisecond;
    const VectorXd& q = i % 2 == 0 ? scene.q : near;
    if (measured) {
      input.set_state(now, q, scene.v, effort);
    } else {
      input.set_state(now, q, scene.v);
    }
    input.set_reference(now, scene.position, scene.velocity, scene.acceleration);
    controller.step(now, input, output);
  }
  const bool acted =
      has(output.faults, Fault::kStopReached) || has(output.faults, Fault::kSpeedCap);
  const bool acts = name != "without" && name != "inside" && name != "moving";
  if (output.phase != Phase::kRunning || acted != acts || !output.send_acceleration ||
      output.effort_was_measured != measured) {
    std::fprintf(stderr, "%s: phase %s, faults %x\n", argv[2], to_string(output.phase),
                 static_cast<unsigned>(output.faults));
    return 1;
  }
  std::printf("%.17g\n", output.torque.sum());
  return 0;
}
