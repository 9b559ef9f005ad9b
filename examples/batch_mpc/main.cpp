// Model-predictive control by sampling (MPPI): in each cycle 256 candidates are simulated half a
// second ahead, in one batch, and averaged with weights by their cost.
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>
#include <spatial_dynamics/spatial_dynamics.hpp>

using namespace spatial_dynamics;

int main(int argc, char** argv) try {
  constexpr Index kCandidates = 256, kHorizon = 25;
  constexpr int kCycles = 150;
  constexpr double kStep = 0.02;         // s
  constexpr double kSpread = 4.0;        // N m, of the candidates
  constexpr double kTemperature = 0.05;  // how much better a candidate must be to count more

  const Model model = load_urdf_file(argc > 1 ? argv[1] : "robot.urdf");
  Data data(model);                     // for one state
  BatchData batch(model, kCandidates);  // for all candidates
  const Index n = model.nv();
  const VectorXd goal = VectorXd::Constant(n, 0.8);

  // One candidate per column.
  MatrixXd q(n, kCandidates), v(n, kCandidates), tau(n, kCandidates), noise(n, kCandidates);
  MatrixXd plan = MatrixXd::Zero(n, kHorizon);  // on top of the torque that holds the robot up
  VectorXd cost(kCandidates), weight(kCandidates);
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0.0, kSpread);

  VectorXd q_now = VectorXd::Zero(n), v_now = VectorXd::Zero(n);
  const auto start = std::chrono::steady_clock::now();
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    q.colwise() = q_now;
    v.colwise() = v_now;
    cost.setZero();
    const VectorXd hold = gravity_torque(model, data, q_now);
    noise = noise.unaryExpr([&](double) { return normal(random); });
    for (Index k = 0; k < kHorizon; ++k) {
      // The noise of a candidate decays along the horizon.
      tau = (1.0 - static_cast<double>(k) / kHorizon) * noise;
      tau.colwise() += plan.col(k) + hold;
      v += kStep * forward_dynamics(model, batch, q, v, tau);
      q += kStep * v;
      cost += (q.colwise() - goal).colwise().squaredNorm().transpose() +
              0.05 * v.colwise().squaredNorm().transpose();
    }
    weight = ((cost.minCoeff() - cost.array()) / kTemperature).exp();
    weight /= weight.sum();
    for (Index k = 0; k < kHorizon; ++k) {
      plan.col(k) += (1.0 - static_cast<double>(k) / kHorizon) * (noise * weight);
    }

    // The first torque of the plan is applied, the rest is the start of the next one.
    const VectorXd first = plan.col(0) + hold;
    v_now += kStep * forward_dynamics(model, data, q_now, v_now, first);
    q_now += kStep * v_now;
    plan.leftCols(kHorizon - 1) = plan.rightCols(kHorizon - 1).eval();
  }
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  std::cout << kCandidates * kHorizon * kCycles << " forward dynamics\n"
            << "distance to the goal below 0.1 rad: " << std::boolalpha
            << ((q_now - goal).norm() < 0.1) << '\n';
  std::cerr << ms / kCycles << " ms a cycle, distance " << (q_now - goal).norm() << " rad\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
