// Runs a cycle of the torque controller a number of times, so that callgrind can count what the
// envelope costs: run_cycle URDF_FOLDER ROBOT_SCENE COUNT
//
// ROBOT is arm, quadruped (floating), humanoid or floating. SCENE is
//   without   at rest inside the envelope, which is switched off
//   inside    the same with the envelope
//   stop      one joint rests at its upper soft stop and is pushed against it
//   stops     every joint with limits does
//   fast      every joint with limits is 0.05 rad before its stop and moves at its velocity cap
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

TorqueController make_controller(const std::string& folder, const std::string& robot, bool on) {
  LoadOptions options;
  options.floating_base = robot == "quadruped" || robot == "floating";
  const std::string file = robot == "arm"         ? "arm7"
                           : robot == "quadruped" ? "quadruped"
                                                  : "humanoid";
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;
  settings.ramp_s = 0.01;
  settings.state_jump_factor = 0.0;
  settings.envelope.enabled = on;
  return TorqueController(load_urdf_file(folder + "/" + file + ".urdf", options), settings);
}

struct Scene {
  VectorXd q, v;
  VectorXd position, acceleration;  // of the reference
};

Scene arrange(const std::string& name, const TorqueController& controller) {
  constexpr double kPush = 5.0, kBefore = 0.05, kFastest = 10.0;
  const Model& model = controller.model();
  const EnvelopeLimits limits = resolve_joint_settings(controller.settings(), model).envelope;
  const auto size = static_cast<Index>(controller.coordinates().size());
  Scene scene{neutral_configuration(model), VectorXd::Zero(model.nv()), VectorXd::Zero(size),
              VectorXd::Zero(size)};
  int limited = 0;
  for (std::size_t k = 0; k < controller.coordinates().size(); ++k) {
    const ScalarCoordinate& c = controller.coordinates()[k];
    const auto i = static_cast<Index>(k);
    const double lower = limits.soft_lower(c.v), upper = limits.soft_upper(c.v);
    if (std::isfinite(lower + upper)) {
      scene.q(c.q) = 0.5 * (lower + upper);
      ++limited;
      if (name == "stops" || (name == "stop" && limited == 2)) {
        scene.q(c.q) = upper;
        scene.acceleration(i) = kPush;
      } else if (name == "fast") {
        scene.q(c.q) = std::max(upper - kBefore, lower);
        scene.v(c.v) = std::min(limits.velocity(c.v), kFastest);
      }
    }
    scene.position(i) = scene.q(c.q);
  }
  return scene;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string what = argv[2];
  const auto split = what.find('_');
  if (split == std::string::npos) return 2;
  const std::string name = what.substr(split + 1);
  TorqueController controller = make_controller(argv[1], what.substr(0, split), name != "without");
  const Scene scene = arrange(name, controller);
  ControlInput input = controller.make_input();
  ControlOutput output = controller.make_output();
  const VectorXd rest = VectorXd::Zero(scene.position.size());
  // The first cycles end the ramps.
  constexpr long kFirst = 40;
  constexpr std::int64_t kMillisecond = 1000000;
  std::int64_t now = kMillisecond;
  for (long i = std::strtol(argv[3], nullptr, 10) + kFirst; i > 0; --i) {
    now += kMillisecond;
    input.set_state(now, scene.q, scene.v);
    input.set_reference(now, scene.position, rest, scene.acceleration);
    controller.step(now, input, output);
  }
  const bool acted =
      has(output.faults, Fault::kStopReached) || has(output.faults, Fault::kSpeedCap);
  const bool acts = name != "without" && name != "inside";
  if (output.phase != Phase::kRunning || acted != acts) {
    std::fprintf(stderr, "phase %s, faults %x\n", to_string(output.phase), output.faults);
    return 1;
  }
  std::printf("%.17g\n", output.torque.sum());
  return 0;
}
