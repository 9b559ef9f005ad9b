// A bare control loop at 1 kHz: read the state, compute the torque, write it, sleep until the next
// cycle. The robot is simulated; replace it by your driver's read and write.
#include <chrono>
#include <cmath>
#include <iostream>
#include <spatial_dynamics/simulation/simulator.hpp>
#include <spatial_dynamics/simulation/smooth_reference.hpp>
#include <spatial_dynamics/spatial_dynamics.hpp>
#include <thread>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  constexpr double kPeriod = 1e-3, kKp = 400.0, kKd = 40.0;  // s, 1/s^2, 1/s
  constexpr double kSwing = 0.2, kW = 3.0;                   // rad, rad/s

  // First everything that allocates memory.
  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  Data data(model);
  Simulator robot(model);
  const std::vector<double> middle = middle_posture(model);
  const VectorXd start = Eigen::Map<const VectorXd>(middle.data(), model.nq());
  robot.reset(start);
  VectorXd q_ref(model.nq()), v_ref(model.nv()), a(model.nv());
  double largest_error = 0.0;

  // From here on nothing allocates.
  auto next = std::chrono::steady_clock::now();
  for (int cycle = 0; cycle < 2000; ++cycle) {
    const VectorXd& q = robot.measured().q;  // read
    const VectorXd& v = robot.measured().v;

    const double t = cycle * kPeriod;  // the same motion for all joints
    q_ref = start.array() + kSwing * (1.0 - std::cos(kW * t));
    v_ref.setConstant(kSwing * kW * std::sin(kW * t));
    const double a_ref = kSwing * kW * kW * std::cos(kW * t);

    a = kKp * (q_ref - q) + kKd * (v_ref - v);
    a.array() += a_ref;
    const VectorXd& tau = inverse_dynamics(model, data, q, v, a);

    if (t > 0.5) largest_error = std::max(largest_error, (q_ref - q).lpNorm<Eigen::Infinity>());
    if (!tau.allFinite() || !robot.step(kPeriod, tau)) return 1;  // write
    std::this_thread::sleep_until(next += std::chrono::milliseconds(1));
  }
  std::cout << "largest tracking error " << std::round(1e3 * largest_error) << " mrad\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
