// Where messages come in: each is checked whole, then put into a wait-free box for the loop.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "spatial_dynamics/runtime/engine.hpp"
#include "spatial_dynamics/runtime/messages.hpp"
#include "spatial_dynamics/runtime/triple_buffer.hpp"

namespace spatial_dynamics {

/// Why a message was dropped, or what was odd about one that was taken. Diagnostics show each by name and count.
enum class Oddity : std::uint8_t {
  kNone,
  // dropped whole
  kNoNames,         ///< names are empty
  kTooLarge,        ///< more names or points than any robot has
  kLengthMismatch,  ///< an array's length differs from the names'
  kDuplicateNames,  ///< a joint is named twice
  kBadPosition,     ///< a position is not finite or absurd
  kBadNumber,       ///< another number is not finite or absurd
  kUnknownJoint,    ///< a command names a joint that the robot does not have
  kBadTimes,        ///< points of a trajectory do not follow each other
  kUnknownLink,     ///< frame_id names no link
  kNoBasePose,      ///< gravity in the frame of a base whose orientation is not known yet
  kBadPayload,      ///< negative mass, or an inertia that no matter has
  kFixedPayload,    ///< a payload on a link that is fixed to the world, where it changes no torque
  kNoClock,         ///< a stamp says when to start, but use_sim_time is set and /clock is silent
  kOutdated,        ///< older, by less than a second, than what is known
  // taken, and counted
  kMissingVelocity,  ///< no (or no finite) velocity: the missing_velocity policy is at work
  kMissingEffort,    ///< an effort that is not finite
  kTimeWentBack,     ///< a stamp a second or more in the past of the last one: filters restart
  kReceiveTimeUsed,  ///< stamp zero or in the future
  kTwoPublishers,    ///< one joint's states come from two publishers
  kCount
};
/// One line of words for diagnostics.
const char* to_string(Oddity oddity) noexcept;
/// True for those that drop the message.
bool drops(Oddity oddity) noexcept;

/// Callbacks of the middleware call the on_…() functions from any thread: they lock among themselves, may allocate, and return
/// kNone or why the message was dropped. The loop's thread alone calls update() and inputs(): wait-free, real-time safe.
class Inbox {
 public:
  /// For the model of this engine. Allocates.
  explicit Inbox(const Engine& engine);

  /// Takes over what another inbox knows, for a robot with the same coordinates that is about to replace it: payloads where a link
  /// of that name is there and moves. Wrenches stay behind; they are short-lived. Allocates.
  void take_over(const Inbox& other);

  // ---- callbacks' side. `now` is the steady clock, `ros_now` the clock of the stamps, both ns; 0: it is not known yet.
  Oddity on_joint_states(const JointStateView& message, std::int64_t now, std::int64_t ros_now,
                         MissingVelocity missing_velocity);
  Oddity on_odometry(const OdometryView& message, std::int64_t now, std::int64_t ros_now);
  Oddity on_reference(const TrajectoryView& message, std::int64_t now, std::int64_t ros_now);
  Oddity on_effort_command(const JointStateView& message, std::int64_t now);
  Oddity on_wrench(const WrenchView& message, std::int64_t now);
  Oddity on_payload(const PayloadView& message);
  Oddity on_gravity(const GravityView& message);

  /// How often each oddity was seen; indexed by Oddity.
  [[nodiscard]] std::uint64_t count(Oddity oddity) const noexcept {
    return counts_[static_cast<std::size_t>(oddity)].load(std::memory_order_relaxed);
  }
  /// A joint whose states come from two publishers; empty if there is none.
  [[nodiscard]] std::string disputed_joint() const;
  /// A joint whose states have never carried a velocity; empty if there is none.
  [[nodiscard]] std::string joint_without_velocity() const;
  /// By how much the newest state's stamp is behind the clock of the stamps, ns; 0 where nobody knows.
  [[nodiscard]] std::int64_t stamp_lag() const noexcept {
    return stamp_lag_.load(std::memory_order_relaxed);
  }

  // ---- loop's side
  void update() noexcept;
  [[nodiscard]] EngineInputs inputs(const Settings& settings, bool active) const noexcept {
    return {settings,         states_.read(),   references_.read(), effort_command_.read(),
            wrenches_.read(), payloads_.read(), gravity_.read(),    active};
  }

 private:
  /// What tells whether a state is older than another: stamps of one publisher, as it has given them, whatever its clock shows.
  struct Sequence {
    std::int64_t stamp = 0;  // ns; 0: none
    std::uint64_t source = 0;
    bool doubtful = false;  // the stamp is in our future: it orders its like, and nothing else
  };
  enum class Order { kNext, kOutdated, kWentBack };
  static Order order_of(const Sequence& last, const Sequence& next) noexcept;
  struct JointRecord {  // callbacks' side, per scalar coordinate
    Sequence last;
    std::int64_t received = 0;      // steady clock
    std::int64_t source_since = 0;  // steady clock: when the source last changed
    double position = 0.0;
    bool known = false;
    bool had_velocity = false;  // a message that carries none is then an exception
  };
  /// Scalar coordinates of a list of names (kNoIndex: not one of ours), looked up only when the names change.
  struct NameMap {
    std::vector<std::string> names;
    std::vector<Index> index;
    Oddity oddity = Oddity::kNone;
  };
  const NameMap& map_names(NameMap& map, const std::vector<std::string_view>& names) const;
  void take_joint(const JointStateView& message, std::size_t i, std::size_t k, const Sequence& next,
                  std::int64_t now, MissingVelocity missing_velocity);
  [[nodiscard]] static double difference(const JointRecord& record, const Sequence& next,
                                         std::int64_t now, double moved, double before) noexcept;
  void note_source(std::size_t k, std::uint64_t source, std::int64_t now) noexcept;
  Oddity noted(Oddity oddity) noexcept;
  void hand_over_states(std::int64_t stamp, std::int64_t now, std::int64_t ros_now);

  std::vector<ScalarCoordinate> coordinates_;
  bool floating_base_;
  std::vector<std::string> link_names_;
  std::vector<bool> link_moves_;

  mutable std::mutex callbacks_;  // never taken by the loop
  NameMap state_names_, reference_names_, effort_names_;
  std::vector<JointRecord> records_;
  Sequence odometry_;
  std::int64_t disputed_at_ = 0;
  std::size_t disputed_ = 0;
  std::uint64_t generation_ = 0;
  JointStates merged_states_;
  References merged_references_;
  EffortCommand merged_effort_;
  Wrenches merged_wrenches_;
  Payloads merged_payloads_;
  Gravity merged_gravity_;
  std::atomic<std::int64_t> stamp_lag_{0};
  std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Oddity::kCount)> counts_{};

  TripleBuffer<JointStates> states_;
  TripleBuffer<References> references_;
  TripleBuffer<EffortCommand> effort_command_;
  TripleBuffer<Wrenches> wrenches_;
  TripleBuffer<Payloads> payloads_;
  TripleBuffer<Gravity> gravity_;
};

}  // namespace spatial_dynamics
