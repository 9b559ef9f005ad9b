// Gravity compensation: the arm stays where it is, moves when it is pushed, and stays at its new
// position.
#include <iomanip>
#include <iostream>
#include <spatial_dynamics/simulation/simulator.hpp>
#include <spatial_dynamics/simulation/smooth_reference.hpp>
#include <spatial_dynamics/spatial_dynamics.hpp>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  constexpr double kDecay = 8.0;  // 1/s
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  const Index hand = last_moving_link(model);
  Data data(model);
  VectorXd tau(model.nv());
  Simulator robot(model);
  const std::vector<double> middle = middle_posture(model);
  robot.reset(Eigen::Map<const VectorXd>(middle.data(), model.nq()));

  const auto hand_position = [&] { return link_pose(model, data, robot.q(), hand).position(); };
  const auto run = [&](double seconds) {
    for (int i = 0; i < seconds * 1000.0; ++i) {
      tau = gravity_torque(model, data, robot.measured().q);  // g(q), and damping in
      // proportion to the inertia of each joint, which stops the arm in the end
      tau -= kDecay * mass_matrix(model, data, robot.measured().q) * robot.measured().v;
      if (!robot.step(1e-3, tau)) throw std::runtime_error("the simulation broke down");
    }
  };

  const Vector3 start = hand_position();
  const auto tell = [&](const char* when) {
    std::cout << std::left << std::setw(20) << when << std::fixed << std::setprecision(0)
              << std::abs(1e3 * (hand_position() - start).norm()) << " mm from the start\n";
  };
  run(1.0);
  tell("after 1 s alone");
  const Matrix3 world_to_hand = link_pose(model, data, robot.q(), hand).E;
  robot.set_wrench(hand, Force(Vector3::Zero(), world_to_hand * Vector3(0.0, 6.0, 0.0)));
  run(0.3);
  robot.clear_wrenches();
  tell("pushed with 6 N");
  run(2.0);
  const Vector3 there = hand_position();
  tell("let go for 2 s");
  run(1.0);
  std::cout << "it has come to rest: " << std::boolalpha
            << ((hand_position() - there).norm() < 1e-4) << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
