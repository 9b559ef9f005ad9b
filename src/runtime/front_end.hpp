// The interface between DynamicsCore and a front end, and the time limits of a shutdown.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/log_queue.hpp"
#include "runtime/robot.hpp"
#include "runtime/topics.hpp"

namespace spatial_dynamics {

/// The state of the node in words, once a second.
struct Diagnostics {
  enum class Level { kOk, kWarning, kError };
  Level level = Level::kOk;
  std::string message;
  using Values = std::vector<std::pair<std::string, std::string>>;
  Values values;
};

/// One figure of the last second; times in ms.
struct Metric {
  std::string name;
  std::string unit;
  double mean = 0.0, min = 0.0, max = 0.0, p50 = 0.0, p99 = 0.0;
  std::uint64_t count = 0;
};

/// The node's graph, as the front end sees it.
struct Surroundings {
  struct Input {
    Topic topic = Topic::kJointStates;
    std::string name;  ///< full
    bool is_published = false;
  };
  std::size_t domain = 0;
  std::string node;                ///< our full name
  std::vector<std::string> nodes;  ///< full names of all nodes, ours included
  std::vector<Input> inputs;       ///< that the node subscribes to
};

/// When the node ends, its torque is ramped to zero for at most this long; then zero is sent at
/// once. With a low torque_rate_limit, a ramp could last longer than the 5 s after which `ros2
/// launch` kills the process.
inline constexpr std::chrono::milliseconds kLongestFinalRamp(900);
/// How long the node waits, when it ends, until subscribers have acknowledged the last torque. The
/// middleware sends a lost packet again after a tenth of a second.
inline constexpr std::chrono::milliseconds kLongestAcknowledgement(200);

/// How long a process may take to end after a signal, and after its last torque. A process whose
/// middleware or log hangs is ended then.
inline constexpr std::chrono::milliseconds kLongestShutdown(3000), kLongestExit(500);

/// The functions of a front end that the core calls. publish() is called on the core's publisher
/// thread (with `trigger: state` also on the thread that delivered the state), publish_report() on
/// its reporter thread, never on the loop's. Calls of one function never overlap; calls of both
/// may.
class FrontEnd {
 public:
  virtual ~FrontEnd() = default;
  /// False if there was a torque to send (`outputs.send_torque`) and it did not go out.
  [[nodiscard]] virtual bool publish(const Robot& robot, const ControlOutput& outputs) = 0;
  virtual void publish_report(const Diagnostics& diagnostics,
                              const std::vector<Metric>& metrics) = 0;
  /// Waits, for `limit` at most, until all subscribers have acknowledged the last torque. Called
  /// after the last publish().
  [[nodiscard]] virtual bool torques_received(std::chrono::milliseconds /*limit*/) { return true; }
  /// Any thread but the loop's. Must not wait for a slow reader of the log (LogQueue): the threads
  /// that publish torques call it.
  virtual void log(LogLevel level, const std::string& text) = 0;
  [[nodiscard]] virtual std::uint64_t log_lines_lost() const { return 0; }  ///< any but the loop's
  [[nodiscard]] virtual Surroundings surroundings() const { return {}; }    ///< any but the loop's
  /// Full name of the node behind a message's source number; empty if it is not known. Any thread
  /// but the loop's.
  [[nodiscard]] virtual std::string publisher_name(std::uint64_t /*source*/) const { return {}; }
  /// The clock of the stamps, ns; 0 while it is not known, that is, before the first /clock with
  /// use_sim_time. Any thread.
  [[nodiscard]] virtual std::int64_t ros_now() const = 0;
};

}  // namespace spatial_dynamics
