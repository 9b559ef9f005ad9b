// The gravity of a log whose robot carries a payload and has friction that the model lacks.
#include "identification/mount_fit.hpp"

#include <gtest/gtest.h>

#include "identification/recorded_log.hpp"

namespace spatial_dynamics::test {
namespace {

/// The arm with a payload on its flange and another gravity.
Model mounted(const Vector3& gravity, double mass) {
  Model arm = mass > 0.0 ? arm7_with(mass, Vector3(0.01, 0.02, 0.06)) : arm7();
  arm.set_gravity(gravity);
  return arm;
}

RobotLog log_of(const Model& robot, double friction = 0.0) {
  RobotLog log = record(robot, robot, noisy_sensors(3));
  for (Index k = 0; k < log.v.rows(); ++k) {
    log.effort.row(k) +=
        (friction * (log.v.row(k).array() / 1e-2).tanh()).matrix() + friction * log.v.row(k);
  }
  return log;
}

struct Found {
  LoadedGravity best;
  std::string hint;
};
Found find(const RobotLog& log) {
  const Model model = arm7();
  const LogSamples samples = make_samples(log, 0.0);
  const MountFit fit(model, samples, compare_log(model, samples));
  const LoadedGravity best = fit.best();
  return {best, loaded_mount_hint(model, fit, best)};
}

TEST(MountFit, FindsWallsAndCeilingsWithPayloadAndFriction) {
  for (const double mass : {0.0, 0.3, 3.0}) {
    for (const double friction : {0.0, 3.0}) {
      for (const Vector3& gravity :
           {Vector3(9.80665, 0, 0), Vector3(0, -9.80665, 0), Vector3(0, 0, 9.80665)}) {
        const Found found = find(log_of(mounted(gravity, mass), friction));
        EXPECT_LT((found.best.gravity - gravity).norm(), 1e-9)
            << found.best.gravity.transpose() << "; " << mass << " kg, " << friction << " N m";
        EXPECT_NEAR(found.best.mass, mass, 0.1);
        EXPECT_NE(found.hint.find("on a wall or a ceiling? Then give --gravity"), std::string::npos)
            << gravity.transpose() << "; " << mass << " kg, " << friction << " N m";
      }
    }
  }
}

TEST(MountFit, FindsAnInclinedMountWithPayload) {
  const Vector3 gravity = 9.80665 * Vector3(0.6, -0.48, 0.64);
  const Found found = find(log_of(mounted(gravity, 1.0), 1.0));
  EXPECT_LT((found.best.gravity - gravity).norm(), 0.1) << found.best.gravity.transpose();
  EXPECT_NE(found.hint, "");
}

TEST(MountFit, PayloadFrictionAndFaultsOfEffortsAreNoMount) {
  const Vector3 floor(0, 0, -9.80665);
  EXPECT_EQ(find(log_of(mounted(floor, 0.0), 3.0)).hint, "");
  EXPECT_EQ(find(log_of(mounted(floor, 3.0), 3.0)).hint, "");
  RobotLog log = log_of(mounted(floor, 0.0));
  log.effort *= -1.0;
  EXPECT_EQ(find(log).hint, "") << "payloads of negative mass";
  log.effort *= -8.85;
  EXPECT_EQ(find(log).hint, "");
  log = log_of(mounted(floor, 0.0));
  log.effort.row(1) *= 1.5;
  log.effort.row(3) *= -1.0;
  EXPECT_EQ(find(log).hint, "");
}

}  // namespace
}  // namespace spatial_dynamics::test
