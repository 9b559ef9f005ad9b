// Input and output lines of `compute`: order, numbering, delay, speed and line ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "support/robots.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(Compute, BlankLinesAreSkippedButCounted) {
  const Outcome outcome =
      run_cli({"compute", pendulum_file()}, std::string("\n") + kGoodLine + "\n \t\r\n\noops\n\n");
  EXPECT_EQ(outcome.exit_code, 1);
  ASSERT_EQ(outcome.lines().size(), 2U);
  EXPECT_TRUE(outcome.lines()[0].contains("id"));
  EXPECT_EQ(outcome.lines()[1].at("line"), 5);
}

TEST(Compute, AcceptsAllLineEndsAndAMissingLastOne) {
  const Outcome outcome =
      run_cli({"compute", pendulum_file()}, std::string(kGoodLine) + "\r\n" + kGoodLine);
  EXPECT_EQ(outcome.exit_code, 0);
  ASSERT_EQ(outcome.lines().size(), 2U);
  EXPECT_EQ(outcome.lines()[0], outcome.lines()[1]);
  EXPECT_EQ(outcome.output.back(), '\n');
}

TEST(Compute, NoInputIsNoError) {
  const Outcome outcome = run_cli({"compute", pendulum_file()}, "");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output, "");
}

TEST(Compute, AnswersKeepTheOrderOfLinesOverManyBuffers) {
  std::string input;
  constexpr int kLines = 30000;
  for (int i = 0; i < kLines; ++i) {
    input += "{\"q\":[0,0," + std::to_string(i) + ",0,0,0,1,0,0],\"want\":[\"pose:base\"]}\n";
  }
  const std::vector<Json> lines =
      run_cli({"compute", pendulum_file(), "--floating-base"}, input).lines();
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(kLines));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ASSERT_EQ(lines[i].at("pose:base").at("position").at(2).get<double>(), static_cast<double>(i));
  }
}

TEST(Compute, ALineIsAnsweredBeforeTheNextIsSent) {
  Process process({"compute", pendulum_file()});
  for (int i = 0; i < 3; ++i) {
    process.write(std::string(kGoodLine) + "\n");
    EXPECT_TRUE(Json::parse(process.read_line(), nullptr, false).contains("id"));
  }
  process.write("oops\n");
  EXPECT_EQ(Json::parse(process.read_line(), nullptr, false).value("line", 0), 4);
  process.close_input();
  EXPECT_EQ(process.wait(), 1);
}

TEST(Compute, ALineInPiecesIsOneLine) {
  Process process({"compute", pendulum_file()});
  const std::string line = std::string(kGoodLine) + "\n";
  for (const char c : line) process.write(std::string(1, c));
  EXPECT_TRUE(Json::parse(process.read_line(), nullptr, false).contains("id"));
}

TEST(Compute, ALineOver16MiBIsRejectedAndOthersAreAnswered) {
  const std::size_t limit = std::size_t{16} << 20U;
  std::string padded = kGoodLine;
  padded.insert(1, limit - padded.size(), ' ');
  const std::string input = std::string(kGoodLine) + "\n" + padded + "\n" + " " + padded + "\n" +
                            std::string(40 << 20, 'x') + "\n" + kGoodLine + "\n" +
                            std::string(limit + 1, ' ');
  const Outcome outcome = run_cli({"compute", pendulum_file()}, input);
  const std::vector<Json> lines = outcome.lines();
  EXPECT_EQ(outcome.exit_code, 1);
  ASSERT_EQ(lines.size(), 6U);
  for (const std::size_t good : {0, 1, 4}) EXPECT_EQ(lines[good], lines[0]) << good;
  EXPECT_TRUE(lines[0].contains("id"));
  for (const std::size_t bad : {2, 3, 5}) {
    EXPECT_EQ(lines[bad].value("line", std::size_t{0}), bad + 1);
    EXPECT_NE(lines[bad].value("error", "").find("16 MiB"), std::string::npos) << lines[bad];
  }
}

TEST(Compute, InputFromAFileEqualsInputFromAPipe) {
  const TemporaryFile states(std::string(kGoodLine) + "\n" + kGoodLine + "\n");
  const Outcome from_file = run_cli({"compute", pendulum_file(), "--input", states.path()});
  EXPECT_EQ(from_file.exit_code, 0);
  EXPECT_EQ(
      from_file.output,
      run_cli({"compute", pendulum_file()}, std::string(kGoodLine) + "\n" + kGoodLine).output);
}

TEST(Compute, EndsWithoutErrorWhenTheReaderCloses) {
  std::string input;
  for (int i = 0; i < 10000; ++i) input += std::string(kGoodLine) + "\n";
  const TemporaryFile states(input);
  Process process({"compute", pendulum_file(), "--input", states.path()});
  process.close_output();
  EXPECT_EQ(process.read_errors(), "");
  EXPECT_EQ(process.wait(), 0);
}

TEST(Compute, AFullDiskIsAnError) {
  if (!std::ifstream("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const TemporaryFile states(std::string(kGoodLine) + "\n");
  const TemporaryFile errors("");
  const std::string command = std::string("'") + SPATIAL_DYNAMICS_CLI_PATH + "' compute '" +
                              pendulum_file() + "' --input '" + states.path() + "' >/dev/full 2>'" +
                              errors.path() + "'";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  std::string sentence;
  std::getline(std::ifstream(errors.path()), sentence);
  EXPECT_NE(sentence.find("can't be written"), std::string::npos) << sentence;
}

// Processor time, because the share of a core depends on other load. The best
// of three, because caches are shared too.
TEST(Compute, AHundredThousandStatesOfAnArmTakeLessThanASecond) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer is slow";
#ifndef __OPTIMIZE__
  GTEST_SKIP() << "only optimised builds are fast";
#endif
  constexpr int kStates = 50000;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  std::string input;
  for (int i = 0; i < kStates; ++i) {
    Json line;
    for (const char* key : {"q", "v", "a"}) {
      for (int j = 0; j < 7; ++j) line[key].push_back(uniform(random));
    }
    input += line.dump() + "\n";
  }
  double best_s = 1e9;
  for (int run = 0; run < 3; ++run) {
    const Outcome outcome = run_cli({"compute", shipped_urdf("arm7")}, input);
    ASSERT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), kStates);
    best_s = std::min(best_s, outcome.cpu_s);
  }
  const double per_second = kStates / best_s;
  RecordProperty("states_per_second", std::to_string(per_second));
  EXPECT_GE(per_second, 100000.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
