// Logs of a robot: times, positions, velocities, accelerations and efforts from files.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "spatial_dynamics/model/coordinates.hpp"
#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics {

/// A log that cannot be used: one sentence with the file and, if known, the line.
class LogError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A part of the log within which time passes without interruption. No filter and no derivative may
/// use samples of two segments.
struct LogSegment {
  Index first = 0;         ///< its first sample; the last one is before the next segment
  std::size_t source = 0;  ///< index into RobotLog::sources
};

/// What was read from one file or bag.
struct LogSource {
  std::string file;     ///< as given
  std::string format;   ///< "CSV", "ros2 topic echo", "MCAP", "SQLite"
  std::string topic;    ///< of a bag; otherwise empty
  std::string columns;  ///< where each quantity was found, for the user: "time 't', position 'q_*'"
  std::string note;     ///< a sentence for the user, such as that the file is cut off; or empty
  std::size_t rows = 0;  ///< rows or messages of the log, with those that were left out
};

/// Samples that were left out, by reason.
struct LogExclusions {
  std::size_t incomplete = 0;  ///< rows that lack a number
  std::size_t repeated = 0;    ///< rows that repeat a time, and single rows that come too late
  std::size_t saturated = 0;   ///< samples with an effort at a limit
  std::size_t jumps = 0;       ///< samples at a position that no motion reaches
  std::size_t beside = 0;      ///< samples whose filter would reach beyond their segment, or to an
                               ///< excluded sample
  // Interruptions, not samples: a segment ends there.
  std::size_t gaps = 0;         ///< missing samples
  std::size_t clock_jumps = 0;  ///< times that go back
};

/// A payload that a link carries in one of the logs, in addition to the model's.
struct LogPayload {
  std::size_t source = 0;  ///< index into RobotLog::sources
  Payload payload;
};

/// What a log's column of efforts contains.
enum class EffortKind {
  kEffort,   ///< N m, N
  kCurrent,  ///< A, or any multiple of the effort; a constant factor per joint is unknown
};

/// One column per sample; rows are the robot's coordinates, in order. SI units.
struct RobotLog {
  std::vector<double> time;      ///< s, increasing, also from one segment to the next
  MatrixXd q, v, a, effort;      ///< empty if the file has no such column
  std::vector<bool> has_effort;  ///< per coordinate

  std::vector<LogSegment> segments;  ///< in order; empty: one segment
  std::vector<LogSource> sources;    ///< in the order of the files; empty: not from a file
  std::vector<bool> excluded;        ///< per sample: not to be used; empty: all may be used
  LogExclusions exclusions;          ///< counts of the rows and samples that are left out
  EffortKind effort_kind = EffortKind::kEffort;
  bool without_gravity = false;      ///< the efforts do not include the weight, as a UR's
  std::vector<LogPayload> payloads;  ///< known ones of single logs

  [[nodiscard]] Index size() const noexcept { return static_cast<Index>(time.size()); }
};

struct LogReadOptions {
  /// The topic of a bag, of type sensor_msgs/msg/JointState. Empty: the one with most of the
  /// robot's joints, then with most efforts, then with most messages.
  std::string topic;
};

/// Reads a log for these coordinates: a CSV file, the output of `ros2 topic echo --csv`, or a
/// rosbag2 recording (MCAP or SQLite, a file or the bag's folder, also compressed). The content
/// decides, not the name. `path` "-" is standard input. Positions are required for all joints,
/// velocities and accelerations for all or none, efforts for at least one. Calls `progress` with
/// the share of the file that was read, if its size is known. Allocates; throws LogError.
///
/// The first line of a CSV file names the columns: `time`, and one column per joint and quantity
/// such as `position:JOINT`, `JOINT.velocity` or `/joint_states/JOINT/effort`; or columns with
/// numbers such as `q_0` in the order of the joints.
RobotLog read_log(
    const std::string& path, const std::vector<ScalarCoordinate>& coordinates,
    const std::function<void(double share)>& progress = [](double) {});

/// Reads several logs one after the other. Each begins a new segment; its times follow those of the
/// log before. Accelerations and velocities are kept if all logs have them, efforts of a joint
/// likewise. Allocates; throws LogError.
RobotLog read_logs(
    const std::vector<std::string>& paths, const std::vector<ScalarCoordinate>& coordinates,
    const LogReadOptions& options = {},
    const std::function<void(double share)>& progress = [](double) {});

/// Marks samples that a fit must not use, in RobotLog::excluded, and counts them: efforts at a
/// limit of the model or at an end of the sensor's range, and positions that no motion reaches from
/// the sample before. Allocates.
void exclude_bad_samples(const Model& model, RobotLog& log);

/// What was left out and why: "3 rows that lack a number, 12 samples with an effort at its limit".
/// Empty if nothing was left out but samples beside an end of a segment. Allocates.
std::string exclusions_text(const LogExclusions& exclusions);

/// What a column contains.
enum class LogQuantity { kNone, kTime, kPosition, kVelocity, kAcceleration, kEffort };
struct LogColumn {
  LogQuantity quantity = LogQuantity::kNone;
  Index coordinate = kNoIndex;
};
/// Finds out from a column's name what it contains; kNone for columns that are ignored.
LogColumn parse_column_name(const std::string& name,
                            const std::vector<ScalarCoordinate>& coordinates);

}  // namespace spatial_dynamics
