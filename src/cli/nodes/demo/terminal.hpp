// The terminal's alternate screen while an object exists; restored afterwards.
#pragma once

#include <termios.h>

#include <string>

namespace spatial_dynamics::cli {

struct ScreenSize {
  int columns = 80;
  int rows = 24;
};

class Screen {
 public:
  /// True if standard output is a terminal that can move its cursor.
  static bool available();

  Screen() { enter(); }
  ~Screen() { leave(); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// Switch to the alternate screen, without cursor and echo of keys, and back.
  void enter();
  void leave() noexcept;

  [[nodiscard]] static ScreenSize size();
  /// Standard input if it is a keyboard, else -1.
  [[nodiscard]] int keys() const noexcept;
  /// True if 'q' has been pressed.
  [[nodiscard]] static bool quit_pressed() noexcept;
  /// Writes a whole frame at once. Returns false if the terminal is closed.
  [[nodiscard]] static bool show(const std::string& frame) noexcept;

 private:
  bool entered_ = false;
  bool keys_changed_ = false;
  termios keys_before_{};
};

}  // namespace spatial_dynamics::cli
