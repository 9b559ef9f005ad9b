// The demo from its first process to its last word.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "child.hpp"
#include "demo_node.hpp"
#include "demo_setup.hpp"
#include "live_view.hpp"
#include "signal_file.hpp"
#include "terminal.hpp"

namespace spatial_dynamics::cli {

class DemoRun {
 public:
  /// Throws as make_demo_setup() and DemoNode().
  DemoRun(const DemoOptions& options, const dds::RosArguments& ros);

  /// Returns the exit code.
  int run();

 private:
  struct Part {
    std::optional<Child> child;
    std::deque<std::string> last_lines;
  };

  void refuse_company() const;
  void watch();
  void wait(double seconds);
  void heed_signals();
  void read_logs(Part& part);
  [[nodiscard]] std::string find_failure();
  void show(bool now);
  void end_children();
  [[nodiscard]] bool end(Part& part, double seconds);
  void report();
  void say(const std::string& text);

  double seconds_ = 0.0;  // to run; 0: until a signal
  std::string record_;    // a file; empty: none
  SignalFile signals_;    // before any thread
  DemoSetup setup_;
  DemoNode node_;
  bool live_ = false;
  ViewStyle style_;
  std::optional<Screen> screen_;
  std::deque<std::string> log_;
  Part simulator_, dynamics_;

  std::int64_t started_ = 0;
  std::int64_t next_reference_ = 0, next_view_ = 0;
  bool begun_ = false, ending_ = false, killed_ = false;
  std::int64_t told_to_end_ = 0;  // when the first signal came; 0: none yet
  std::string failure_;
  std::optional<DemoReading> outcome_;
};

}  // namespace spatial_dynamics::cli
