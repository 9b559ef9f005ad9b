#include "cli/nodes/demo/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace spatial_dynamics::cli {
namespace {

// Alternate screen, no cursor, no wrapping of long lines; and back.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
constexpr std::string_view kLeave = "\x1b[?7h\x1b[?25h\x1b[?1049l";

bool write_all(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Only the foreground process group may change the settings; others would be stopped.
bool has_keyboard() noexcept {
  return ::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp();
}

}  // namespace

bool Screen::available() {
  const char* const kind = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): one thread yet
  return ::isatty(STDOUT_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

void Screen::enter() {
  if (entered_) return;
  entered_ = true;
  if (has_keyboard() && ::tcgetattr(STDIN_FILENO, &keys_before_) == 0) {
    termios changed = keys_before_;
    changed.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
    changed.c_cc[VMIN] = 0;
    changed.c_cc[VTIME] = 0;
    keys_changed_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &changed) == 0;
  }
  (void)write_all(kEnter);
}

void Screen::leave() noexcept {
  if (!entered_) return;
  entered_ = false;
  (void)write_all(kLeave);
  if (keys_changed_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &keys_before_);
  keys_changed_ = false;
}

ScreenSize Screen::size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
  return {size.ws_col, size.ws_row};
}

int Screen::keys() const noexcept { return keys_changed_ ? STDIN_FILENO : -1; }

bool Screen::quit_pressed() noexcept {
  std::array<char, 64> pressed{};
  const ssize_t count = ::read(STDIN_FILENO, pressed.data(), pressed.size());
  for (ssize_t i = 0; i < count; ++i) {
    const char key = pressed[static_cast<std::size_t>(i)];
    if (key == 'q' || key == 'Q') return true;
  }
  return false;
}

bool Screen::show(const std::string& frame) noexcept { return write_all(frame); }

}  // namespace spatial_dynamics::cli
