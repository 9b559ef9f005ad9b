// The problems of a node, as text.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/front_end.hpp"

namespace spatial_dynamics {

/// Collects the problems of one report. Allocates.
class Problems {
 public:
  /// Errors come before warnings; problems of one level keep the order in which they were added, so
  /// causes are added before their consequences. The text is a clause or a sentence; the full stop
  /// at its end is left out.
  void add(Diagnostics::Level level, std::string text);
  [[nodiscard]] bool empty() const noexcept { return problems_.empty(); }

  /// Sets level and message (all problems; `otherwise` without one), and puts the values `problem
  /// 1`, `problem 2`, ... first.
  void write_to(Diagnostics& diagnostics, const std::string& otherwise) const;

 private:
  struct Problem {
    Diagnostics::Level level;
    std::string text;
  };
  std::vector<Problem> problems_;  // the worst first
};

/// Appends a value for diagnostics. A text that is longer than a line is continued under `KEY,
/// line 2` and so on: `ros2 topic echo` cuts texts after 128 characters. Allocates.
void add_value(Diagnostics::Values& values, const std::string& key, std::string_view text);

/// The text that add_value() has written under this key; empty without one. Allocates.
std::string whole_value(const std::map<std::string, std::string>& values, const std::string& key);

/// "joint 'a'", "joints 'a', 'b'". Allocates.
std::string joints_text(const std::vector<std::string>& names);

}  // namespace spatial_dynamics
