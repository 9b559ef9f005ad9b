// Checks and merges what messages change of the world: gravity, payloads, known wrenches.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/messages.hpp"
#include "runtime/rejections.hpp"
#include "runtime/state_inbox.hpp"
#include "runtime/triple_buffer.hpp"
#include "spatial_dynamics/control/control_input.hpp"

namespace spatial_dynamics {

/// Gravity and payloads as parameters and messages have set them.
struct WorldValues {
  struct Payload {
    std::string link_name;
    Index link = 0;
    Inertia inertia = Inertia::Zero();  ///< in the link's frame
    std::uint64_t source = 0;           ///< the publisher; 0: unknown
    bool configured = false;            ///< by parameters; else by a message
  };
  Gravity gravity;  ///< generation 0: as configured
  /// Payloads with a mass, and configured payloads that a message has removed.
  std::vector<Payload> payloads;
  /// True if messages have set any of it.
  [[nodiscard]] bool changed() const noexcept;
};

/// The part of Inbox for ~/external_wrench, ~/payload and ~/gravity; see there for the threads.
class WorldInbox {
 public:
  WorldInbox(const Model& model, RejectionCounts& rejections);

  /// Copies gravity and payloads; a payload needs a link of that name that can move. Returns the
  /// names of the links whose payloads are lost.
  std::vector<std::string> copy_from(const WorldInbox& other);
  RejectionReason on_wrench(const WrenchView& message, std::int64_t now);
  RejectionReason on_payload(const PayloadView& message);
  /// `states` of a robot with a floating base; else null.
  RejectionReason on_gravity(const GravityView& message, const StateInbox* states);
  /// Discards gravity and payloads that messages have set.
  void reset();
  [[nodiscard]] WorldValues values() const;

  void update() noexcept;
  [[nodiscard]] const Wrenches& wrenches() const noexcept { return wrenches_.read(); }
  [[nodiscard]] const Payloads& payloads() const noexcept { return payloads_.read(); }
  [[nodiscard]] const Gravity& gravity() const noexcept { return gravity_.read(); }

 private:
  void publish_gravity();
  void publish_payloads();
  /// Counts a message whose frame_id names no link.
  RejectionReason reject_link(std::string_view name);

  std::vector<std::string> link_names_;
  std::vector<bool> link_moves_;
  std::vector<Inertia> configured_;  // per link: the payload of the model at construction
  double robot_mass_;                // kg
  RejectionCounts& rejections_;
  mutable std::mutex mutex_;  // never locked by the loop
  Wrenches merged_wrenches_;
  Payloads merged_payloads_;
  Gravity merged_gravity_;
  TripleBuffer<Wrenches> wrenches_;
  TripleBuffer<Payloads> payloads_;
  TripleBuffer<Gravity> gravity_;
};

}  // namespace spatial_dynamics
