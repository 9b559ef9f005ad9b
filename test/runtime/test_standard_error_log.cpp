#include "runtime/standard_error_log.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(StandardErrorLog, LevelIsReadAsItIsWritten) {
  testing::internal::CaptureStderr();
  log_to_standard_error(LogLevel::kWarning, "node", "text");
  log_to_standard_error(LogLevel::kError, "node", "text");
  drain_standard_error_log();
  const std::string lines = testing::internal::GetCapturedStderr();
  const std::size_t second = lines.find('\n') + 1;
  EXPECT_EQ(level_of_line(lines.substr(0, second)), LogLevel::kWarning) << lines;
  EXPECT_EQ(level_of_line(lines.substr(second)), LogLevel::kError) << lines;
  EXPECT_EQ(level_of_line("[INFO] [1.0] [node]: text"), LogLevel::kInfo);
}

TEST(StandardErrorLog, OtherLinesHaveNoLevel) {
  for (const char* line : {"", "[", "[]", "INFO", "[INFORMATION] a", "a [INFO] b", "[INFO"}) {
    EXPECT_FALSE(level_of_line(line)) << line;
  }
}

TEST(StandardErrorLog, CompleteLinesAreNotChanged) {
  testing::internal::CaptureStderr();
  print_to_standard_error("of another process");
  drain_standard_error_log();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "of another process\n");
}

}  // namespace
}  // namespace spatial_dynamics::test
