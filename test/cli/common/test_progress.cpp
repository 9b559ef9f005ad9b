#include "cli/common/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace spatial_dynamics::test {
namespace {

using cli::Progress;

/// Standard error is a terminal during its life.
class TerminalAsError {
 public:
  TerminalAsError() {
    (void)::grantpt(screen_);
    (void)::unlockpt(screen_);
    const char* const name = screen_ < 0 ? nullptr : ::ptsname(screen_);
    const int terminal = name == nullptr ? -1 : ::open(name, O_RDWR | O_NOCTTY);
    if (terminal < 0) return;
    (void)::dup2(terminal, STDERR_FILENO);
    ::close(terminal);
    exists_ = true;
  }
  ~TerminalAsError() {
    (void)::dup2(before_, STDERR_FILENO);
    ::close(before_);
    ::close(screen_);
  }
  TerminalAsError(const TerminalAsError&) = delete;
  TerminalAsError& operator=(const TerminalAsError&) = delete;

  /// False in containers without /dev/pts.
  [[nodiscard]] bool exists() const { return exists_; }
  [[nodiscard]] std::string text() const {
    std::array<char, 4096> buffer{};
    const ssize_t size = ::read(screen_, buffer.data(), buffer.size());
    return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  }

 private:
  bool exists_ = false;
  int before_ = ::dup(STDERR_FILENO);
  int screen_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
};

TEST(ProgressLine, ShowsItsNameAtOnceAndIsRemoved) {
  const TerminalAsError terminal;
  if (!terminal.exists()) GTEST_SKIP() << "this system has no pseudo-terminals";
  {
    Progress progress("compiling");
    progress.show_name();
    EXPECT_EQ(terminal.text(), "\rcompiling ...");
  }
  EXPECT_EQ(terminal.text(), "\r" + std::string(14, ' ') + "\r");
}

TEST(ProgressLine, ShowsTheShareAfterATenthOfASecond) {
  const TerminalAsError terminal;
  if (!terminal.exists()) GTEST_SKIP() << "this system has no pseudo-terminals";
  Progress progress("reading");
  progress.show(0.25);
  EXPECT_EQ(terminal.text(), "");
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  progress.show(0.5);
  const std::string text = terminal.text();
  EXPECT_EQ(text.find("\rreading [#"), 0U) << text;
  EXPECT_NE(text.find("]  50 %"), std::string::npos) << text;
}

}  // namespace
}  // namespace spatial_dynamics::test
