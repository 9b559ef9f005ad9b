// A progress bar on a terminal.
#pragma once

#include <string>

namespace spatial_dynamics::cli {

/// A bar on standard error if that is a terminal; else nothing. It appears after 0.1 s and is
/// removed by the destructor.
class Progress {
 public:
  /// `what` is printed before the bar: "reading log.csv".
  explicit Progress(std::string what = "");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `share` is the completed part, from 0 to 1. Cheap enough to be called often.
  void show(double share);
  /// Prints `what` at once, without a bar, before a step of unknown duration.
  void show_name();

 private:
  std::string what_;
  int width_ = 0;  // of the line
  bool terminal_;
  bool shown_ = false;
  double next_s_;  // steady clock
};

}  // namespace spatial_dynamics::cli
