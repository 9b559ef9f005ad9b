// A joint state out, an effort back: how long that takes.
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

/// Asks one peer, one state at a time. An answer is the first message that carries the stamp of the state. One thread asks.
class RoundTrip {
 public:
  /// `node` must outlive this. Allocates; throws dds::Error.
  RoundTrip(dds::Node& node, const std::string& to, const std::string& from,
            const std::vector<std::string>& names);

  /// True if the peer hears us and we hear it.
  [[nodiscard]] bool connected() const { return writer_.matched() > 0 && reader_.matched() > 0; }

  /// ns from just before the state is handed to the middleware to when the middleware hands over the answer; nothing if none
  /// comes within `limit_ns`.
  std::optional<std::int64_t> ask(const AskedState& state, std::int64_t limit_ns);

  /// The efforts of the last answer.
  [[nodiscard]] const std::vector<double>& efforts() const noexcept { return efforts_; }

 private:
  void note(const dds::JointState& answer);

  dds::Message<dds::JointState> message_;
  std::int64_t last_stamp_ = 0;

  std::mutex mutex_;
  std::condition_variable answered_;
  std::int64_t awaited_ = 0;  // the stamp; 0: nothing is awaited
  std::int64_t received_ = 0;
  std::vector<double> efforts_;

  dds::Writer<dds::JointState> writer_;
  dds::Reader<dds::JointState> reader_;  // last: its callback uses all of the above
};

}  // namespace spatial_dynamics::cli
