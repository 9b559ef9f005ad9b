// A payload while holding: 2 kg are put into the hand, the arm sags; the controller is told, and the arm rises again, smoothly.
// The engine is what the node runs: torque modes, limits, ramps and fallbacks, without threads or middleware.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <spatial_dynamics/algorithms/kinematics.hpp>
#include <spatial_dynamics/model/last_moving_link.hpp>
#include <spatial_dynamics/model/load_urdf.hpp>
#include <spatial_dynamics/runtime/engine.hpp>
#include <spatial_dynamics/runtime/simulator.hpp>
#include <spatial_dynamics/runtime/smooth_reference.hpp>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  const Index hand = last_moving_link(model);
  const Inertia load = Inertia::from_com(2.0, Vector3(0.0, 0.0, 0.05), Matrix3::Zero());

  Engine engine(model);
  Settings settings;
  settings.config.torque_mode = TorqueMode::kComputedTorque;  // without a reference it holds
  settings.joints = resolve_joint_settings(settings.config, model);
  EngineOutputs out = engine.make_outputs();
  JointStates states = engine.make_states();
  const References references = engine.make_references();
  const EffortCommand effort_command = engine.make_effort_command();
  const Wrenches wrenches;
  const Gravity gravity;
  Payloads payloads;

  Simulator robot(model);
  const std::vector<double> middle = middle_posture(model);
  robot.reset(Eigen::Map<const VectorXd>(middle.data(), model.nq()));
  Data data(model);
  const auto height = [&] {
    forward_kinematics(model, data, robot.q());
    return link_transform(model, data, hand).position().z();
  };
  const double start = height();
  VectorXd before = VectorXd::Zero(model.nv());
  double largest_step = 0.0;  // of the torque, from one cycle to the next

  for (std::int64_t cycle = 1; cycle <= 4000; ++cycle) {
    if (cycle == 1000) robot.set_payload(hand, load);  // the world changes
    if (cycle == 2500) {                               // the controller learns of it
      payloads.links = {{hand, load}};
      ++payloads.generation;
    }
    const std::int64_t now = cycle * 1'000'000;  // ns
    states.q = robot.measured().q;
    states.v = robot.measured().v;
    std::fill(states.received.begin(), states.received.end(), now);
    states.newest = now;
    ++states.sequence;
    engine.step(now,
                {settings, states, references, effort_command, wrenches, payloads, gravity, true},
                out);
    if (!out.send_torque || !robot.step(1e-3, out.torque)) return 1;
    if (cycle > 2490)
      largest_step = std::max(largest_step, (out.torque - before).lpNorm<Eigen::Infinity>());
    before = out.torque;
    if (cycle % 1000 == 999 || cycle == 2499) {
      std::cout << std::fixed << std::setprecision(1) << 1e-3 * static_cast<double>(cycle + 1)
                << " s  hand sags by " << std::abs(1e3 * (start - height())) << " mm\n";
    }
  }
  std::cout << "largest step of a torque: " << (largest_step < 0.5 ? "below 0.5 N m" : "too large")
            << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
