#include "runtime/world_report.hpp"

#include <algorithm>
#include <iterator>

#include "runtime/report_values.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

std::string vector_text(const Vector3& v) {
  return "[" + rounded_text(v.x()) + ", " + rounded_text(v.y()) + ", " + rounded_text(v.z()) + "]";
}

}  // namespace

std::string payload_text(const Inertia& payload) {
  if (payload.mass == 0.0) return "none";
  return rounded_text(payload.mass) + " kg at " + vector_text(payload.com()) + " m";
}

std::string WorldReport::source_text(std::uint64_t source) const {
  std::string name = source == 0 ? std::string() : front_end_.publisher_name(source);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!name.empty()) return names_[source] = std::move(name);
  const auto found = names_.find(source);
  return found == names_.end() ? "an unknown publisher" : found->second;
}

void WorldReport::keep_names_of(const WorldValues& world) const {
  const auto is_source = [&world](std::uint64_t source) {
    return source == world.gravity.source ||
           std::any_of(world.payloads.begin(), world.payloads.end(),
                       [source](const auto& payload) { return payload.source == source; });
  };
  for (auto entry = names_.begin(); entry != names_.end();) {
    entry = is_source(entry->first) ? std::next(entry) : names_.erase(entry);
  }
}

std::vector<std::pair<std::string, std::string>> WorldReport::values(const Robot& robot,
                                                                     const Config& config) const {
  WorldValues world;
  {
    // A message is in the inbox before its publisher's name is stored, so no used name is lost.
    const std::lock_guard<std::mutex> lock(mutex_);
    world = robot.inbox.world();
    keep_names_of(world);
  }
  const bool set = world.gravity.generation != 0;
  std::vector<std::pair<std::string, std::string>> values;
  values.emplace_back("gravity", set ? vector_text(world.gravity.vector) +
                                           " m/s^2, set on ~/gravity by " +
                                           source_text(world.gravity.source)
                                     : vector_text(config.gravity) + " m/s^2, as configured");
  for (const WorldValues::Payload& payload : world.payloads) {
    values.emplace_back(
        payload_key(payload.link_name),
        payload_text(payload.inertia) +
            (payload.configured ? ", as configured"
                                : ", set on ~/payload by " + source_text(payload.source)));
  }
  return values;
}

void WorldReport::log_change(const std::string& subject, const std::string& change) {
  const std::string line = subject + change;
  std::string passed;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    constexpr std::size_t kMostSubjects = 256;  // links of robots that come and go
    if (subjects_.size() > kMostSubjects) subjects_.clear();
    // Each subject is limited by itself: a stream of gravities must not hide a payload.
    Subject& logged = subjects_[subject];
    if (logged.last == line) return;  // the same again
    logged.last = line;
    passed = logged.lines->pass(line, steady_now_ns());
  }
  if (!passed.empty()) front_end_.log(LogLevel::kWarning, passed);
}

void WorldReport::note_lost_payloads(const std::vector<std::string>& links) {
  for (const std::string& link : links) {
    log_change(
        payload_key(link),
        " is lost: the new robot has no moving link of this name; send it again on ~/payload");
  }
}

void WorldReport::note_no_robot(const char* topic) {
  const std::string line = without_robot_.pass(
      std::string("a message on ") + topic +
          " was dropped, because no robot is loaded yet; send it again when one is",
      steady_now_ns());
  if (!line.empty()) front_end_.log(LogLevel::kWarning, line);
}

void WorldReport::on_payload(const Robot& robot, const PayloadView& message,
                             RejectionReason rejection) {
  if (rejection == RejectionReason::kFixedPayload) log_fixed_payload(robot, message);
  if (rejection != RejectionReason::kNone) return;
  const Inertia payload = Inertia::from_com(message.mass, message.com, message.inertia_about_com);
  const std::string now =
      message.mass == 0.0 ? " is taken off" : " is now " + payload_text(payload);
  log_change(payload_key(message.frame_id),
             now + ", by " + source_text(message.source) + " on ~/payload");
}

void WorldReport::log_fixed_payload(const Robot& robot, const PayloadView& message) {
  const Model& model = robot.controller.model();
  const Link& moving = model.link(last_moving_link(model));
  std::string line = "payload rejected: link " + in_quotes(message.frame_id) +
                     " is fixed to the world, where a payload changes no torque";
  if (moving.body != 0) {
    line += "; give frame_id a link that moves, such as '" + moving.name + "'";
  }
  line = fixed_payloads_.pass(line, steady_now_ns());
  if (!line.empty()) front_end_.log(LogLevel::kWarning, line);
}

void WorldReport::on_gravity(const GravityView& message, RejectionReason rejection) {
  if (rejection != RejectionReason::kNone) return;
  log_change("gravity", " is now " + vector_text(message.vector) + " m/s^2, by " +
                            source_text(message.source) + " on ~/gravity");
}

void WorldReport::note_activation(const Robot& robot, const Config& config) {
  for (const auto& [what, value] : values(robot, config)) {
    std::string line = "activated with ";
    line.append(what).append(": ").append(value);
    front_end_.log(LogLevel::kWarning, line);
  }
}

void WorldReport::note_reset() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    subjects_.clear();
  }
  front_end_.log(LogLevel::kInfo,
                 "activated with the configured gravity and payloads, because "
                 "reset_world_on_activation is set");
}

}  // namespace spatial_dynamics
