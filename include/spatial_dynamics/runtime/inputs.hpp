// What the loop is told: plain data, filled by callbacks, handed over through wait-free boxes.
#pragma once

#include <cstdint>
#include <vector>

#include "spatial_dynamics/spatial/inertia.hpp"

namespace spatial_dynamics {

using Index = Eigen::Index;

/// The newest state of every coordinate, merged from partial messages. Times are of the steady clock, in ns.
struct JointStates {
  VectorXd q;                            ///< nq numbers; a floating base's from odometry
  VectorXd v;                            ///< nv numbers
  VectorXd effort;                       ///< nv numbers, measured
  std::vector<std::int64_t> received;    ///< per scalar coordinate; 0 if never
  std::vector<std::uint8_t> has_effort;  ///< per scalar coordinate
  std::int64_t base_received = 0;        ///< odometry of a floating base; 0 if never
  std::int64_t newest = 0;               ///< when the newest message came in
  std::int64_t stamp = 0;                ///< its stamp, in the node's clock (ROS time)
  std::uint64_t sequence = 0;            ///< counts messages
  std::uint64_t resets = 0;              ///< counts jumps back in time: whoever filters starts anew
};

/// A point that a coordinate shall pass.
struct Knot {
  double time_s = 0.0;  ///< after the start
  double position = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
  double effort = 0.0;  ///< feed-forward
};

/// What one coordinate shall do. Which parts of the knots are meant is told once for all of them.
struct JointReference {
  std::uint64_t generation = 0;  ///< 0: nothing was ever asked; a newer reference has a larger one
  std::int64_t received = 0;     ///< steady clock
  std::int64_t start = 0;        ///< steady clock; the knots' time zero
  bool immediate = false;        ///< one knot, to be tracked at once and until the timeout
  bool has_position = false;
  bool has_velocity = false;
  bool has_acceleration = false;
  bool has_effort = false;
  std::vector<Knot> knots;
  bool starts_on_arrival = false;     ///< its stamp was zero: `start` is when it came in
  std::vector<JointReference> later;  ///< those that take over at their starts, in that order
};

/// The reference that counts at `now` of the steady clock: the last one to have started. Real-time safe.
inline const JointReference& reference_at(const JointReference& reference,
                                          std::int64_t now) noexcept {
  const JointReference* result = &reference;
  for (const JointReference& next : reference.later) {
    if (next.start <= now) result = &next;
  }
  return *result;
}

struct References {
  std::vector<JointReference> joints;  ///< per scalar coordinate
};

/// Efforts whose accelerations are asked for.
struct EffortCommand {
  VectorXd effort;                     ///< nv numbers
  std::vector<std::int64_t> received;  ///< per scalar coordinate; 0 if never
};

/// A wrench on a link, in the link's frame at its origin.
struct LinkWrench {
  Index link = 0;
  Force wrench = Force::Zero();
  std::int64_t received = 0;
};
struct Wrenches {
  std::vector<LinkWrench> links;  ///< at most one entry per link
};

/// Payloads to carry from now on; the engine ramps from the old to the new.
struct LinkPayload {
  Index link = 0;
  Inertia inertia = Inertia::Zero();
};
struct Payloads {
  std::uint64_t generation = 0;
  std::vector<LinkPayload> links;  ///< at most one entry per link
};

struct Gravity {
  Vector3 vector = Vector3::Zero();  ///< in the root link's frame
  std::uint64_t generation = 0;      ///< 0: the configured gravity holds
};

}  // namespace spatial_dynamics
