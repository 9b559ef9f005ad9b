#include "simulation/simulation_run.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

Model pendulum(bool friction = true) {
  LoadOptions options;
  options.friction = friction;
  return load_urdf_file(shipped_urdf("double_pendulum"), options);
}

SimulationSetup half_a_second(ControllerKind controller) {
  SimulationSetup setup;
  setup.seconds = 0.5;
  setup.controller = controller;
  setup.joint_stops = false;
  return setup;
}

TEST(SimulationRun, RecordsEveryStepAndReportsProgress) {
  SimulationRun run(pendulum(), half_a_second(ControllerKind::kNone), VectorXd::Constant(2, 1.0),
                    VectorXd::Zero(2));
  double last = 0.0;
  const SimulationSummary summary = run.run([&](double share) {
    EXPECT_GT(share, last);
    last = share;
  });
  EXPECT_EQ(last, 1.0);
  EXPECT_EQ(summary.steps, 500U);
  EXPECT_EQ(run.history().rows(), 501U);
  EXPECT_EQ(run.history().columns().size(), 2U * 4U + 2U);
  EXPECT_EQ(run.history().value(0, 0), 1.0);
}

TEST(SimulationRun, EnergyDriftIsSmallWithoutFriction) {
  SimulationRun run(pendulum(false), half_a_second(ControllerKind::kNone),
                    VectorXd::Constant(2, 1.0), VectorXd::Zero(2));
  const SimulationSummary summary = run.run([](double) {});
  EXPECT_FALSE(summary.loses_energy);
  EXPECT_GT(summary.largest_kinetic, 1.0);
  EXPECT_LT(summary.largest_drift, 1e-8 * summary.largest_kinetic);
}

TEST(SimulationRun, AddedEnergyIsADivergence) {
  for (const auto& [dt, diverged] : {std::pair{0.4, true}, std::pair{0.001, false}}) {
    for (const bool friction : {false, true}) {
      SimulationSetup setup = half_a_second(ControllerKind::kNone);
      setup.seconds = 8.0;
      setup.dt = dt;
      SimulationRun run(pendulum(friction), setup, VectorXd::Constant(2, 2.0), VectorXd::Zero(2));
      EXPECT_EQ(run.run([](double) {}).diverged, diverged) << dt << ' ' << friction;
    }
  }
}

TEST(SimulationRun, RejectsADurationShorterThanAStep) {
  SimulationSetup setup = half_a_second(ControllerKind::kNone);
  setup.seconds = 1e-4;
  EXPECT_THROW(SimulationRun(pendulum(), setup, VectorXd::Zero(2), VectorXd::Zero(2)),
               std::invalid_argument);
}

TEST(SimulationRun, NamesCoordinatesOfAFloatingBase) {
  LoadOptions options;
  options.floating_base = true;
  const Model model = load_urdf_file(shipped_urdf("double_pendulum"), options);
  EXPECT_EQ(coordinate_names(model, false).size(), static_cast<std::size_t>(model.nq()));
  EXPECT_EQ(coordinate_names(model, true).size(), static_cast<std::size_t>(model.nv()));
  EXPECT_EQ(coordinate_names(model, false)[6], "floating_base/qw");
  EXPECT_EQ(coordinate_names(model, true)[0], "floating_base/wx");
}

}  // namespace
}  // namespace spatial_dynamics::test
