#include "cli/common/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

namespace spatial_dynamics::cli {
namespace {

constexpr int kBarWidth = 40;
constexpr double kRefresh = 0.1;  // s

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Progress::Progress(std::string what)
    : what_(std::move(what)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      next_s_(now_s() + kRefresh) {}

Progress::~Progress() {
  if (shown_) std::fprintf(stderr, "\r%*s\r", width_, "");
}

void Progress::show(double share) {
  if (!terminal_) return;
  const double now = now_s();
  if (now < next_s_) return;
  next_s_ = now + kRefresh;
  shown_ = true;
  const double done = std::clamp(share, 0.0, 1.0);
  std::string bar(static_cast<std::size_t>(std::lround(done * kBarWidth)), '#');
  bar.resize(kBarWidth, '.');
  width_ = std::fprintf(stderr, "\r%s%s[%s] %3.0f %%", what_.c_str(), what_.empty() ? "" : " ",
                        bar.c_str(), 100.0 * done);
  (void)std::fflush(stderr);
}

void Progress::show_name() {
  if (!terminal_) return;
  shown_ = true;
  width_ = std::fprintf(stderr, "\r%s ...", what_.c_str());
  (void)std::fflush(stderr);
}

}  // namespace spatial_dynamics::cli
