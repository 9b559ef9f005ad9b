#include "spatial_dynamics/control/momentum_observer.hpp"

#include <cmath>

#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/law_test.hpp"
#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kGain = 40.0;  // 1/s

class Observer : public LawTest {
 protected:
  MomentumObserver observer{model};
  Data fast{model, Dense::kAll};
  VectorXd q = random_configuration(random, model);
  VectorXd rest = VectorXd::Zero(model.nv());
  VectorXd hold = gravity_torque(model, data, q);  // holds the robot at rest
  VectorXd push = random_vector(random, model.nv());
};
INSTANTIATE_TEST_SUITE_P(Robots, Observer, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Observer, EstimatesPushThroughFirstOrderFilter) {
  // The robot is at rest although tau = g - push. After n steps r = push (1 - (1 + K dt)^-n).
  const double dt = 0.01;
  observer.update(model, fast, q, rest, hold - push, kGain, dt);
  for (int n = 1; n <= 50; ++n) {
    const VectorXd& residual = observer.update(model, fast, q, rest, hold - push, kGain, dt);
    const VectorXd expected = (1.0 - std::pow(1.0 + kGain * dt, -n)) * push;
    // The rounding errors of n steps add up.
    ASSERT_LT(largest(residual - expected), 1e-13 * n * (largest(push) + largest(hold))) << n;
  }
}

TEST_P(Observer, IsStableAtAnyGain) {
  observer.update(model, fast, q, rest, hold - push, 1e9, 1.0);
  for (int n = 0; n < 3; ++n) {
    const VectorXd& residual = observer.update(model, fast, q, rest, hold - push, 1e9, 1.0);
    EXPECT_LT(largest(residual - push), 1e-8 * (largest(push) + largest(hold)));
  }
}

TEST_P(Observer, EstimatesZeroForMotionOfModel) {
  const double dt = 1e-6;
  const VectorXd v = random_vector(random, model.nv()), a = random_vector(random, model.nv());
  const VectorXd tau = inverse_dynamics(model, data, q, v, a);
  observer.update(model, fast, q, v, tau, kGain, dt);
  const VectorXd later = moved(q, v, dt);
  const VectorXd& residual = observer.update(model, fast, later, v + dt * a, tau, kGain, dt);
  // A missing torque would cause an estimate of K dt times that torque. One Euler step has an error
  // of dt (1/s) times that estimate, and more if the inertias of many links add up.
  EXPECT_LT(largest(residual), 1e-3 * kGain * dt * (1.0 + largest(tau)));
}

TEST_P(Observer, RestartsAfterReset) {
  for (int n = 0; n < 10; ++n) observer.update(model, fast, q, rest, hold - push, kGain, 0.01);
  observer.reset();
  EXPECT_EQ(largest(observer.update(model, fast, q, rest, hold - push, kGain, 0.01)), 0.0);
}

TEST_P(Observer, AllocatesNothing) {
  observer.update(model, fast, q, rest, hold, kGain, 0.01);
  const HeapWatch heap;
  observer.update(model, fast, q, rest, hold, kGain, 0.01);
  observer.reset();
  observer.update(model, fast, q, rest, hold, kGain, 0.01);
  EXPECT_EQ(heap.count(), 0U);
}

}  // namespace
}  // namespace spatial_dynamics::test
