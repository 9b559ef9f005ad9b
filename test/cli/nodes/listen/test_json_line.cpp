// Messages of every type as JSON.
#include "cli/nodes/listen/json_line.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dds/message.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(JsonLine, HasTheNumbersOfTheMessageByJointName) {
  dds::Message<dds::JointState> message;
  message->header.stamp = dds::from_nanoseconds(1'760'000'000'000'000'001);
  dds::assign(message->name, std::vector<std::string>{"a \"b\"", "elbow"});
  dds::assign(message->effort, std::vector<double>{0.25, NAN});
  EXPECT_EQ(cli::json_line(*message),
            R"({"stamp":1760000000.000000001,"effort":{"a \"b\"":0.25,"elbow":null}})");
}

TEST(JsonLine, IgnoresNumbersWithoutAName) {
  dds::Message<dds::JointState> message;
  dds::assign(message->name, std::vector<std::string>{"elbow"});
  dds::assign(message->position, std::vector<double>{1.5, 2.5});
  EXPECT_EQ(cli::json_line(*message), R"({"stamp":0.000000000,"position":{"elbow":1.5}})");
}

TEST(JsonLine, TrajectoryHasPointsByJointName) {
  dds::Message<dds::JointTrajectory> message;
  dds::assign(message->joint_names, std::vector<std::string>{"elbow"});
  dds::resize(message->points, 2);
  dds::JointTrajectoryPoint& last = dds::elements(message->points)[1];
  dds::assign(last.positions, std::vector<double>{0.5});
  last.time_from_start = dds::from_nanoseconds<dds::Duration>(1'250'000'000);
  EXPECT_EQ(cli::json_line(*message),
            R"({"stamp":0.000000000,"points":[{"time_from_start":0.000000000},)"
            R"({"time_from_start":1.250000000,"position":{"elbow":0.5}}]})");
  last.time_from_start = dds::from_nanoseconds<dds::Duration>(-250'000'000);
  EXPECT_NE(cli::json_line(*message).find("-0.250000000"), std::string::npos);
}

TEST(JsonLine, ArrayHasItsDimensions) {
  dds::Message<dds::Float64MultiArray> message;
  dds::resize(message->layout.dim, 1);
  dds::assign(dds::elements(message->layout.dim)[0].label, "a,b");
  dds::elements(message->layout.dim)[0].size = 2;
  dds::assign(message->data, std::vector<double>{1.5, INFINITY});
  EXPECT_EQ(cli::json_line(*message),
            R"({"dimensions":[{"label":"a,b","size":2}],"data":[1.5,null]})");
}

TEST(JsonLine, VectorsHaveTheirFrame) {
  dds::Message<dds::WrenchStamped> wrench;
  dds::assign(wrench->header.frame_id, "tool0");
  wrench->wrench.force = {1, 2, 3};
  wrench->wrench.torque = {4, 5, 6};
  EXPECT_EQ(cli::json_line(*wrench),
            R"({"stamp":0.000000000,"frame":"tool0","force":[1,2,3],"torque":[4,5,6]})");
  dds::Message<dds::AccelStamped> accel;
  accel->accel.linear = {1, 2, 3};
  accel->accel.angular = {4, 5, 6};
  EXPECT_EQ(cli::json_line(*accel),
            R"({"stamp":0.000000000,"frame":"","linear":[1,2,3],"angular":[4,5,6]})");
  dds::Message<dds::Vector3Stamped> gravity;
  gravity->vector = {0, 0, -9.5};
  EXPECT_EQ(cli::json_line(*gravity), R"({"stamp":0.000000000,"frame":"","vector":[0,0,-9.5]})");
}

TEST(JsonLine, PayloadHasMassCenterAndInertia) {
  dds::Message<dds::InertiaStamped> message;
  dds::assign(message->header.frame_id, "tool0");
  message->inertia.m = 1.5;
  message->inertia.com = {0, 0, 0.25};
  message->inertia.ixx = 1;
  message->inertia.iyy = 2;
  message->inertia.izz = 3;
  message->inertia.ixy = 4;
  message->inertia.ixz = 5;
  message->inertia.iyz = 6;
  EXPECT_EQ(cli::json_line(*message),
            R"({"stamp":0.000000000,"frame":"tool0","mass":1.5,"center":[0,0,0.25],)"
            R"("inertia":{"ixx":1,"iyy":2,"izz":3,"ixy":4,"ixz":5,"iyz":6}})");
}

TEST(JsonLine, OdometryHasPoseAndTwist) {
  dds::Message<dds::Odometry> message;
  dds::assign(message->header.frame_id, "odom");
  dds::assign(message->child_frame_id, "base");
  message->pose.pose.position = {1, 2, 3};
  message->pose.pose.orientation = {0, 0, 0, 1};
  message->twist.twist.linear = {4, 5, 6};
  message->twist.twist.angular = {7, 8, 9};
  EXPECT_EQ(cli::json_line(*message),
            R"({"stamp":0.000000000,"frame":"odom","child_frame":"base","position":[1,2,3],)"
            R"("orientation":[0,0,0,1],"linear":[4,5,6],"angular":[7,8,9]})");
}

TEST(JsonLine, DiagnosticsHaveLevelsAndValuesByKey) {
  dds::Message<dds::DiagnosticArray> message;
  dds::resize(message->status, 1);
  dds::DiagnosticStatus& status = dds::elements(message->status)[0];
  status.level = 1;
  dds::assign(status.name, "/dynamics");
  dds::assign(status.message, "waiting");
  dds::resize(status.values, 1);
  dds::assign(dds::elements(status.values)[0].key, "phase");
  dds::assign(dds::elements(status.values)[0].value, "waiting");
  EXPECT_EQ(cli::json_line(*message),
            R"({"stamp":0.000000000,"status":[{"level":"WARN","name":"/dynamics",)"
            R"("message":"waiting","values":{"phase":"waiting"}}]})");
  status.level = 9;
  EXPECT_NE(cli::json_line(*message).find("UNKNOWN"), std::string::npos);
}

TEST(JsonLine, StatisticsHaveNamesOfTheirNumbers) {
  dds::Message<dds::MetricsMessage> message;
  dds::assign(message->measurement_source_name, "/dynamics");
  dds::assign(message->metrics_source, "state_age");
  dds::assign(message->unit, "ms");
  message->window_stop = dds::from_nanoseconds(1'000'000'000);
  dds::resize(message->statistics, 2);
  dds::elements(message->statistics)[0] = {1, 0.5};
  dds::elements(message->statistics)[1] = {200, 2.0};
  EXPECT_EQ(cli::json_line(*message),
            R"({"start":0.000000000,"stop":1.000000000,"source":"/dynamics","metric":"state_age",)"
            R"("unit":"ms","average":0.5,"type 200":2})");
}

TEST(JsonLine, SmallMessages) {
  dds::Message<dds::Bool> active;
  active->data = true;
  EXPECT_EQ(cli::json_line(*active), R"({"data":true})");
  dds::Message<dds::String> text;
  dds::assign(text->data, "<robot name=\"a\"/>");
  EXPECT_EQ(cli::json_line(*text), R"({"data":"<robot name=\"a\"/>"})");
  dds::Message<dds::Clock> clock;
  clock->clock = dds::from_nanoseconds(1'500'000'000);
  EXPECT_EQ(cli::json_line(*clock), R"({"clock":1.500000000})");
}

}  // namespace
}  // namespace spatial_dynamics::test
