// The live view: a frame fits its screen for every robot, shows faults, and draws torques
// in proportion.
#include "cli/nodes/demo/live_view.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <regex>
#include <sstream>

#include "cli/nodes/demo/text_cells.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr ViewStyle kAscii{false, false};

DemoSubject robot_of(std::size_t joints) {
  DemoSubject subject;
  subject.robot = "robot";
  subject.mode = "computed_torque";
  subject.rate_hz = 1000.0;
  subject.follows = true;
  for (std::size_t k = 0; k < joints; ++k) {
    subject.joints.push_back({"joint_" + std::to_string(k), false, 10.0, false});
  }
  return subject;
}

DemoReading reading_of(const DemoSubject& subject) {
  DemoReading reading;
  reading.begun = true;
  reading.seconds = 1.0;
  reading.joints.resize(subject.joints.size());
  reading.errors_measured = 1;
  reading.compute = {0.012, 0.034, 1.5, true};
  return reading;
}

/// A frame as rows of text, without escapes.
std::vector<std::string> rows(const std::string& frame) {
  std::istringstream text(std::regex_replace(frame, std::regex("\x1b\\[[?0-9;]*[A-Za-z]"), ""));
  std::vector<std::string> result;
  for (std::string row; std::getline(text, row);) {
    result.push_back(std::regex_replace(row, std::regex("\r"), ""));
  }
  return result;
}

std::string row_with(const std::vector<std::string>& rows, const std::string& part) {
  for (const std::string& row : rows) {
    if (row.find(part) != std::string::npos) return row;
  }
  return {};
}

TEST(LiveView, FitsEveryScreen) {
  const std::vector<std::string> log{std::string(300, 'x'), "[WARN] \x1b[2J evil"};
  for (const std::size_t joints : {1U, 7U, 60U}) {
    const DemoSubject subject = robot_of(joints);
    const DemoReading reading = reading_of(subject);
    for (const int columns : {20, 40, 79, 80, 100, 133, 300}) {
      for (const int height : {6, 12, 24, 60}) {
        for (const ViewStyle style : {kAscii, ViewStyle{true, true}}) {
          const std::string frame = live_view(subject, reading, log, {columns, height}, style);
          EXPECT_EQ(frame.find("\x1b[2J"), std::string::npos) << "it would flicker";
          const std::vector<std::string> lines = rows(frame);
          EXPECT_LE(static_cast<int>(lines.size()), height);
          for (const std::string& line : lines) {
            EXPECT_LE(static_cast<int>(cells(line)), columns) << line;
          }
        }
      }
    }
  }
}

TEST(LiveView, ShowsJointsInPagesIfNotAllFit) {
  const DemoSubject subject = robot_of(40);
  DemoReading reading = reading_of(subject);
  std::string all;
  for (reading.seconds = 0.0; reading.seconds < 40.0; reading.seconds += 1.0) {
    all += live_view(subject, reading, {}, {100, 24}, kAscii);
  }
  for (const auto& joint : subject.joints) {
    EXPECT_NE(all.find(joint.name + " "), std::string::npos) << joint.name;
  }
}

TEST(LiveView, DrawsATorqueInProportionToItsLimit) {
  const DemoSubject subject = robot_of(4);
  DemoReading reading = reading_of(subject);
  reading.joints[0].torque = 5.0;
  reading.joints[1].torque = -10.0;
  reading.joints[2].torque = 1000.0;
  const std::vector<std::string> lines = rows(live_view(subject, reading, {}, {120, 40}, kAscii));
  const auto count = [&](const char* joint, char c, bool right) {
    const std::string row = row_with(lines, joint);
    const std::size_t zero = row.find('|');
    const std::string side = right ? row.substr(zero) : row.substr(0, zero);
    return std::count(side.begin(), side.end(), c);
  };
  const auto whole = count("joint_2", '#', true);
  EXPECT_GT(whole, 5);
  EXPECT_EQ(count("joint_1", '#', false), whole);
  EXPECT_EQ(count("joint_1", '#', true), 0);
  EXPECT_NEAR(static_cast<double>(count("joint_0", '#', true)), static_cast<double>(whole) / 2.0,
              0.6);
  EXPECT_EQ(count("joint_3", '#', true) + count("joint_3", '#', false), 0);
}

TEST(LiveView, ShowsFaultsInWords) {
  const DemoSubject subject = robot_of(2);
  DemoReading reading = reading_of(subject);
  reading.faults = "joint states are stale";
  reading.message = "fallback 'zero' is active";
  reading.overruns = 17;
  reading.torques_replaced = 23;
  const std::vector<std::string> lines = rows(live_view(subject, reading, {}, {100, 24}, kAscii));
  EXPECT_NE(row_with(lines, "faults").find("joint states are stale"), std::string::npos);
  EXPECT_NE(row_with(lines, "node ").find("fallback 'zero' is active"), std::string::npos);
  EXPECT_NE(row_with(lines, "overruns 17   replaced 23"), "");
  EXPECT_NE(plain_line(subject, reading).find("overruns 17  replaced 23"), std::string::npos);
  EXPECT_NE(summary(subject, reading).find("torques replaced 23\n"), std::string::npos);
  EXPECT_NE(row_with(lines, "compute time").find("p50 12 us"), std::string::npos);
}

TEST(LiveView, NamesTheUnitsOfSlidingJointsToo) {
  DemoSubject subject = robot_of(2);
  subject.joints[1].is_length = true;
  subject.joints[1].effort_limit = std::numeric_limits<double>::infinity();
  DemoReading reading = reading_of(subject);
  reading.joints[0].error = 0.0012;
  reading.joints[1].error = 0.034;
  const std::vector<std::string> lines = rows(live_view(subject, reading, {}, {120, 24}, kAscii));
  EXPECT_NE(row_with(lines, "joint_0").find("1.200 mrad"), std::string::npos);
  EXPECT_NE(row_with(lines, "joint_1").find("34.00 mm"), std::string::npos);
  EXPECT_NE(row_with(lines, "joint_1").find("none"), std::string::npos);
}

TEST(Summary, NamesTheWorstJointAndEveryFault) {
  const DemoSubject subject = robot_of(3);
  DemoReading reading = reading_of(subject);
  EXPECT_NE(summary(subject, reading).find("faults           none\n"), std::string::npos);
  reading.joints[1].error_rms = 2e-4;
  reading.joints[2].error_max = 9e-4;
  reading.joints[0].torque_max = 5.0;
  reading.faults_seen = {{"the reference is stale", 2}, {"joint states are stale", 1}};
  const std::string text = summary(subject, reading);
  EXPECT_NE(text.find("rms 0.200 mrad (joint_1), max 0.900 mrad (joint_2)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("50 % of its limit (joint_0)"), std::string::npos) << text;
  EXPECT_NE(text.find("joint states are stale (in 1 s); the reference is stale (in 2 s)"),
            std::string::npos)
      << text;
}

TEST(Summary, ShowsJointsThatAreNotMoved) {
  DemoSubject subject = robot_of(3);
  subject.joints[1].still = true;
  DemoReading reading = reading_of(subject);
  reading.joints[0].error_rms = reading.joints[0].error_max = 2e-4;
  const std::string text = summary(subject, reading);
  EXPECT_NE(text.find("rms 0.200 mrad (joint_0)"), std::string::npos) << text;
  EXPECT_NE(text.find("  joint_1   not moved    not moved"), std::string::npos) << text;
  EXPECT_NE(text.find("  not moved        joint_1: velocity limit 0 in the URDF; set velocity of "
                      "<limit>\n"),
            std::string::npos)
      << text;
  const std::string faults = "none in the node; 1 of 3 joints not moved\n";
  EXPECT_NE(text.find("faults           " + faults), std::string::npos) << text;
  EXPECT_NE(plain_line(subject, reading).find("faults " + faults), std::string::npos);
  reading.faults = "joint states are stale";
  EXPECT_NE(plain_line(subject, reading).find("are stale; 1 of 3 joints not moved\n"),
            std::string::npos);
}

TEST(Summary, HasNoTrackingErrorIfNoJointIsMoved) {
  DemoSubject subject = robot_of(2);
  for (auto& joint : subject.joints) joint.still = true;
  const DemoReading reading = reading_of(subject);
  const std::string text = summary(subject, reading);
  EXPECT_NE(text.find("tracking error   not measured: no joint was moved\n"), std::string::npos)
      << text;
  EXPECT_NE(plain_line(subject, reading).find("tracking error rms -  "), std::string::npos);
  const std::vector<std::string> lines = rows(live_view(subject, reading, {}, {100, 24}, kAscii));
  EXPECT_NE(row_with(lines, "tracking error").find("no joint is moved"), std::string::npos);
  EXPECT_NE(row_with(lines, "faults").find("2 of 2 joints not moved"), std::string::npos);
}

TEST(Summary, DistinguishesSentFromSeenTorques) {
  const DemoSubject subject = robot_of(1);
  DemoReading reading = reading_of(subject);
  reading.joints[0].error_rms = 1.0;
  reading.seen = {890.0, 875.0, true};
  const auto expect = [](const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  expect(summary(subject, reading), "torques          875.0 Hz of 1000 Hz seen here\n");
  expect(plain_line(subject, reading), " 890.0 Hz");
  reading.sent = {1000.0, 999.9, true};
  expect(summary(subject, reading),
         "torques          999.9 Hz of 1000 Hz sent, 875.0 Hz seen here\n");
  expect(plain_line(subject, reading), " 1000.0 Hz");
  expect(live_view(subject, reading, {}, {100, 24}, kAscii), "1000.0 Hz");
  reading.sent = {960.0, 970.0, true};
  expect(summary(subject, reading), "torques          970.0 Hz of 1000 Hz sent");
  // Torques that only the view missed do not explain an error of the robot.
  EXPECT_EQ(summary(subject, reading).find("each second"), std::string::npos);
}

TEST(Summary, OmitsSharesOfLimitsWithoutEffortLimits) {
  DemoSubject subject = robot_of(2);
  for (auto& joint : subject.joints) joint.effort_limit = std::numeric_limits<double>::infinity();
  DemoReading reading = reading_of(subject);
  reading.joints[1].torque_max = 12.5;
  const std::string text = summary(subject, reading);
  EXPECT_NE(text.find("largest torque   12.50 N m (joint_1, which has no limit)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find('%'), std::string::npos) << text;
  EXPECT_EQ(plain_line(subject, reading).find('%'), std::string::npos);
}

TEST(Summary, NamesTheLikelyCauseOfALargeError) {
  DemoSubject subject = robot_of(2);
  DemoReading reading = reading_of(subject);
  reading.seen.mean_hz = 1000.0;
  reading.joints[0].error_rms = 0.019;
  EXPECT_EQ(summary(subject, reading).find("remark"), std::string::npos);
  reading.joints[0].error_rms = 0.127;
  const auto expect = [&](const std::string& words) {
    const std::string text = summary(subject, reading);
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  expect("remark           joint_0 does not follow well: ");
  expect("gains.kp");
  reading.joints[1].torque_max = 10.0;
  expect("well: torques reach the effort limits of joint_1\n");
  reading.joints[0].torque_max = 10.0;
  expect("torques reach the effort limits of joint_0, joint_1\n");
  reading.seen.mean_hz = 400.0;
  expect("only 400 of 1000 torques came each second");
  reading.sent = {300.0, 300.0, true};
  expect("only 300 of 1000 torques were sent each second");
  reading.state_age = {1.0, 12.0, 15.0, true};
  expect("states are up to 12 ms old (p99)");
  reading.joints[1].error_rms = 0.2;
  expect("joint_1 and 1 more do not follow well: ");
  subject.follows = false;  // an arm that drifts follows nothing
  EXPECT_EQ(summary(subject, reading).find("remark"), std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::cli
