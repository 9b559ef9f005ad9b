// How far long work has come, on a terminal.
#pragma once

namespace spatial_dynamics::cli {

/// A bar on standard error, where that is a terminal; elsewhere nothing. It appears only if the work takes longer than a moment,
/// and is gone when the object is.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `share` of the work is done, from 0 to 1. Cheap enough to be called often.
  void show(double share);

 private:
  bool terminal_;
  bool shown_ = false;
  double next_s_;  // steady clock
};

}  // namespace spatial_dynamics::cli
