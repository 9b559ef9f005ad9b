// Logs and describes payloads and gravity, as parameters and messages have set them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "runtime/front_end.hpp"
#include "runtime/log_limits.hpp"

namespace spatial_dynamics {

/// "1.5 kg at [0, 0, 0.05] m", with the centre of mass in the link's frame; "none" without a mass.
std::string payload_text(const Inertia& payload);

/// Any thread but the loop's. Allocates.
class WorldReport {
 public:
  explicit WorldReport(FrontEnd& front_end) : front_end_(front_end) {}

  /// Keys and values for diagnostics.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> values(const Robot& robot,
                                                                        const Config& config) const;
  /// A message was accepted, or rejected for this reason.
  void on_payload(const Robot& robot, const PayloadView& message, RejectionReason rejection);
  void on_gravity(const GravityView& message, RejectionReason rejection);
  /// A message arrived before the first robot.
  void note_no_robot(const char* topic);
  /// A new robot lacks these links.
  void note_lost_payloads(const std::vector<std::string>& links);
  /// The node was activated: logs what messages have set.
  void note_activation(const Robot& robot, const Config& config);
  /// Messages' settings were discarded.
  void note_reset();

 private:
  /// Logs one line, unless it is the last one of this subject.
  void log_change(const std::string& subject, const std::string& change);
  void log_fixed_payload(const Robot& robot, const PayloadView& message);
  /// The publisher's name, also after it has ended if on_payload() or on_gravity() has found it.
  [[nodiscard]] std::string source_text(std::uint64_t source) const;
  /// Discards the names of publishers whose messages are no longer in use.
  void keep_names_of(const WorldValues& world) const;

  struct Subject {
    std::string last;
    std::unique_ptr<LineLimiter> lines = std::make_unique<LineLimiter>();
  };

  FrontEnd& front_end_;
  LineLimiter fixed_payloads_, without_robot_;
  mutable std::mutex mutex_;
  std::map<std::string, Subject> subjects_;             // gravity, a link
  mutable std::map<std::uint64_t, std::string> names_;  // of publishers
};

}  // namespace spatial_dynamics
