#include "cli/nodes/demo/demo_recorder.hpp"

#include <cerrno>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {

DemoRecorder::DemoRecorder(const std::string& path, const DemoSubject& subject)
    : path_(path), file_(path == kStandardOutput ? "/dev/stdout" : path) {
  if (!file_) {
    throw std::runtime_error(path_ +
                             " can't be written: " + std::generic_category().message(errno) + ".");
  }
  std::string header = "time";
  for (const DemoSubject::JointInfo& joint : subject.joints) {
    for (const char* quantity : {"position:", "velocity:", "effort:", "reference:", "command:",
                                 "effort_limit:", "slides:"}) {
      header += std::string(",") + quantity + joint.name;
    }
    constants_.push_back(
        (std::isfinite(joint.effort_limit) ? number_text(joint.effort_limit) : "") +
        (joint.is_length ? ",1" : ",0"));
  }
  file_ << header << ",state_to_arrival\n";
}

void DemoRecorder::write(double time, const std::vector<JointReading>& joints,
                         const std::vector<double>& reference, std::optional<double> latency) {
  row_ = number_text(time);
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const JointReading& joint = joints[k];
    for (const double value : {joint.position, joint.velocity, joint.effort}) {
      row_ += ',' + number_text(value);
    }
    row_ += ',' + (reference.empty() ? std::string() : number_text(reference[k]));
    row_ += ',' + number_text(joint.torque) + ',' + constants_[k];
  }
  row_ += ',' + (latency ? number_text(*latency) : std::string()) + '\n';
  file_ << row_;
}

bool DemoRecorder::close() {
  file_.close();
  return !file_.fail();
}

}  // namespace spatial_dynamics::cli
