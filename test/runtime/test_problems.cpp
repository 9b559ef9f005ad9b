#include "runtime/problems.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

using Level = Diagnostics::Level;

/// The number of characters of a text that `ros2 topic echo` shows.
constexpr std::size_t kShownByEcho = 128;

TEST(Problems, ErrorsComeFirstAndCausesBeforeConsequences) {
  Problems problems;
  problems.add(Level::kWarning, "nobody publishes /joint_states");
  problems.add(Level::kWarning, "waiting");
  problems.add(Level::kError, "rejected");
  problems.add(Level::kError, "stopped");
  Diagnostics d;
  d.values = {{"phase", "waiting"}};
  problems.write_to(d, "running");
  EXPECT_EQ(d.level, Level::kError);
  EXPECT_EQ(d.message, "rejected; stopped; nobody publishes /joint_states; waiting");
  EXPECT_EQ(d.values, (Diagnostics::Values{{"problem 1", "rejected"},
                                           {"problem 2", "stopped"},
                                           {"problem 3", "nobody publishes /joint_states"},
                                           {"problem 4", "waiting"},
                                           {"phase", "waiting"}}));
}

TEST(Problems, WithoutProblemsTheMessageIsThePhase) {
  Diagnostics d;
  Problems().write_to(d, "running");
  EXPECT_EQ(d.level, Level::kOk);
  EXPECT_EQ(d.message, "running");
  EXPECT_TRUE(d.values.empty());
}

TEST(Problems, SentencesAndClausesJoinWithoutFullStops) {
  Problems problems;
  problems.add(Level::kWarning, "joint 'a' has no limit; set 'effort_limits'.");
  problems.add(Level::kWarning, "the loop is late. Raise its priority.");
  problems.add(Level::kWarning, "waiting");
  Diagnostics d;
  problems.write_to(d, "");
  EXPECT_EQ(d.message,
            "joint 'a' has no limit; set 'effort_limits'; the loop is late. Raise its priority; "
            "waiting");
}

TEST(Problems, LongValuesContinueOnLinesThatEchoShowsWhole) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += (i == 0 ? "" : " ") + std::string("word") + std::to_string(i);
  Diagnostics::Values values;
  add_value(values, "problem 1", text);
  std::string whole;
  int number = 0;
  for (const auto& [key, line] : values) {
    ++number;
    EXPECT_EQ(key, number == 1 ? "problem 1" : "problem 1, line " + std::to_string(number));
    EXPECT_LT(line.size(), kShownByEcho);
    whole += (whole.empty() ? "" : " ") + line;
  }
  EXPECT_EQ(whole, text);
  const std::map<std::string, std::string> received(values.begin(), values.end());
  EXPECT_EQ(whole_value(received, "problem 1"), text);
  EXPECT_EQ(whole_value(received, "problem 2"), "");
  EXPECT_GT(values.size(), 3U);
}

TEST(Problems, LongWordIsNotCut) {
  const std::string word(300, 'x');
  Diagnostics::Values values;
  add_value(values, "k", word + " end");
  EXPECT_EQ(values, (Diagnostics::Values{{"k", word}, {"k, line 2", "end"}}));
}

TEST(JointsText, NamesAllJoints) {
  EXPECT_EQ(joints_text({"a"}), "joint 'a'");
  EXPECT_EQ(joints_text({"a", "b"}), "joints 'a', 'b'");
  const std::string text = joints_text(std::vector<std::string>(14, "left_arm_joint"));
  std::size_t names = 0;
  for (std::size_t at = 0; (at = text.find("'left_arm_joint'", at)) != std::string::npos; ++at) {
    ++names;
  }
  EXPECT_EQ(names, 14U) << text;
}

}  // namespace
}  // namespace spatial_dynamics::test
