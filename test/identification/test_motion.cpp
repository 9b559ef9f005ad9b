#include "spatial_dynamics/identification/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cli/robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

/// q = sin(w t + phase) of two joints.
JointMotion sines() {
  JointMotion motion;
  motion.joints = {"shoulder", "elbow/x"};
  constexpr Index kPoints = 51;
  motion.position.resize(2, kPoints);
  motion.velocity.resize(2, kPoints);
  motion.acceleration.resize(2, kPoints);
  for (Index i = 0; i < kPoints; ++i) {
    const double t = 0.02 * static_cast<double>(i);
    motion.time.push_back(t);
    for (Index k = 0; k < 2; ++k) {
      const double w = 3.0 + static_cast<double>(k), phase = 0.1 * static_cast<double>(k);
      motion.position(k, i) = std::sin(w * t + phase);
      motion.velocity(k, i) = w * std::cos(w * t + phase);
      motion.acceleration(k, i) = -w * w * std::sin(w * t + phase);
    }
  }
  return motion;
}

std::string motion_rejection(const std::string& text) {
  const TemporaryFile file(text);
  try {
    (void)read_motion(file.path());
  } catch (const LogError& error) {
    return error.what();
  }
  return {};
}

TEST(MotionTest, ReadsWhatItWrites) {
  const TemporaryFile file("");
  const JointMotion written = sines();
  write_motion(file.path(), written);
  EXPECT_EQ(text_of(file.path()).substr(0, 63),
            "time,position:shoulder,velocity:shoulder,acceleration:shoulder,");
  const JointMotion read = read_motion(file.path());
  EXPECT_EQ(read.joints, written.joints);
  EXPECT_EQ(read.time, written.time);
  EXPECT_EQ(read.position, written.position);
  EXPECT_EQ(read.velocity, written.velocity);
  EXPECT_EQ(read.acceleration, written.acceleration);
}

TEST(MotionTest, ReadsColumnsInAnyOrderAndBeginsAtZero) {
  const TemporaryFile file(
      "acceleration:j,position:j,other,time,velocity:j\r\n3,1,x,10,2\r\n6,4,x,12.5,5\r\n");
  const JointMotion motion = read_motion(file.path());
  EXPECT_EQ(motion.time, (std::vector<double>{0.0, 2.5}));
  EXPECT_EQ(motion.position, (MatrixXd(1, 2) << 1, 4).finished());
  EXPECT_EQ(motion.velocity, (MatrixXd(1, 2) << 2, 5).finished());
  EXPECT_EQ(motion.acceleration, (MatrixXd(1, 2) << 3, 6).finished());
}

TEST(MotionTest, InterpolatesWithTheErrorOfAQuintic) {
  const JointMotion motion = sines();
  VectorXd q, v, a;
  for (const double t : {0.0, 0.013, 0.5, 0.731, 0.9999}) {
    sample(motion, t, q, v, a);
    for (Index k = 0; k < 2; ++k) {
      const double w = 3.0 + static_cast<double>(k), phase = 0.1 * static_cast<double>(k);
      // h^6 w^6 / 46080 for the position; each derivative multiplies it by at most 20 / h
      EXPECT_NEAR(q[k], std::sin(w * t + phase), 1e-11);
      EXPECT_NEAR(v[k], w * std::cos(w * t + phase), 1e-8);
      EXPECT_NEAR(a[k], -w * w * std::sin(w * t + phase), 1e-5);
    }
  }
}

TEST(MotionTest, RestsOutsideItsTime) {
  const JointMotion motion = sines();
  VectorXd q, v, a;
  sample(motion, 7.0, q, v, a);
  EXPECT_EQ(q, motion.position.col(motion.size() - 1));
  EXPECT_TRUE(v.isZero(0.0) && a.isZero(0.0));
  sample(motion, -1.0, q, v, a);
  EXPECT_EQ(q, motion.position.col(0));
  EXPECT_TRUE(v.isZero(0.0) && a.isZero(0.0));
}

TEST(MotionTest, OrdersRowsByTheRobotsJoints) {
  const std::vector<ScalarCoordinate> robot{{"elbow/x", 2, 0, 0, false},
                                            {"shoulder", 1, 1, 1, false}};
  const JointMotion motion = sines(), ordered = in_order(motion, robot);
  EXPECT_EQ(ordered.joints, (std::vector<std::string>{"elbow/x", "shoulder"}));
  EXPECT_EQ(ordered.position.row(0), motion.position.row(1));
  EXPECT_EQ(ordered.velocity.row(1), motion.velocity.row(0));
  EXPECT_EQ(ordered.acceleration.row(0), motion.acceleration.row(1));
  const auto message = [&](const std::vector<ScalarCoordinate>& coordinates) {
    try {
      (void)in_order(motion, coordinates);
    } catch (const LogError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({robot[0]}),
            "the motion moves joint 'shoulder', which the robot does not have.");
  EXPECT_EQ(message({robot[0], robot[1], {"wrist", 3, 2, 2, false}}),
            "the motion has no joint 'wrist'; add it, or fix the joint with --lock.");
}

TEST(MotionTest, ErrorsNameTheLineOrTheColumn) {
  const std::string header = "time,position:j,velocity:j,acceleration:j\n";
  EXPECT_NE(motion_rejection("").find("is empty"), std::string::npos);
  EXPECT_NE(motion_rejection("time\n0\n").find("is not a motion"), std::string::npos);
  EXPECT_NE(motion_rejection("time,position:j,velocity:j\n").find("no column 'acceleration:j'"),
            std::string::npos);
  EXPECT_NE(motion_rejection("time,time,position:j\n").find("two columns 'time'"),
            std::string::npos);
  EXPECT_NE(motion_rejection(header + "0,1,2,3\n").find("fewer than two points"),
            std::string::npos);
  EXPECT_NE(motion_rejection(header + "0,1,2\n").find("line 2 has 3 fields instead of 4"),
            std::string::npos);
  EXPECT_NE(motion_rejection(header + "0,1,2,x\n").find("line 2: 'x' is not a number"),
            std::string::npos);
  EXPECT_NE(
      motion_rejection(header + "0,1,2,3\n0,1,2,3\n").find("line 3: the time 0 s does not come"),
      std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test
