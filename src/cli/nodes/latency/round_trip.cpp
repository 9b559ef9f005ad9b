#include "cli/nodes/latency/round_trip.hpp"

#include <algorithm>
#include <chrono>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::cli {

RoundTrip::RoundTrip(dds::Node& node, const std::string& to, const std::string& from,
                     const std::vector<std::string>& names)
    : writer_(node.advertise<dds::JointState>(to, dds::kDefaultQos)),
      reader_(node.subscribe<dds::JointState>(
          from, dds::kCommandQos, [this](const dds::JointState& answer) { note(answer); })) {
  dds::assign(message_->header.frame_id, "");
  dds::assign(message_->name, names);
}

std::optional<std::int64_t> RoundTrip::ask(const AskedState& state, std::int64_t limit_ns) {
  last_stamp_ = std::max(last_stamp_ + 1, system_now_ns());
  message_->header.stamp = dds::from_nanoseconds(last_stamp_);
  dds::assign(message_->position, state.position);
  dds::assign(message_->velocity, state.velocity);
  dds::assign(message_->effort, state.effort);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    awaited_ = last_stamp_;
  }
  const std::int64_t sent = steady_now_ns();
  (void)writer_.write(*message_);  // a lost state has no answer
  std::unique_lock<std::mutex> lock(mutex_);
  const bool came = answered_.wait_for(lock, std::chrono::nanoseconds(limit_ns),
                                       [this] { return awaited_ == 0; });
  awaited_ = 0;  // a late answer is ignored
  if (!came) return std::nullopt;
  return received_ - sent;
}

void RoundTrip::note(const dds::JointState& answer) {
  const std::int64_t now = steady_now_ns();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (awaited_ == 0 || dds::nanoseconds(answer.header.stamp) != awaited_) return;
  const auto efforts = dds::view(answer.effort);
  efforts_.assign(efforts.data(), efforts.data() + efforts.size());
  received_ = now;
  awaited_ = 0;
  answered_.notify_one();
}

}  // namespace spatial_dynamics::cli
