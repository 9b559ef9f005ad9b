// Measures the time from a joint state to the effort that answers it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "dds/node.hpp"

namespace spatial_dynamics::cli {

/// One joint state; SI units.
struct AskedState {
  std::vector<double> position, velocity, effort;
};

/// Sends states to one peer, one at a time, and waits for the first message with the same stamp.
/// For one thread.
class RoundTrip {
 public:
  /// `node` must outlive it. Allocates; throws dds::Error.
  RoundTrip(dds::Node& node, const std::string& to, const std::string& from,
            const std::vector<std::string>& names);

  /// True if both topics are connected.
  [[nodiscard]] bool connected() const { return writer_.matched() > 0 && reader_.matched() > 0; }

  /// Returns the time in ns from the call that sends the state to the callback with the answer;
  /// nothing if none arrives within `limit_ns`.
  std::optional<std::int64_t> ask(const AskedState& state, std::int64_t limit_ns);

  /// The efforts of the last answer.
  [[nodiscard]] const std::vector<double>& efforts() const noexcept { return efforts_; }

 private:
  void note(const dds::JointState& answer);

  dds::Message<dds::JointState> message_;
  std::int64_t last_stamp_ = 0;

  std::mutex mutex_;
  std::condition_variable answered_;
  std::int64_t awaited_ = 0;  // the stamp; 0: no answer is awaited
  std::int64_t received_ = 0;
  std::vector<double> efforts_;

  dds::Writer<dds::JointState> writer_;
  dds::Reader<dds::JointState> reader_;  // last: its callback uses the members above
};

}  // namespace spatial_dynamics::cli
