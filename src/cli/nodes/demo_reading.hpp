// What the demo knows at one moment: plain data between the node that listens and the views that show it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace spatial_dynamics::cli {

/// What does not change while the demo runs.
struct DemoSubject {
  struct JointInfo {
    std::string name;
    bool is_length = false;     ///< m and N instead of rad and N m
    double effort_limit = 0.0;  ///< infinite where there is none
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
  double effort = 0.0;  ///< measured, as states tell it
  double error = 0.0;   ///< position minus the reference's, or minus the one at the start
  // Of the whole run, the first second apart:
  double error_rms = 0.0, error_max = 0.0;
  double torque_max = 0.0;  ///< of the whole run
};

/// A duration's distribution in ms: quantiles of the last second or, in a summary, their medians over the seconds, and the
/// largest value of the same time.
struct Timing {
  double p50 = 0.0, p99 = 0.0, max = 0.0;
  bool known = false;
};

struct DemoReading {
  bool begun = false;    ///< states and torques flow
  double seconds = 0.0;  ///< since then
  /// Torques a second, in the last second and on average: those that the node sent, as its diagnostics count them, known while they
  /// come, and those that came to this process, which may miss some without harm to the robot.
  struct Rate {
    double last_hz = 0.0, mean_hz = 0.0;
    bool known = false;
  };
  Rate sent, seen;
  std::vector<JointReading> joints;
  std::uint64_t errors_measured = 0;  ///< states behind error_rms
  Timing state_age, jitter, compute, latency;
  std::uint64_t overruns = 0;
  std::string message;                     ///< the node's diagnostics in words
  std::string faults = "none";             ///< of the last second
  std::map<std::string, int> faults_seen;  ///< and for how many seconds, since the beginning
  std::uint32_t state_publishers = 0;
};

/// The joints with the largest mean and largest single error, with the largest share of its effort limit, and with the largest torque
/// of those without a limit; -1 where there is none.
struct Extremes {
  int error_rms = -1, error_max = -1, torque_share = -1, unlimited_torque = -1;
};
Extremes extremes(const DemoSubject& subject, const DemoReading& reading);

/// What the node sent where that is known, else what was seen.
const DemoReading::Rate& torque_rate(const DemoReading& reading);

/// "0.05 mrad", "12.3 mm": an error of a joint's position, 3 digits.
std::string error_text(double error, bool is_length);
/// "0.012 ms", "-" where unknown.
std::string timing_text(double ms, bool known);

/// One line a second where there is no terminal.
std::string plain_line(const DemoSubject& subject, const DemoReading& reading);
/// At the end, with a remark on what could be behind a gross tracking error.
std::string summary(const DemoSubject& subject, const DemoReading& reading);

}  // namespace spatial_dynamics::cli
