// Checks and merges the states of joints and of a floating base.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/config.hpp"
#include "runtime/joint_filter.hpp"
#include "runtime/messages.hpp"
#include "runtime/rejections.hpp"
#include "runtime/source_watch.hpp"
#include "runtime/triple_buffer.hpp"
#include "spatial_dynamics/control/control_input.hpp"

namespace spatial_dynamics {

/// The part of Inbox for joint_states and odometry; see there for the threads. All arguments of the
/// constructor outlive it.
class StateInbox {
 public:
  StateInbox(const Model& model, const Coordinates& coordinates, JointStates blank,
             RejectionCounts& rejections);

  /// Copies the states of a robot with the same coordinates.
  void copy_from(const StateInbox& other);
  void set_jump_factor(double factor) noexcept { jump_factor_.store(factor); }

  RejectionReason on_joint_states(const JointStateView& message, std::int64_t now,
                                  std::int64_t ros_now, MissingVelocity missing_velocity);
  RejectionReason on_odometry(const OdometryView& message, std::int64_t now, std::int64_t ros_now);

  /// See Inbox.
  [[nodiscard]] std::vector<std::string> joints_silent_since(std::int64_t time) const;
  [[nodiscard]] std::string disputed_joint() const;
  [[nodiscard]] bool odometry_disputed() const;
  [[nodiscard]] std::string joint_without_effort() const;
  [[nodiscard]] std::string joint_without_velocity() const;
  [[nodiscard]] std::int64_t stamp_lag() const noexcept {
    return stamp_lag_.load(std::memory_order_relaxed);
  }
  /// Of the floating base; none before its first odometry.
  [[nodiscard]] std::optional<Quaternion> base_orientation() const;

  void update() noexcept { states_.update(); }
  [[nodiscard]] const JointStates& states() const noexcept { return states_.read(); }

 private:
  /// Decides whether a state is older than another: the stamps of one publisher, as it gave them.
  struct Sequence {
    std::int64_t stamp = 0;  // ns; 0: none
    std::uint64_t source = 0;
    bool doubtful = false;  // in our future: compared only with others of this kind
  };
  enum class Order : std::uint8_t { kNext, kOutdated, kWentBack };
  /// The last stamps of some publishers. Each is ordered by its own: two may have two clocks.
  class Stamps {
   public:
    [[nodiscard]] Order order_of(const Sequence& next) const noexcept;
    void accept(const Sequence& next) noexcept;

   private:
    std::array<Sequence, 4> last_{};  // one per publisher
    std::size_t oldest_ = 0;          // the next one to be replaced
  };
  [[nodiscard]] static bool comparable(const Sequence& last, const Sequence& next) noexcept;
  struct JointRecord {  // callbacks' side, per scalar coordinate
    Sequence last;
    Stamps stamps;
    SourceWatch sources;
    JointFilter filter;
    Order order = Order::kNext;  // of the message in progress
  };
  void take_joint(const JointStateView& message, std::size_t i, std::size_t k, const Sequence& next,
                  std::int64_t now, MissingVelocity missing_velocity);
  [[nodiscard]] bool jumps(const JointStateView& message, const Sequence& next, std::int64_t now);
  [[nodiscard]] static JointReading reading_of(const JointStateView& message,
                                               std::size_t i) noexcept;
  [[nodiscard]] static ReadingTime time_of(const JointRecord& record, const Sequence& next,
                                           std::int64_t now) noexcept;
  void publish_states(std::int64_t stamp, std::int64_t now, std::int64_t ros_now);

  const Coordinates& coordinates_;
  RejectionCounts& rejections_;
  mutable std::mutex mutex_;  // never locked by the loop
  NameMap names_;
  std::vector<JointRecord> records_;
  Stamps odometry_;
  SourceWatch odometry_sources_;
  std::int64_t latest_ = 0;  // `now` of the newest state
  JointStates merged_;
  std::atomic<double> jump_factor_{Config{}.state_jump_factor};
  std::atomic<std::int64_t> stamp_lag_{0};
  TripleBuffer<JointStates> states_;
};

}  // namespace spatial_dynamics
