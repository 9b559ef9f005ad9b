// The demo's measurements at one time: plain data from the node to the views.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "runtime/report_values.hpp"

namespace spatial_dynamics::cli {

/// Values that are constant during the demo.
struct DemoSubject {
  static constexpr double kInfinite = std::numeric_limits<double>::infinity();
  struct JointInfo {
    std::string name;
    bool is_length = false;     ///< m and N instead of rad and N m
    double effort_limit = 0.0;  ///< infinite if there is none
    bool still = false;         ///< the reference does not move it: its velocity limit is 0
    // Of the envelope; infinite without.
    double soft_lower = -kInfinite, soft_upper = kInfinite;
    double hard_lower = -kInfinite, hard_upper = kInfinite;
    double velocity_cap = kInfinite;
    double contact_threshold = kInfinite;  ///< infinite while contacts cause no reaction
  };
  std::string robot;
  std::string mode;
  double rate_hz = 0.0;
  std::uint32_t domain = 0;
  bool follows = false;  ///< a reference; else errors are distances from the start
  std::vector<JointInfo> joints;
};

/// One joint now; SI units.
struct JointReading {
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
  double torque = 0.0;  ///< the node's
  double effort = 0.0;  ///< measured, from the states
  double error = 0.0;   ///< position minus the reference, or minus the start
  // Of the whole run except its first second:
  double error_rms = 0.0, error_max = 0.0;
  double torque_max = 0.0;       ///< of the whole run
  double external = 0.0;         ///< torque that the model does not explain, if external_known
  double external_max = 0.0;     ///< the one with the largest magnitude of the whole run
  double seconds_at_stop = 0.0;  ///< of the whole run
};

/// Distribution of a duration in ms: quantiles and maximum of the last second. In a summary, the
/// medians of the quantiles of all seconds and the overall maximum.
struct Timing {
  double p50 = 0.0, p99 = 0.0, max = 0.0;
  bool known = false;
};

struct DemoReading {
  bool begun = false;    ///< states and torques arrive
  double seconds = 0.0;  ///< since then
  /// Torques per second, in the last second and on average. `sent` counts those that the node sent,
  /// from its diagnostics; it is known while these arrive. `seen` counts those that this process
  /// received. It may miss some without any effect on the robot.
  struct Rate {
    double last_hz = 0.0, mean_hz = 0.0;
    bool known = false;
  };
  Rate sent, seen;
  std::vector<JointReading> joints;
  bool external_known = false;        ///< the node publishes external torques
  std::uint64_t errors_measured = 0;  ///< number of states in error_rms
  Timing state_age, jitter, compute, latency;
  std::uint64_t overruns = 0, torques_replaced = 0;
  std::string message;                     ///< message of the node's diagnostics
  std::string faults = kNoFaults;          ///< of the last second
  std::map<std::string, int> faults_seen;  ///< with the number of seconds, since begin()
  std::uint32_t state_publishers = 0;
};

/// The joints with the largest rms error, the largest single error, the largest share of the effort
/// limit, and the largest torque among joints without a limit; -1 if there is none. Errors are
/// those of joints that the reference moves.
struct Extremes {
  int error_rms = -1, error_max = -1, torque_share = -1, unlimited_torque = -1;
};
Extremes extremes(const DemoSubject& subject, const DemoReading& reading);

/// `sent` if it is known, else `seen`.
const DemoReading::Rate& torque_rate(const DemoReading& reading);

/// False if the reference does not move a joint.
bool all_joints_move(const DemoSubject& subject);
/// The node's faults, and the number of joints that are not moved.
std::string faults_text(const DemoSubject& subject, const std::string& faults);
/// "0.05 mrad", "12.3 mm": an error of a joint's position, 3 digits.
std::string error_text(double error, bool is_length);
/// "0.012 ms", "-" if unknown.
std::string timing_text(double ms, bool known);

/// One line per second, for output without a terminal.
std::string plain_line(const DemoSubject& subject, const DemoReading& reading);
/// The summary at the end, with likely causes of a large tracking error.
std::string summary(const DemoSubject& subject, const DemoReading& reading);

}  // namespace spatial_dynamics::cli
