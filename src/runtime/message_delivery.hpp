// Gives messages to the robots of a node.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>

#include "runtime/front_end.hpp"
#include "runtime/payload_check.hpp"
#include "runtime/torque_cycle.hpp"
#include "runtime/world_report.hpp"

namespace spatial_dynamics {

/// Delivers each message to every robot that there is, and reports what payloads and gravity have
/// become. During the replacement of a robot there are two. Functions may be called from any thread
/// but the loop's. Both arguments of the constructor outlive it.
class MessageDelivery {
 public:
  MessageDelivery(FrontEnd& front_end, TorqueCycle& cycle)
      : front_end_(front_end), cycle_(cycle), world_(front_end) {}

  // Messages. Each is counted under its reason if it is dropped.
  /// Returns true if a robot has accepted it. `now` is the steady clock, ns.
  bool on_joint_states(const JointStateView& message, std::int64_t now) const;
  void on_odometry(const OdometryView& message) const;
  void on_reference(const TrajectoryView& message) const;
  void on_effort_command(const JointStateView& message) const;
  void on_stiffness(const JointStateView& message) const;
  void on_wrench(const WrenchView& message) const;
  void on_payload(const PayloadView& message, const Vector3& configured_gravity);
  void on_gravity(const GravityView& message, const Vector3& configured_gravity);

  /// What replaces missing velocities of states.
  void set_missing_velocity(MissingVelocity choice) noexcept { missing_velocity_.store(choice); }
  /// Before an activation: logs the payloads and the gravity that messages have set, or discards
  /// them (reset_world_on_activation).
  void prepare_world(const Config& config);
  /// See DynamicsCore.
  std::uint64_t discard_references(std::uint64_t generation) const;
  /// No message is delivered while the lock is held: a new robot copies the inbox of the old one.
  [[nodiscard]] std::unique_lock<std::shared_mutex> pause() const {
    return std::unique_lock<std::shared_mutex>(deliveries_);
  }

  [[nodiscard]] WorldReport& world() noexcept { return world_; }
  [[nodiscard]] PayloadCheck& payload_check() noexcept { return payload_check_; }

 private:
  /// Delivers a message: to every robot that there is, whole or not at all during an offer.
  template <typename Handle>
  void for_each_robot(const Handle& handle) const {
    const std::shared_lock<std::shared_mutex> lock(deliveries_);
    const auto robots = cycle_.robots().alive();
    for (const std::shared_ptr<Robot>& robot : *robots) handle(*robot);
  }

  FrontEnd& front_end_;
  TorqueCycle& cycle_;
  mutable std::shared_mutex deliveries_;
  std::atomic<MissingVelocity> missing_velocity_{MissingVelocity::kZero};
  WorldReport world_;
  PayloadCheck payload_check_;
};

}  // namespace spatial_dynamics
