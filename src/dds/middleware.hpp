// Cyclone DDS as runtime/message_views.hpp and runtime/output_publishers.hpp use a middleware.
#pragma once

#include <string_view>
#include <vector>

#include "dds/message.hpp"
#include "dds/messages.hpp"
#include "dds/writer.hpp"
#include "runtime/message_views.hpp"
#include "runtime/output_publishers.hpp"

namespace spatial_dynamics::dds {

struct Cyclone {
  using Bool = dds::Bool;
  using String = dds::String;
  using Float64MultiArray = dds::Float64MultiArray;
  using JointState = dds::JointState;
  using JointTrajectory = dds::JointTrajectory;
  using Odometry = dds::Odometry;
  using AccelStamped = dds::AccelStamped;
  using WrenchStamped = dds::WrenchStamped;
  using InertiaStamped = dds::InertiaStamped;
  using Vector3Stamped = dds::Vector3Stamped;
  using DiagnosticArray = dds::DiagnosticArray;
  using MetricsMessage = dds::MetricsMessage;
  using Clock = dds::Clock;

  template <typename T>
  using Owned = Message<T>;
  template <typename T>
  using Publisher = Writer<T>;
  template <typename T>
  static bool send(Publisher<T>& publisher, const T& message) {
    return publisher.write(message);
  }

  static std::string_view text(const char* field) noexcept { return dds::text(field); }
  template <typename Sequence>
  static std::vector<std::string_view> texts(const Sequence& sequence) {
    std::vector<std::string_view> result;
    result.reserve(sequence._length);
    for (const std::string_view name : view(sequence)) result.push_back(name);
    return result;
  }
  template <typename Sequence>
  static NumberView numbers(const Sequence& sequence) noexcept {
    return {sequence._buffer, sequence._length};
  }
  template <typename Sequence>
  static auto elements(const Sequence& sequence) noexcept {
    return view(sequence);
  }
  template <typename Field, typename Value>
  static void assign(Field& field, const Value& value) {
    dds::assign(field, value);
  }
  /// Returns the elements.
  template <typename Sequence>
  static auto resize(Sequence& sequence, std::size_t size) {
    dds::resize(sequence, size);
    return dds::elements(sequence);
  }
};

}  // namespace spatial_dynamics::dds
