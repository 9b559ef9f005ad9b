#include "demo_reading.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace spatial_dynamics::cli {
namespace {

template <typename... Values>
std::string format(const char* form, Values... values) {
  char text[160];
  std::snprintf(text, sizeof text, form, values...);
  return text;
}

std::size_t longest_name(const DemoSubject& subject) {
  std::size_t longest = 5;  // "joint"
  for (const auto& joint : subject.joints) longest = std::max(longest, joint.name.size());
  return longest;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string share_text(double share) { return format("%.0f %%", 100.0 * share); }

std::string timing_line(const char* title, const Timing& t) {
  if (!t.known) return format("  %-16s not reported\n", title);
  return format("  %-16s p50 %-8s   p99 %-8s   max %s\n", title, timing_text(t.p50, true).c_str(),
                timing_text(t.p99, true).c_str(), timing_text(t.max, true).c_str());
}

std::string faults_line(const std::map<std::string, int>& faults) {
  if (faults.empty()) return "none";
  std::string line;
  for (const auto& [words, seconds] : faults) {
    line += (line.empty() ? "" : "; ") + words + format(" (in %d s)", seconds);
  }
  return line;
}

/// "0.05 mrad (elbow)".
std::string error_of(const DemoSubject& subject, const DemoReading& reading,
                     double JointReading::*value, int joint) {
  const auto k = static_cast<std::size_t>(joint);
  return error_text(reading.joints[k].*value, subject.joints[k].is_length) + " (" +
         subject.joints[k].name + ")";
}

std::string joint_table(const DemoSubject& subject, const DemoReading& reading) {
  const std::size_t width = longest_name(subject);
  std::string table =
      "  " + padded("joint", width) +
      (subject.follows ? "   error rms    error max" : "   drift rms    drift max") +
      "   largest torque of its limit\n";
  for (std::size_t k = 0; k < reading.joints.size(); ++k) {
    const JointReading& joint = reading.joints[k];
    const auto& info = subject.joints[k];
    table += "  " + padded(info.name, width) +
             format("  %10s   %10s", error_text(joint.error_rms, info.is_length).c_str(),
                    error_text(joint.error_max, info.is_length).c_str());
    if (std::isfinite(info.effort_limit)) {
      table += format("   %7.2f %-3s  %4s of %g\n", joint.torque_share * info.effort_limit,
                      info.is_length ? "N" : "N m", share_text(joint.torque_share).c_str(),
                      info.effort_limit);
    } else {
      table += "   no limit\n";
    }
  }
  return table;
}

}  // namespace

Extremes extremes(const DemoReading& reading) {
  const auto largest = [&](double JointReading::*value) {
    const auto found = std::max_element(
        reading.joints.begin(), reading.joints.end(),
        [&](const JointReading& a, const JointReading& b) { return a.*value < b.*value; });
    return found == reading.joints.end() ? -1 : static_cast<int>(found - reading.joints.begin());
  };
  return {largest(&JointReading::error_rms), largest(&JointReading::error_max),
          largest(&JointReading::torque_share)};
}

std::string error_text(double error, bool is_length) {
  const double thousandths = 1e3 * error;
  const double size = std::abs(thousandths);
  const int digits = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
  return format("%.*f %s", digits, thousandths, is_length ? "mm" : "mrad");
}

std::string timing_text(double ms, bool known) {
  if (!known) return "-";
  return ms < 0.9995 ? format("%.0f us", 1e3 * ms) : format("%.2f ms", ms);
}

std::string plain_line(const DemoSubject& subject, const DemoReading& reading) {
  if (!reading.begun) {
    return "waiting for the robot and its torques" +
           (reading.message.empty() ? "" : ": " + reading.message) + "\n";
  }
  const Extremes worst = extremes(reading);
  std::string line = format("%3.0f s  %6.1f Hz", reading.seconds, reading.rate_hz);
  line += subject.follows ? "  tracking error rms " : "  drift rms ";
  line += reading.errors_measured == 0
              ? std::string("-")
              : error_of(subject, reading, &JointReading::error_rms, worst.error_rms);
  const auto k = static_cast<std::size_t>(worst.torque_share);
  line += "  torque <= " + share_text(reading.joints[k].torque_share) + " (" +
          subject.joints[k].name + ")";
  const auto pair = [](const char* title, const Timing& t) {
    return format("  %s %s/%s", title, timing_text(t.p50, t.known).c_str(),
                  timing_text(t.p99, t.known).c_str());
  };
  line += pair("state age", reading.state_age) + pair("jitter", reading.jitter) +
          pair("compute", reading.compute);
  line += format("  overruns %llu", static_cast<unsigned long long>(reading.overruns));
  return line + "  faults " + reading.faults + "\n";
}

std::string summary(const DemoSubject& subject, const DemoReading& reading) {
  const Extremes worst = extremes(reading);
  std::string text = format("%s, %zu joints, %s, %.1f s:\n\n", subject.robot.c_str(),
                            subject.joints.size(), subject.mode.c_str(), reading.seconds);
  text += joint_table(subject, reading) + "\n";
  text += format("  %-16s %.1f Hz of %g Hz\n", "torques", reading.mean_rate_hz, subject.rate_hz);
  const char* const title = subject.follows ? "tracking error" : "drift";
  if (reading.errors_measured == 0) {
    text += format("  %-16s not measured: the first second does not count\n", title);
  } else {
    text += format("  %-16s ", title) + "rms " +
            error_of(subject, reading, &JointReading::error_rms, worst.error_rms) + ", max " +
            error_of(subject, reading, &JointReading::error_max, worst.error_max) + "\n";
  }
  const auto k = static_cast<std::size_t>(worst.torque_share);
  text += format("  %-16s ", "largest torque") + share_text(reading.joints[k].torque_share) +
          " of its limit (" + subject.joints[k].name + ")\n";
  text += timing_line("state age", reading.state_age);
  text += timing_line("wake-up jitter", reading.jitter);
  text += timing_line("compute time", reading.compute);
  text += timing_line("state to torque", reading.latency);
  text += format("  %-16s %llu\n", "overruns", static_cast<unsigned long long>(reading.overruns));
  return text + format("  %-16s ", "faults") + faults_line(reading.faults_seen) + "\n";
}

}  // namespace spatial_dynamics::cli
