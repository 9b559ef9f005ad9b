#include "runtime/activation_command.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace spatial_dynamics::test {
namespace {

TEST(ActivationCommand, TextHasVerbSourceAndResult) {
  EXPECT_EQ((ActivationCommand{true, "publisher 12", ""}.text()),
            "activate, from publisher 12: active");
  EXPECT_EQ((ActivationCommand{false, "", ""}.text()), "deactivate: inactive");
  EXPECT_EQ((ActivationCommand{true, "the service", "the node is ending"}.text()),
            "activate, from the service: rejected, the node is ending");
}

TEST(ActivationCommand, ParsingReturnsTheCommand) {
  for (const bool activate : {true, false}) {
    for (const char* source : {"", "node /left/arm", "the service"}) {
      for (const char* rejection : {"", "the node is unconfigured; first: ros2 lifecycle"}) {
        const ActivationCommand command{activate, source, rejection};
        const auto parsed = parse_activation_command(command.text());
        ASSERT_TRUE(parsed) << command.text();
        EXPECT_EQ(parsed->activate, activate);
        EXPECT_EQ(parsed->source, source);
        EXPECT_EQ(parsed->rejection, rejection);
        EXPECT_EQ(parsed->rejected(), *rejection != '\0');
      }
    }
  }
}

TEST(ActivationCommand, OtherTextsAreNotParsed) {
  for (const char* text : {"", kNoActivationCommand, "activate", "activate: ", "activate: inactive",
                           "activates: active", "activate, from : active", "activate, from a",
                           "deactivate: rejected, ", ": active"}) {
    EXPECT_FALSE(parse_activation_command(text)) << text;
  }
}

TEST(ActivationCommand, RejectionIsLoggedAsWarning) {
  std::vector<std::pair<LogLevel, std::string>> lines;
  LimitedLog log(
      [&lines](LogLevel level, const std::string& text) { lines.emplace_back(level, text); });
  log_activation({true, "", ""}, log);
  log_activation({true, "", "the node is ending"}, log);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0],
            std::make_pair(LogLevel::kInfo, std::string("~/set_active: activate: active")));
  EXPECT_EQ(lines[1].first, LogLevel::kWarning);
}

}  // namespace
}  // namespace spatial_dynamics::test
