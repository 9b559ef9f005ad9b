#include "spatial_dynamics/identification/log.hpp"

#include <gtest/gtest.h>

#include "cli/robot_file.hpp"

namespace spatial_dynamics::test {
namespace {

const std::vector<ScalarCoordinate> kTwo{{"shoulder", 1, 0, 0, false}, {"elbow", 2, 1, 1, false}};

std::string rejection(const std::string& text) {
  const TemporaryFile file(text);
  try {
    (void)read_log(file.path(), kTwo);
  } catch (const LogError& error) {
    return error.what();
  }
  return {};
}

TEST(RobotLogTest, ParsesUsualColumnNames) {
  for (const char* name : {"position:elbow", "elbow.position", "/joint_states/elbow/position",
                           "elbow_pos", "q/elbow", "pos_elbow"}) {
    const LogColumn column = parse_column_name(name, kTwo);
    EXPECT_EQ(column.quantity, LogQuantity::kPosition) << name;
    EXPECT_EQ(column.coordinate, 1) << name;
  }
  EXPECT_EQ(parse_column_name("tau:shoulder", kTwo).quantity, LogQuantity::kEffort);
  EXPECT_EQ(parse_column_name("__time", kTwo).quantity, LogQuantity::kTime);
  for (const char* name : {"elbow", "position", "position:wrist", "left_elbow/position",
                           "xposition:elbow", "effort_limit:elbow", ""}) {
    EXPECT_EQ(parse_column_name(name, kTwo).quantity, LogQuantity::kNone) << name;
  }
}

TEST(RobotLogTest, ReadsColumnsInAnyOrderAndSkipsIncompleteRows) {
  const TemporaryFile file(
      "\xEF\xBB\xBF\"effort:elbow\",other, position:elbow,time,position:shoulder\r\n"
      "1,x,2,0.0,3\r\n"
      "1,x,,0.1,3\n"
      "4,x,5,0.2,6\n"
      "4,x,5,0.2,6\n"
      "\n"
      "7,x,nan,0.3,9\n");
  const RobotLog log = read_log(file.path(), kTwo);
  EXPECT_EQ(log.time, (std::vector<double>{0.0, 0.2}));
  EXPECT_EQ(log.exclusions.incomplete + log.exclusions.repeated, 3U);
  EXPECT_EQ(log.q, (MatrixXd(2, 2) << 3, 6, 2, 5).finished());
  EXPECT_EQ(log.effort.row(1), (MatrixXd(1, 2) << 1, 4).finished());
  EXPECT_EQ(log.has_effort, (std::vector<bool>{false, true}));
  EXPECT_EQ(log.v.size(), 0);
}

TEST(RobotLogTest, ErrorsNameTheLineOrTheMissingColumn) {
  const std::string header = "time,position:shoulder,position:elbow,effort:elbow\n";
  EXPECT_NE(rejection("position:shoulder,position:elbow\n").find("'time'"), std::string::npos);
  EXPECT_NE(rejection("").find("is empty"), std::string::npos) << rejection("");
  EXPECT_NE(rejection("time,position:elbow,effort:elbow\n").find("'position:shoulder'"),
            std::string::npos);
  EXPECT_NE(rejection("time,position:shoulder,position:elbow,velocity:elbow,effort:elbow\n")
                .find("'velocity:shoulder'"),
            std::string::npos);
  EXPECT_NE(rejection("time,position:shoulder,position:elbow\n").find("effort column"),
            std::string::npos);
  EXPECT_NE(rejection("time,position:shoulder,position:elbow,tau:elbow,effort:elbow\n").find("two"),
            std::string::npos);
  EXPECT_NE(rejection(header + "0,1,2\n").find("line 2 has 3 fields instead of 4"),
            std::string::npos);
  EXPECT_NE(rejection(header + "0,1,2,3\n1,1,1;5,3\n").find("line 3: '1;5'"), std::string::npos);
  EXPECT_NE(
      rejection(header + "1,1,2,3\n0.5,1,2,3\n").find("line 3: the time 0.5 s comes after 1 s"),
      std::string::npos);
  try {
    (void)read_log("/no/such/log.csv", kTwo);
    FAIL();
  } catch (const LogError& error) {
    EXPECT_EQ(std::string(error.what()),
              "/no/such/log.csv can't be read: No such file or directory.");
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
