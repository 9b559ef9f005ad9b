// A publisher of either node with its message, and the fields that messages have in common.
// M is a front end's middleware; see message_views.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "runtime/message_views.hpp"

namespace spatial_dynamics {

/// A publisher and its message, which is reused for each sending and keeps its memory.
template <typename M, typename T>
struct OutputTopic {
  OutputTopic(Topic of, typename M::template Publisher<T> made)
      : topic(of), publisher(std::move(made)) {}

  Topic topic;
  typename M::template Publisher<T> publisher;
  typename M::template Owned<T> message;
};

/// Fills the parts that messages have in common.
template <typename M>
struct MessageFields {
  /// Times before zero, which messages can't carry, become zero.
  template <typename Time>
  static void set_time(Time& time, std::int64_t nanoseconds) noexcept {
    const std::int64_t t = std::max<std::int64_t>(0, nanoseconds);
    time.sec = static_cast<std::int32_t>(t / 1'000'000'000);
    time.nanosec = static_cast<std::uint32_t>(t % 1'000'000'000);
  }
  template <typename Header>
  static void set_header(Header& header, std::int64_t stamp, std::string_view frame) {
    set_time(header.stamp, stamp);
    M::assign(header.frame_id, frame);
  }
  template <typename Xyz>
  static void set_vector(Xyz& field, const Vector3& v) noexcept {
    field.x = v.x();
    field.y = v.y();
    field.z = v.z();
  }
};

}  // namespace spatial_dynamics
