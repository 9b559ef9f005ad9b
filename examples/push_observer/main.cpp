// The momentum observer detects a push on the hand, without a force sensor and without
// accelerations.
#include <iomanip>
#include <iostream>
#include <spatial_dynamics/control/momentum_observer.hpp>
#include <spatial_dynamics/simulation/simulator.hpp>
#include <spatial_dynamics/simulation/smooth_reference.hpp>
#include <spatial_dynamics/spatial_dynamics.hpp>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  constexpr double kPeriod = 1e-3;
  constexpr double kGain = 50.0;  // 1/s: the estimate follows with a time constant of 20 ms
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  const Index hand = last_moving_link(model);
  Data data(model);
  MomentumObserver observer(model);
  Simulator robot(model);
  const std::vector<double> middle = middle_posture(model);
  const VectorXd start = Eigen::Map<const VectorXd>(middle.data(), model.nq());
  robot.reset(start);

  const Force push(Vector3::Zero(), Vector3(20.0, 0.0, 0.0));  // in the hand's frame, N
  VectorXd tau(model.nv()), a(model.nv()), estimate(model.nv());
  int found_at = -1;
  for (int cycle = 0; cycle < 1000; ++cycle) {
    if (cycle == 500) robot.set_wrench(hand, push);
    const VectorXd& q = robot.measured().q;
    const VectorXd& v = robot.measured().v;
    a = 400.0 * (start - q) - 40.0 * v;  // holds the position, without knowledge of the push
    tau = inverse_dynamics(model, data, q, v, a);
    if (!robot.step(kPeriod, tau)) return 1;
    estimate =
        observer.update(model, data, robot.measured().q, robot.measured().v, tau, kGain, kPeriod);
    if (found_at < 0 && estimate.lpNorm<Eigen::Infinity>() > 1.0) found_at = cycle;
  }

  const Matrix6X& J = jacobian(model, data, robot.q(), hand, Frame::kLocal);
  const VectorXd truth = J.transpose() * push.vector();
  std::cout << "found " << found_at - 500 << " ms after it began\n";
  std::cout << "external torque, N m     found   true\n" << std::fixed << std::setprecision(1);
  for (const Index i : model.coordinate_joints()) {
    const Joint& joint = model.joint(i);
    // + 0.0: no "-0.0"
    std::cout << "  " << std::left << std::setw(20) << joint.name << std::right << std::setw(8)
              << std::round(10.0 * estimate(joint.v_index)) / 10.0 + 0.0 << std::setw(7)
              << std::round(10.0 * truth(joint.v_index)) / 10.0 + 0.0 << '\n';
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
