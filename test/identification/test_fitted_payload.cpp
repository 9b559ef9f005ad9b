// The payload in a fit of a simulated arm's log, and its sum with known payloads.
#include "spatial_dynamics/identification/fitted_payload.hpp"

#include <gtest/gtest.h>

#include "identification/recorded_log.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(FittedPayloadTest, FindsAPayloadFromACleanLog) {
  const Vector3 com(0.02, -0.03, 0.08);
  const RobotLog log = record(arm7_with(1.7, com), arm7());
  const LogFit fit = fit_log(arm7(), make_samples(log, 0.0), payload_on_flange());
  const FittedPayload payload = fitted_payload(fit, false);
  EXPECT_TRUE(payload.determined);
  EXPECT_TRUE(payload.significant);
  // The filter has an error of about 1e-3 for the fastest motions.
  EXPECT_NEAR(payload.mass, 1.7, 0.01);
  EXPECT_LT((payload.com - com).norm(), 2e-3) << payload.com.transpose();
  EXPECT_GT(fit.explained, 0.99);
}

TEST(FittedPayloadTest, FindsAPayloadOnTopOfAKnownOne) {
  const Model known = arm7_with(1.0, Vector3(0, 0, 0.05));
  const RobotLog log = record(arm7_with(2.5, Vector3(0, 0, 0.05)), known);
  const FittedPayload payload =
      fitted_payload(fit_log(known, make_samples(log, 0.0), payload_on_flange()), false);
  EXPECT_NEAR(payload.mass, 1.5, 0.01);
  EXPECT_LT((payload.com - Vector3(0, 0, 0.05)).norm(), 2e-3);
}

TEST(FittedPayloadTest, FindsNoPayloadOnAnUnloadedRobot) {
  const RobotLog log = record(arm7(), arm7(), noisy_sensors(3));
  const FittedPayload payload =
      fitted_payload(fit_log(arm7(), make_samples(log, 0.0), payload_on_flange()), false);
  EXPECT_LT(std::abs(payload.mass), 0.02);
}

TEST(FittedPayloadTest, SmallMassesAreNegligibleUnlessFarAway) {
  FittedPayload payload;
  payload.com = Vector3(0.0, 0.0, 0.1);
  for (const auto& [share, negligible] :
       {std::make_pair(1e-5, true), std::make_pair(-9e-5, true), std::make_pair(2e-4, false)}) {
    payload.mass = share * arm7().total_mass();
    EXPECT_EQ(is_negligible(payload, arm7()), negligible) << share;
  }
  payload.mass = 1e-5 * arm7().total_mass();
  payload.com.z() = 20.0;  // a first moment caused by a small error of the model
  EXPECT_FALSE(is_negligible(payload, arm7()));
}

TEST(FittedPayloadTest, PayloadOnAFixedLinkHasNoEffect) {
  const Model model = pendulum();
  LogFitOptions options;
  options.link = model.find_link("base");
  const LogFit fit = fit_log(model, make_samples(swing(model), 0.0), options);
  EXPECT_TRUE(fitted_payload(fit, false).without_effect);
}

Payload point_payload(const std::string& link, double mass) {
  Payload payload;
  payload.link = link;
  payload.mass_properties.mass = mass;
  return payload;
}

TEST(FittedPayloadTest, IsAddedToThePayloadsOfItsLink) {
  FittedPayload fitted;
  fitted.mass = 1.0;
  fitted.com = Vector3(0.3, 0.0, 1e-9);
  const PayloadSum sum =
      add_payload({point_payload("hand", 2.0), point_payload("elbow", 4.0)}, "hand", fitted);
  ASSERT_EQ(sum.payloads.size(), 2U);
  EXPECT_EQ(sum.payloads[sum.fitted].link, "hand");
  const Inertia& total = sum.payloads[sum.fitted].inertia;
  EXPECT_DOUBLE_EQ(total.mass, 3.0);
  EXPECT_NEAR(total.com().x(), 0.1, 1e-15);
  EXPECT_EQ(total.com().z(), 0.0) << "rounded to 1 um";
  EXPECT_FALSE(sum.without_rotation);
}

TEST(FittedPayloadTest, InconsistentRotationalInertiaIsLeftOut) {
  FittedPayload fitted;
  fitted.mass = 1.0;
  fitted.inertia_about_com = Vector3(-1.0, 0.1, 0.1).asDiagonal();
  const PayloadSum sum = add_payload({}, "hand", fitted);
  EXPECT_TRUE(sum.without_rotation);
  EXPECT_TRUE(sum.payloads[0].inertia.inertia_about_com().isZero(1e-15));
}

}  // namespace
}  // namespace spatial_dynamics::test
