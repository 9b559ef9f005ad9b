#include "cli/nodes/play/state_recorder.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

StateRecorder::StateRecorder(const std::string& path)
    : file_(path == kStandardOutput ? "/dev/stdout" : path) {
  if (file_) return;
  throw std::runtime_error(path + " can't be written: " + std::generic_category().message(errno) +
                           ".");
}

void StateRecorder::write(double time, const RecordedStates& states) {
  if (names_.empty()) {
    names_ = states.name;
    row_ = "time";
    for (const std::string& name : names_) {
      row_.append(",position:").append(name).append(",velocity:").append(name);
      row_.append(",effort:").append(name);
    }
    file_ << row_ << '\n';
  }
  row_ = number_text(time);
  for (const std::string& name : names_) {
    const auto found = std::find(states.name.begin(), states.name.end(), name);
    if (found == states.name.end()) return;
    const auto k = static_cast<std::size_t>(found - states.name.begin());
    for (const auto* values : {&states.position, &states.velocity, &states.effort}) {
      row_ += ',';
      if (k < values->size()) row_ += number_text((*values)[k]);
    }
  }
  file_ << row_ << '\n';
  ++rows_;
}

bool StateRecorder::close() {
  file_.close();
  return !file_.fail();
}

}  // namespace spatial_dynamics::cli
