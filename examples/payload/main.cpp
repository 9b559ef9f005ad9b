// A payload while holding: the hand picks up 2 kg and the arm sags; the controller receives the
// payload, and the arm rises again without a step of the torque.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <spatial_dynamics/simulation/simulator.hpp>
#include <spatial_dynamics/simulation/smooth_reference.hpp>
#include <spatial_dynamics/spatial_dynamics.hpp>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  const Index hand = last_moving_link(model);
  const Inertia load = Inertia::from_com(2.0, Vector3(0.0, 0.0, 0.05), Matrix3::Zero());

  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;  // without a reference it holds the position
  TorqueController controller(model, settings);
  ControlInput input = controller.make_input();
  ControlOutput output = controller.make_output();

  Simulator robot(model);
  const std::vector<double> middle = middle_posture(model);
  robot.reset(Eigen::Map<const VectorXd>(middle.data(), model.nq()));
  Data data(model);
  const auto height = [&] { return link_pose(model, data, robot.q(), hand).position().z(); };
  const double start = height();
  VectorXd before = VectorXd::Zero(model.nv());
  double largest_step = 0.0;  // of the torque, from one cycle to the next

  for (std::int64_t cycle = 1; cycle <= 4000; ++cycle) {
    if (cycle == 1000) robot.set_payload(hand, load);  // the robot's payload changes
    if (cycle == 2500) input.set_payload(hand, load);  // the controller receives it
    const std::int64_t now = cycle * 1'000'000;        // ns
    input.set_state(now, robot.measured().q, robot.measured().v);
    controller.step(now, input, output);
    if (!output.send_torque || !robot.step(1e-3, output.torque)) return 1;
    if (cycle > 2490)
      largest_step = std::max(largest_step, (output.torque - before).lpNorm<Eigen::Infinity>());
    before = output.torque;
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
