// The terminal as a screen of its own: taken for as long as the object lives, given back as it was.
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

  /// Switches to the alternate screen, without a cursor and without echo of keys; and back.
  void enter();
  void leave() noexcept;

  [[nodiscard]] static ScreenSize size();
  /// Standard input where keys come from, else -1.
  [[nodiscard]] int keys() const noexcept;
  /// True if 'q' has been pressed.
  [[nodiscard]] static bool quit_pressed() noexcept;
  /// Writes a whole frame at once. False if the terminal has gone.
  [[nodiscard]] static bool show(const std::string& frame) noexcept;

 private:
  bool entered_ = false;
  bool keys_changed_ = false;
  termios keys_before_{};
};

}  // namespace spatial_dynamics::cli
