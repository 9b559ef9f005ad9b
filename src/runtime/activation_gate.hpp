// When a node may send its first torque although others publish its torque topics.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace spatial_dynamics {

/// Another node's publisher on one of our torque topics.
struct ForeignPublisher {
  std::uint64_t source = 0;       ///< identifies it, as the source of its messages
  std::string topic;              ///< full name
  std::string node;               ///< full name; empty if it is not known
  bool is_dynamics_node = false;  ///< another spatial_dynamics node
  bool precedes_us = false;       ///< its identifier (GUID) is lower than ours
};

/// Keeps two nodes from driving one robot. The gate is closed
/// - for kLookAround after look_around(), so that others can be discovered;
/// - while another spatial_dynamics node has sent a torque within kRecent;
/// - for kTie after this node became ready, if a spatial_dynamics node with a lower identifier is
///   present and silent: that one starts first.
/// The node asks open() before its first torque, and again after a pause of kRecent or longer
/// (SIGSTOP), in which another may have replaced it.
///
/// A node that has sent for kSettling without receiving another's torque never yields. Two nodes
/// that start before they discover each other both send. yields() settles this tie: the one with
/// the higher identifier ramps to zero at once, and the other one only if it still receives torques
/// after kPersists, from a node that therefore was there before and does not yield. Times are of
/// the steady clock, ns. See docs/decisions/0016.
class ActivationGate {
 public:
  static constexpr std::int64_t kLookAround = 200'000'000;
  static constexpr std::int64_t kRecent = 500'000'000;
  static constexpr std::int64_t kTie = 300'000'000;
  static constexpr std::int64_t kSettling = 2'000'000'000;
  static constexpr std::int64_t kPersists = 5'000'000'000;  // longer than most ramps to zero

  /// Any thread. Real-time safe.
  void look_around(std::int64_t now) noexcept { opens_at_.store(now + kLookAround); }

  // Any thread but the loop's. Allocate.
  /// Replaces the list.
  void set_publishers(std::vector<ForeignPublisher> publishers);
  /// A torque from this source has arrived. Sources that are not in the list are ignored.
  void note_torque(std::uint64_t source, std::int64_t now);
  [[nodiscard]] std::vector<ForeignPublisher> publishers() const;
  /// The spatial_dynamics node that keeps the gate closed: "node /x sends on /dynamics/torque";
  /// empty if there is none.
  [[nodiscard]] std::string obstacle(std::int64_t now) const;

  /// Whether the first torque, or the first one after a pause, may be sent. `ready`: all other
  /// conditions for sending are met. One thread at a time. Real-time safe.
  [[nodiscard]] bool open(std::int64_t now, bool ready) noexcept;
  /// Whether a node that has sent torques since `since` must ramp to zero, because it started at
  /// the same time as another. Same thread as open(). Real-time safe.
  [[nodiscard]] bool yields(std::int64_t now, std::int64_t since) noexcept;

 private:
  struct Peer {
    ForeignPublisher publisher;
    std::int64_t heard = kNever;
  };
  static constexpr std::int64_t kNever = INT64_MIN / 2;

  static constexpr std::int64_t kNobody = INT64_MAX;
  // A node with a lower identifier starts first only if its last torque is older than this: a node
  // that sent torques more recently has stopped and does not wait.
  static constexpr std::int64_t kSilent = 2 * kRecent;

  [[nodiscard]] static bool is_before_us(const Peer& peer, std::int64_t now) noexcept;
  void note_order();

  mutable std::mutex mutex_;
  std::vector<Peer> peers_;
  std::atomic<std::int64_t> opens_at_{kNever};
  std::atomic<std::int64_t> heard_{kNever};        // the newest torque of a spatial_dynamics node
  std::atomic<std::int64_t> heard_lower_{kNever};  // of one with a lower identifier than ours
  // Among the spatial_dynamics nodes with a lower identifier: the oldest time of a last torque.
  std::atomic<std::int64_t> first_heard_{kNobody};
  // Used by the loop's thread only.
  std::int64_t ready_since_ = kNever;
  std::int64_t tie_since_ = kNever;  // when yields() first saw another's torque
};

}  // namespace spatial_dynamics
