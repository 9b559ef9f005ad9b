#include "identification/log_columns.hpp"

#include <gtest/gtest.h>

#include "identification/two_joints.hpp"

namespace spatial_dynamics::test {
namespace {

std::string described(const std::string& header) {
  return LogColumns("log", header, kTwoJoints).description();
}

TEST(LogColumnsTest, ParsesUsualColumnNames) {
  for (const char* name : {"position:elbow", "elbow.position", "/joint_states/elbow/position",
                           "elbow_pos", "q/elbow", "pos_elbow"}) {
    const LogColumn column = parse_column_name(name, kTwoJoints);
    EXPECT_EQ(column.quantity, LogQuantity::kPosition) << name;
    EXPECT_EQ(column.coordinate, 1) << name;
  }
  EXPECT_EQ(parse_column_name("tau:shoulder", kTwoJoints).quantity, LogQuantity::kEffort);
  EXPECT_EQ(parse_column_name("__time", kTwoJoints).quantity, LogQuantity::kTime);
  for (const char* name : {"elbow", "position", "position:wrist", "left_elbow/position",
                           "xposition:elbow", "effort_limit:elbow", ""}) {
    EXPECT_EQ(parse_column_name(name, kTwoJoints).quantity, LogQuantity::kNone) << name;
  }
}

TEST(LogColumnsTest, DescribesWhereEachQuantityWasFound) {
  EXPECT_EQ(described("__time,/s/shoulder/position,/s/elbow/position,tau_elbow"),
            "time '__time', position '/s/JOINT/position', effort 'tau_JOINT' of 1 joint");
  EXPECT_EQ(described("t,q:shoulder,elbow.position,effort:shoulder,effort:elbow"),
            "time 't', position 'q:shoulder' to 'elbow.position', effort 'effort:JOINT'");
}

TEST(LogColumnsTest, TakesNumberedColumnsInTheOrderOfTheJoints) {
  const LogColumns ur(
      "log",
      "timestamp,actual_q_1,actual_q_0,actual_qd_0,actual_qd_1,target_q_0,target_q_1,tau[0],tau[1]",
      kTwoJoints);
  EXPECT_EQ(
      ur.description(),
      "time 'timestamp', position 'actual_q_0' to 'actual_q_1' (in the URDF's order of joints), "
      "velocity 'actual_qd_0' to 'actual_qd_1' (in the URDF's order of joints), "
      "effort 'tau[0]' to 'tau[1]' (in the URDF's order of joints)");
  EXPECT_EQ(ur.places(), (std::vector<Index>{0, 2, 1, 3, 4, kNoIndex, kNoIndex, 7, 8}));
  EXPECT_FALSE(ur.are_currents());
  for (const char* header :
       {"t,q1,q2,tau1,tau2", "t,/a/position.0,/a/position.1,/a/effort.0,/a/effort.1",
        "t,/a/position[1],/a/position[2],effort_0,effort_1"}) {
    EXPECT_NE(described(header).find("order of joints"), std::string::npos) << header;
  }
}

TEST(LogColumnsTest, DoesNotGuessFromTheWrongNumberOfColumns) {
  for (const char* header : {"t,q_0,q_1,q_2,tau_0,tau_1", "t,q_0,tau_0,tau_1",
                             "t,q_2,q_3,tau_0,tau_1", "t,q_0,q_2,tau_0,tau_1"}) {
    EXPECT_NE(message_of([&] { return described(header); }).find("no position of joint 'shoulder'"),
              std::string::npos)
        << header;
  }
}

TEST(LogColumnsTest, TakesCurrentsIfThereAreNoEfforts) {
  const LogColumns named("log", "t,q_0,q_1,current:elbow,current:shoulder", kTwoJoints);
  EXPECT_TRUE(named.are_currents());
  EXPECT_NE(named.description().find("current 'current:JOINT'"), std::string::npos)
      << named.description();
  const LogColumns numbered("log", "t,q_0,q_1,actual_current_0,actual_current_1", kTwoJoints);
  EXPECT_TRUE(numbered.are_currents());
  EXPECT_EQ(numbered.places()[8], 4);
  const LogColumns both("log", "t,q_0,q_1,current_0,current_1,tau_0,tau_1", kTwoJoints);
  EXPECT_FALSE(both.are_currents());
}

}  // namespace
}  // namespace spatial_dynamics::test
