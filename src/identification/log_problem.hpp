// What is wrong with the file of a log, while it is read.
#pragma once

#include <stdexcept>

namespace spatial_dynamics {

/// The part of a sentence after the file's name, without a full stop: "is cut off". read_logs()
/// adds the name and throws a LogError.
class LogProblem : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace spatial_dynamics
