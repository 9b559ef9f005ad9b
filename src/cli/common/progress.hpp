// A progress bar on a terminal.
#pragma once

namespace spatial_dynamics::cli {

/// A bar on standard error if that is a terminal; else nothing. It appears after 0.1 s and is
/// removed by the destructor.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `share` is the completed part, from 0 to 1. Cheap enough to be called often.
  void show(double share);

 private:
  bool terminal_;
  bool shown_ = false;
  double next_s_;  // steady clock
};

}  // namespace spatial_dynamics::cli
