#include "cli/nodes/demo/demo_reading.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/nodes/demo/demo_limits.hpp"
#include "support/text.hpp"

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

const char* effort_unit(const DemoSubject::JointInfo& info) { return info.is_length ? "N" : "N m"; }

double torque_share(const DemoSubject::JointInfo& info, const JointReading& joint) {
  return joint.torque_max / info.effort_limit;
}

/// "35 % of its limit (elbow)", "12.5 N m (elbow, which has no limit)".
std::string largest_torque(const DemoSubject& subject, const DemoReading& reading) {
  const Extremes worst = extremes(subject, reading);
  const bool limited = worst.torque_share >= 0;
  const auto k = static_cast<std::size_t>(limited ? worst.torque_share : worst.unlimited_torque);
  const DemoSubject::JointInfo& info = subject.joints[k];
  if (limited) {
    return share_text(torque_share(info, reading.joints[k])) + " of its limit (" + info.name + ")";
  }
  return format("%.2f %s (", reading.joints[k].torque_max, effort_unit(info)) + info.name +
         ", which has no limit)";
}

// Large errors of a motion with amplitudes of 0.4 rad and 5 cm.
constexpr double kLargeAngle = 0.02, kLargeLength = 0.005;
constexpr double kFullShare = 0.999, kFewTorques = 0.9, kOldStateMs = 5.0;

/// Measured values that explain a large error.
std::string likely_causes(const DemoSubject& subject, const DemoReading& reading) {
  std::string at_limit, causes;
  const auto add = [](std::string& list, const char* separator, const std::string& item) {
    list.append(list.empty() ? "" : separator).append(item);
  };
  for (std::size_t k = 0; k < reading.joints.size(); ++k) {
    if (torque_share(subject.joints[k], reading.joints[k]) >= kFullShare) {
      add(at_limit, ", ", subject.joints[k].name);
    }
  }
  if (!at_limit.empty()) add(causes, "; ", "torques reach the effort limits of " + at_limit);
  if (const double rate = torque_rate(reading).mean_hz; rate < kFewTorques * subject.rate_hz) {
    add(causes, "; ",
        format("only %.0f of %g torques %s each second", rate, subject.rate_hz,
               reading.sent.known ? "were sent" : "came"));
  }
  if (reading.state_age.known && reading.state_age.p99 > kOldStateMs) {
    add(causes, "; ", format("states are up to %.0f ms old (p99)", reading.state_age.p99));
  }
  if (!causes.empty()) return causes;
  return reading.faults_seen.empty()
             ? "neither effort limits nor delays explain it; are gains.kp and gains.kd too low?"
             : "see the faults above";
}

/// Empty if the robot follows well or has no reference.
std::string remark_on_error(const DemoSubject& subject, const DemoReading& reading) {
  if (!subject.follows || reading.errors_measured == 0) return {};
  std::size_t worst = 0, count = 0;
  double largest = 0.0;  // relative to a large error
  for (std::size_t k = 0; k < reading.joints.size(); ++k) {
    const double large = subject.joints[k].is_length ? kLargeLength : kLargeAngle;
    const double times = reading.joints[k].error_rms / large;
    if (times < 1.0) continue;
    ++count;
    if (times <= largest) continue;
    largest = times;
    worst = k;
  }
  if (count == 0) return {};
  std::string remark = format("  %-16s ", "remark") + subject.joints[worst].name;
  if (count > 1) remark += format(" and %zu more", count - 1);
  remark += count > 1 ? " do not follow well: " : " does not follow well: ";
  return remark.append(likely_causes(subject, reading)).append("\n");
}

/// "torques  1000.0 Hz of 1000 Hz sent, 998.7 Hz seen here": this process may miss some without any
/// effect on the robot.
std::string torques_line(const DemoSubject& subject, const DemoReading& reading) {
  const std::string of =
      format("  %-16s %.1f Hz of %g Hz ", "torques", torque_rate(reading).mean_hz, subject.rate_hz);
  if (!reading.sent.known) return of + "seen here\n";
  return of + format("sent, %.1f Hz seen here\n", reading.seen.mean_hz);
}

std::string timing_line(const char* title, const Timing& t) {
  if (!t.known) return format("  %-16s not reported\n", title);
  return format("  %-16s p50 %-8s   p99 %-8s   max %s\n", title, timing_text(t.p50, true).c_str(),
                timing_text(t.p99, true).c_str(), timing_text(t.max, true).c_str());
}

std::string faults_line(const DemoSubject& subject, const std::map<std::string, int>& faults) {
  std::string line;
  for (const auto& [words, seconds] : faults) {
    line += (line.empty() ? "" : "; ") + words + format(" (in %d s)", seconds);
  }
  return format("  %-16s ", "faults") + faults_text(subject, line.empty() ? kNoFaults : line) +
         "\n";
}

/// Empty if the reference moves all joints.
std::string not_moved_line(const DemoSubject& subject) {
  std::string names;
  for (const auto& joint : subject.joints) {
    if (joint.still) names += (names.empty() ? "" : ", ") + joint.name;
  }
  if (names.empty()) return {};
  return format("  %-16s ", "not moved") + names +
         ": velocity limit 0 in the URDF; set velocity of <limit>\n";
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
    const auto error = [&info](double value) {
      return info.still ? std::string("not moved") : error_text(value, info.is_length);
    };
    table +=
        "  " + padded(info.name, width) +
        format("  %10s   %10s", error(joint.error_rms).c_str(), error(joint.error_max).c_str());
    table += format("   %7.2f %-3s  ", joint.torque_max, effort_unit(info));
    table += std::isfinite(info.effort_limit)
                 ? format("%4s of %s\n", share_text(torque_share(info, joint)).c_str(),
                          rounded_text(info.effort_limit, 6).c_str())
                 : std::string("no limit\n");
  }
  return table;
}

}  // namespace

Extremes extremes(const DemoSubject& subject, const DemoReading& reading) {
  Extremes found;
  const auto update = [](int& joint, std::size_t k, double& largest, double value) {
    if (joint >= 0 && value <= largest) return;
    joint = static_cast<int>(k);
    largest = value;
  };
  double rms = 0.0, max = 0.0, share = 0.0, torque = 0.0;
  for (std::size_t k = 0; k < reading.joints.size(); ++k) {
    const JointReading& joint = reading.joints[k];
    if (!subject.joints[k].still) {
      update(found.error_rms, k, rms, joint.error_rms);
      update(found.error_max, k, max, joint.error_max);
    }
    if (std::isfinite(subject.joints[k].effort_limit)) {
      update(found.torque_share, k, share, torque_share(subject.joints[k], joint));
    } else {
      update(found.unlimited_torque, k, torque, joint.torque_max);
    }
  }
  return found;
}

const DemoReading::Rate& torque_rate(const DemoReading& reading) {
  return reading.sent.known ? reading.sent : reading.seen;
}

bool all_joints_move(const DemoSubject& subject) {
  return std::none_of(subject.joints.begin(), subject.joints.end(),
                      [](const auto& joint) { return joint.still; });
}

std::string faults_text(const DemoSubject& subject, const std::string& faults) {
  const auto still = std::count_if(subject.joints.begin(), subject.joints.end(),
                                   [](const auto& joint) { return joint.still; });
  if (still == 0) return faults;
  return (reports_fault(faults) ? faults : "none in the node") +
         format("; %td of %zu joints not moved", still, subject.joints.size());
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
  const Extremes worst = extremes(subject, reading);
  std::string line = format("%3.0f s  %6.1f Hz", reading.seconds, torque_rate(reading).last_hz);
  line += subject.follows ? "  tracking error rms " : "  drift rms ";
  line += reading.errors_measured == 0 || worst.error_rms < 0
              ? std::string("-")
              : error_of(subject, reading, &JointReading::error_rms, worst.error_rms);
  line += "  torque <= " + largest_torque(subject, reading);
  if (reading.external_known) line += "  external " + external_text(subject, reading);
  const auto pair = [](const char* title, const Timing& t) {
    return format("  %s p50 %s p99 %s", title, timing_text(t.p50, t.known).c_str(),
                  timing_text(t.p99, t.known).c_str());
  };
  line += pair("state age", reading.state_age) + pair("wake-up jitter", reading.jitter) +
          pair("compute time", reading.compute);
  line +=
      format("  overruns %llu  replaced %llu", static_cast<unsigned long long>(reading.overruns),
             static_cast<unsigned long long>(reading.torques_replaced));
  if (const std::string limits = limits_text(subject, reading); limits != "none") {
    line += "  at limits " + limits;
  }
  return line + "  faults " + faults_text(subject, reading.faults) + "\n";
}

std::string summary(const DemoSubject& subject, const DemoReading& reading) {
  const Extremes worst = extremes(subject, reading);
  std::string text = format("%s, %zu joints, %s, %.1f s:\n\n", subject.robot.c_str(),
                            subject.joints.size(), subject.mode.c_str(), reading.seconds);
  text += joint_table(subject, reading) + "\n";
  text += torques_line(subject, reading);
  const char* const title = subject.follows ? "tracking error" : "drift";
  if (reading.errors_measured == 0) {
    text += format("  %-16s not measured: the first second is excluded\n", title);
  } else if (worst.error_rms < 0) {
    text += format("  %-16s not measured: no joint was moved\n", title);
  } else {
    text += format("  %-16s ", title) + "rms " +
            error_of(subject, reading, &JointReading::error_rms, worst.error_rms) + ", max " +
            error_of(subject, reading, &JointReading::error_max, worst.error_max) + "\n";
  }
  text += format("  %-16s ", "largest torque") + largest_torque(subject, reading) + "\n";
  text += limits_summary(subject, reading);
  text += timing_line("state age", reading.state_age);
  text += timing_line("wake-up jitter", reading.jitter);
  text += timing_line("compute time", reading.compute);
  text += timing_line("state to torque", reading.latency);
  text += format("  %-16s %llu\n", "overruns", static_cast<unsigned long long>(reading.overruns));
  text += format("  %-16s %llu\n", "torques replaced",
                 static_cast<unsigned long long>(reading.torques_replaced));
  return text + not_moved_line(subject) + faults_line(subject, reading.faults_seen) +
         remark_on_error(subject, reading);
}

}  // namespace spatial_dynamics::cli
