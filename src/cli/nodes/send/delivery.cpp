#include "cli/nodes/send/send.hpp"

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "runtime/report_values.hpp"

namespace spatial_dynamics::cli {
namespace {

/// Nodes report once a second.
constexpr std::int64_t kReportLimit = 5'000'000'000;

std::uint64_t count_of(const NodeReport& report, RejectionReason reason) {
  return std::strtoull(report.value(to_string(reason)).c_str(), nullptr, 10);
}

/// The reason, with the element and the remedy if the node explains them.
std::string explanation(const NodeReport& report, RejectionReason reason) {
  const std::string words = to_string(reason), last = report.value(kLastRejectionKey);
  return last.compare(0, words.size(), words) == 0 ? last : words;
}

std::string silent(const std::string& target) {
  return "node " + target + " sent no diagnostics in 5 s; see its log.";
}

}  // namespace

Connection::Connection(DeliveryOptions options, const dds::RosArguments& ros)
    : options_(std::move(options)),
      node_(node_options(ros, "sender")),
      target_(node_.resolve(options_.node)),
      topic_(target_ + find_topic(topic_table(), options_.topic).name.substr(1)),
      reports_(node_, target_) {}

void Connection::wait(const std::function<bool()>& is_true, std::int64_t limit,
                      const std::string& failure) const {
  const bool in_time = wait_until([&] { return signals_.pending() || is_true(); }, limit);
  if (signals_.pending()) {
    throw std::runtime_error("ended by a signal; the " + options_.what +
                             " may or may not have arrived.");
  }
  if (!in_time) throw std::runtime_error(failure);
}

void Connection::connect(const std::function<bool()>& matched) {
  wait([&] { return matched() && reports_.matched(); }, kDiscovery, no_subscriber(topic_, node_));
  wait([&] { return reports_.newest().received > 0; }, kReportLimit, silent(target_));
  before_ = reports_.newest();
  if (before_.value("robot").empty()) {
    throw std::runtime_error("node " + target_ + " has no robot yet, so it drops the " +
                             options_.what + "; it reports: " + before_.message);
  }
}

void Connection::check(const NodeReport& report) const {
  for (const RejectionReason reason : options_.reasons) {
    if (count_of(report, reason) <= count_of(before_, reason)) continue;
    throw std::runtime_error("node " + target_ + " rejected the " + options_.what + ": " +
                             explanation(report, reason) + ".");
  }
}

NodeReport Connection::result(std::int64_t sent) const {
  (void)wait_until([&] { return reports_.newest().received > sent + kTransitTime; }, kReportLimit);
  if (options_.topic == Topic::kPayload) {  // the report then has the result of its check
    (void)wait_until([&] { return reports_.newest().value(kPayloadCheckKey).empty(); },
                     kReportLimit);
  }
  NodeReport report = reports_.newest();
  if (report.received <= sent + kTransitTime) throw std::runtime_error(silent(target_));
  check(report);
  return report;
}

void Connection::throw_unacknowledged() const {
  throw std::runtime_error("node " + target_ + " did not acknowledge the " + options_.what +
                           "; try again.");
}

}  // namespace spatial_dynamics::cli
