// Runs the demo: starts its processes, shows the view, ends the processes and prints the summary.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cli/nodes/common/child.hpp"
#include "cli/nodes/common/signal_file.hpp"
#include "cli/nodes/demo/demo_node.hpp"
#include "cli/nodes/demo/demo_setup.hpp"
#include "cli/nodes/demo/live_view.hpp"
#include "cli/nodes/demo/terminal.hpp"

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

  void require_empty_domain() const;
  void watch();
  void wait(double seconds);
  void handle_signals();
  void read_logs(Part& part);
  [[nodiscard]] std::string find_failure();
  void show(bool now);
  void end_children();
  [[nodiscard]] bool end(Part& part, double seconds);
  void report();
  void print(const std::string& text);

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
  std::int64_t first_end_signal_ = 0;  // time of the first signal; 0: none yet
  std::string failure_;
  std::optional<DemoReading> outcome_;
};

}  // namespace spatial_dynamics::cli
