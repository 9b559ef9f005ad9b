#include "cli/nodes/demo/demo_limits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cli/nodes/demo/live_view.hpp"
#include "support/constants.hpp"

namespace spatial_dynamics::cli {
namespace {

/// Two hinges with stops at -1 and 2, which are 0.1 before the limits, and a slide without limits.
class Limits : public ::testing::Test {
 protected:
  Limits() {
    subject.robot = "robot";
    subject.mode = "hand_guiding";
    for (const char* const name : {"elbow", "wrist"}) {
      DemoSubject::JointInfo joint{name, false, 10.0, false};
      joint.soft_lower = -1.0;
      joint.soft_upper = 2.0;
      joint.hard_lower = -1.1;
      joint.hard_upper = 2.0;
      joint.velocity_cap = 3.0;
      subject.joints.push_back(joint);
    }
    subject.joints.push_back({"rail", true, 10.0, false});
    reading.joints.resize(3);
    reading.begun = true;
    reading.seconds = 5.0;
  }
  [[nodiscard]] JointLimit elbow(double position, double velocity) {
    reading.joints[0].position = position;
    reading.joints[0].velocity = velocity;
    return limit_of(subject.joints[0], reading.joints[0]);
  }
  [[nodiscard]] std::string frame(int columns) const {
    return live_view(subject, reading, {}, {columns, 30}, {false, false});
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  DemoSubject subject;
  DemoReading reading;
};

TEST_F(Limits, JointIsAtAStopWithinFiveThousandthsAndAtItsCapWithinOnePercent) {
  EXPECT_EQ(elbow(1.99, 2.9), JointLimit::kNone);
  EXPECT_EQ(elbow(1.996, 0.0), JointLimit::kUpperStop);
  EXPECT_EQ(elbow(2.5, 0.0), JointLimit::kUpperStop) << "beyond it";
  EXPECT_EQ(elbow(-0.996, 3.0), JointLimit::kLowerStop);
  EXPECT_EQ(elbow(0.0, -2.98), JointLimit::kSpeedCap);
  EXPECT_EQ(limit_of(subject.joints[2], {}), JointLimit::kNone);
}

TEST_F(Limits, AreNamedWithTheirPlaceAndReason) {
  EXPECT_EQ(limits_text(subject, reading), "none");
  (void)elbow(-0.999, 0.0);
  EXPECT_EQ(limits_text(subject, reading),
            "elbow at its lower stop -1 rad, 0.1 rad before its limit");
  (void)elbow(-1.03, 0.0);
  EXPECT_EQ(limits_text(subject, reading),
            "elbow beyond its lower stop -1 rad, 0.07 rad before its limit");
  (void)elbow(-1.1, 0.0);
  EXPECT_EQ(limits_text(subject, reading), "elbow beyond its lower stop -1 rad, at its limit");
  (void)elbow(2.0, 0.0);
  reading.joints[1].velocity = -3.0;
  EXPECT_EQ(limits_text(subject, reading),
            "elbow at its upper stop 2 rad; wrist at its velocity cap 3 rad/s");
}

TEST_F(Limits, ViewShowsThemAndExternalTorquesWhereThereIsSpace) {
  (void)elbow(2.0, 0.0);
  EXPECT_TRUE(has(frame(120), "elbow at its upper stop 2 rad")) << frame(120);
  EXPECT_FALSE(has(frame(120), "external")) << "the node publishes none";
  reading.external_known = true;
  reading.joints[0].external = 3.25;
  reading.joints[1].external = -4.0;
  EXPECT_TRUE(has(frame(120), "  external")) << frame(120);
  EXPECT_TRUE(has(frame(120), "+3.25")) << frame(120);
  EXPECT_TRUE(has(frame(120), "external torque  -4.00 N m (wrist)")) << frame(120);
  EXPECT_TRUE(has(frame(80), "+3.25")) << frame(80);
  EXPECT_FALSE(has(frame(40), "+3.25")) << frame(40);
  EXPECT_TRUE(has(plain_line(subject, reading), "external -4.00 N m (wrist)"));
  EXPECT_TRUE(has(plain_line(subject, reading), "at limits elbow at its upper stop"));
}

TEST_F(Limits, LargestExternalTorqueIsRelativeToTheThresholds) {
  reading.external_known = true;
  subject.joints[0].contact_threshold = 4.0;
  subject.joints[1].contact_threshold = 40.0;
  reading.joints[0].external = -3.0;
  reading.joints[1].external = 10.0;
  EXPECT_EQ(external_text(subject, reading), "-3.00 N m (elbow, 75 % of its contact threshold)");
}

TEST_F(Limits, SummaryHasTheTimesAtStopsAndTheLargestExternalTorque) {
  EXPECT_TRUE(has(summary(subject, reading), "  at stops         none\n"));
  EXPECT_FALSE(has(summary(subject, reading), "external torque"));
  reading.joints[0].seconds_at_stop = 1.26;
  reading.joints[1].seconds_at_stop = 0.01;
  reading.external_known = true;
  reading.joints[2].external_max = -7.0;
  const std::string text = summary(subject, reading);
  EXPECT_TRUE(has(text, "  at stops         elbow for 1.3 s\n")) << text;
  EXPECT_TRUE(has(text, "  external torque  up to -7.00 N (rail)\n")) << text;
  for (auto& joint : subject.joints) {
    joint.soft_lower = -test::kInfinity;
    joint.soft_upper = joint.velocity_cap = test::kInfinity;
  }
  EXPECT_FALSE(has(summary(subject, reading), "at stops")) << "the envelope is off";
  EXPECT_FALSE(has(frame(120), "at limits"));
}

}  // namespace
}  // namespace spatial_dynamics::cli
