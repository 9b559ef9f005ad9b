#include "simulation/sensor_log.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spatial_dynamics::test {
namespace {

const std::vector<ScalarCoordinate> kJoints{{"a", 1, 0, 0, false}, {"b", 2, 1, 1, false}};

History run_of(std::size_t rows) {
  History run({"q:a", "q:b", "v:a", "v:b", "a:a", "a:b", "effort:a", "effort:b", "kinetic_energy"});
  for (std::size_t i = 0; i < rows; ++i) {
    const auto x = static_cast<double>(i);
    run.add(0.01 * x, {x, 2 * x, 3 * x, 4 * x, 0, 0, 5 * x, 6 * x, 0});
  }
  return run;
}

TEST(SensorLogTest, WithoutErrorsHasTheStatesAndTheEffortsAroundThem) {
  const History log = sensor_log(kJoints, run_of(4), {});
  EXPECT_EQ(log.columns(), (std::vector<std::string>{"position:a", "velocity:a", "effort:a",
                                                     "position:b", "velocity:b", "effort:b"}));
  ASSERT_EQ(log.rows(), 4U);
  EXPECT_DOUBLE_EQ(log.time(3), 0.03);
  const std::vector<double> expected{3, 9, 12.5, 6, 12, 15};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(log.value(3, k), expected[k]) << k;
  EXPECT_EQ(log.value(0, 2), 0.0);
}

TEST(SensorLogTest, LeavesVelocitiesOut) {
  SensorErrors errors;
  errors.velocities = false;
  EXPECT_EQ(sensor_log(kJoints, run_of(1), errors).columns(),
            (std::vector<std::string>{"position:a", "effort:a", "position:b", "effort:b"}));
}

TEST(SensorLogTest, NoiseHasItsDeviationPerJointAndDependsOnTheSeed) {
  SensorErrors errors;
  errors.position = {0.1, 0.0};
  errors.velocity = {0.2, 0.3};
  errors.effort = {0.0, 4.0};
  constexpr std::size_t kRows = 4000;
  const History exact = sensor_log(kJoints, run_of(kRows), {}),
                noisy = sensor_log(kJoints, run_of(kRows), errors);
  const std::vector<double> deviations{0.1, 0.2, 0.0, 0.0, 0.3, 4.0};
  for (std::size_t k = 0; k < 6; ++k) {
    double squares = 0.0;
    for (std::size_t i = 0; i < kRows; ++i)
      squares += std::pow(noisy.value(i, k) - exact.value(i, k), 2);
    // five deviations of the estimate: 1 / sqrt(2 n) each
    EXPECT_NEAR(std::sqrt(squares / kRows), deviations[k], 0.056 * deviations[k]) << k;
  }
  errors.seed = 2;
  EXPECT_NE(sensor_log(kJoints, run_of(kRows), errors).value(1, 0), noisy.value(1, 0));
}

TEST(SensorLogTest, PositionsAreMultiplesOfTheQuantum) {
  SensorErrors errors;
  errors.position_quantum = 0.3;
  const History log = sensor_log(kJoints, run_of(10), errors);
  for (std::size_t i = 0; i < 10; ++i) {
    const double steps = log.value(i, 0) / 0.3;
    EXPECT_NEAR(steps, std::round(steps), 1e-9);
    EXPECT_NEAR(log.value(i, 0), static_cast<double>(i), 0.15 + 1e-9);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
