// Checks and merges references: setpoints and trajectories.
#pragma once

#include <cstdint>
#include <mutex>

#include "runtime/messages.hpp"
#include "runtime/rejections.hpp"
#include "runtime/triple_buffer.hpp"
#include "spatial_dynamics/control/control_input.hpp"

namespace spatial_dynamics {

/// The part of Inbox for ~/reference; see there for the threads. It has a separate lock, because a
/// long trajectory takes 0.1 s, and no state may wait for it.
class ReferenceInbox {
 public:
  ReferenceInbox(const Model& model, const Coordinates& coordinates, References blank,
                 RejectionCounts& rejections);

  /// Copies the references of a robot with the same coordinates.
  void copy_from(const ReferenceInbox& other);
  /// Numbers new references after those of a robot with other coordinates.
  void number_after(const ReferenceInbox& other);
  /// Discards all references, and numbers new ones after `generation`. Returns the number of the
  /// last reference.
  std::uint64_t discard(std::uint64_t generation);
  /// Positions beyond the limits are clipped, and such a message is counted.
  RejectionReason on_reference(const TrajectoryView& message, std::int64_t now,
                               std::int64_t ros_now);

  void update() noexcept { references_.update(); }
  [[nodiscard]] const References& references() const noexcept { return references_.read(); }

 private:
  /// Whether this message would exceed the limits of queued references or knots. Releases ended
  /// references.
  [[nodiscard]] bool too_many(std::size_t points, std::int64_t now, std::int64_t start);
  void publish_references();

  const Coordinates& coordinates_;
  RejectionCounts& rejections_;
  PositionLimits limits_;
  mutable std::mutex mutex_;  // never locked by the loop
  NameMap names_;
  std::uint64_t generation_ = 0;
  References merged_;
  TripleBuffer<References> references_;
};

}  // namespace spatial_dynamics
