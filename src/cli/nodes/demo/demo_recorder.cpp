#include "cli/nodes/demo/demo_recorder.hpp"

#include <cerrno>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

std::string if_finite(double value) { return std::isfinite(value) ? number_text(value) : ""; }

}  // namespace

DemoRecorder::DemoRecorder(const std::string& path, const DemoSubject& subject)
    : path_(path), file_(path == kStandardOutput ? "/dev/stdout" : path) {
  if (!file_) {
    throw std::runtime_error(path_ +
                             " can't be written: " + std::generic_category().message(errno) + ".");
  }
  std::string header = "time";
  for (const DemoSubject::JointInfo& joint : subject.joints) {
    for (const char* quantity :
         {"position:", "velocity:", "effort:", "reference:", "command:", "effort_limit:", "slides:",
          "external:", "contact_threshold:", "soft_lower:", "soft_upper:"}) {
      header += std::string(",") + quantity + joint.name;
    }
    constants_.push_back({if_finite(joint.effort_limit) + (joint.is_length ? ",1" : ",0"),
                          if_finite(joint.contact_threshold) + ',' + if_finite(joint.soft_lower) +
                              ',' + if_finite(joint.soft_upper)});
  }
  file_ << header << ",state_to_arrival\n";
}

void DemoRecorder::write(double time, const std::vector<JointReading>& joints,
                         const std::vector<double>& reference, bool external_known,
                         std::optional<double> latency) {
  row_ = number_text(time);
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const JointReading& joint = joints[k];
    for (const double value : {joint.position, joint.velocity, joint.effort}) {
      row_ += ',' + number_text(value);
    }
    row_ += ',' + (reference.empty() ? std::string() : number_text(reference[k]));
    row_ += ',' + number_text(joint.torque) + ',' + constants_[k].before;
    row_ += ',' + (external_known ? number_text(joint.external) : std::string());
    row_ += ',' + constants_[k].after;
  }
  row_ += ',' + (latency ? number_text(*latency) : std::string()) + '\n';
  file_ << row_;
}

bool DemoRecorder::close() {
  file_.close();
  return !file_.fail();
}

}  // namespace spatial_dynamics::cli
