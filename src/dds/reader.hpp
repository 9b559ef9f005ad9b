#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "dds/discovery_options.hpp"
#include "dds/endpoint.hpp"
#include "dds/messages.hpp"
#include "runtime/message_counts.hpp"

namespace spatial_dynamics::dds {

/// The largest serialised message in bytes; larger ones are dropped unread. Joint states: 100,000
/// joints. Text: the largest accepted robot description. Trajectories and matrices: the limit of
/// the middleware.
template <typename T>
constexpr std::uint32_t largest_message() {
  constexpr std::uint32_t kMiB = 1U << 20;
  if constexpr (std::is_same_v<T, String>) return 17 * kMiB;
  if constexpr (std::is_same_v<T, JointState>) return 8 * kMiB;
  if constexpr (std::is_same_v<T, JointTrajectory> || std::is_same_v<T, Float64MultiArray>) {
    return kLargestSample;
  }
  return kMiB;
}

/// The check of the numbers of names and points in a serialised message. See message_counts.hpp.
template <typename T>
constexpr CountCheck count_check() {
  if constexpr (std::is_same_v<T, JointState>) return check_joint_state_counts;
  if constexpr (std::is_same_v<T, JointTrajectory>) return check_trajectory_counts;
  return nullptr;
}

/// A subscription, whatever its message type. Destruction waits for a running callback; there is
/// none afterwards. Declare it after everything that its callback uses.
class AnyReader {
 public:
  /// Full name.
  [[nodiscard]] const std::string& topic() const noexcept { return endpoint_->topic(); }
  /// Number of matched publishers.
  [[nodiscard]] std::uint32_t matched() const noexcept { return endpoint_->matched(); }

 protected:
  explicit AnyReader(std::unique_ptr<ReaderEndpoint> endpoint) : endpoint_(std::move(endpoint)) {}

 private:
  std::unique_ptr<ReaderEndpoint> endpoint_;
};

/// A subscription. The callback is `void(const T&)` or `void(const T&, const SampleInfo&)`; the
/// message is valid until it returns.
///
/// The callback runs on the thread of the middleware that received the data, or on the writer's
/// thread if the writer is in this process; with Delivery::kOwnThread, on a thread of the reader.
/// Calls of one reader never overlap; those of two readers may. The callback must be short, may
/// publish, must not delete its reader, and may be called before subscribe() has returned. An
/// exception that it throws is reported through Events::on_error.
template <typename T>
class Reader : public AnyReader {
 public:
  template <typename Callback>
  Reader(std::shared_ptr<Graph> graph, std::string topic, const Qos& qos, Callback callback,
         Delivery delivery = Delivery::kDirect)
      : AnyReader(std::make_unique<ReaderEndpoint>(
            std::move(graph), descriptor<T>(), std::move(topic), qos,
            ReadLimits{largest_message<T>(), count_check<T>()}, delivery,
            [callback = std::move(callback)](const void* sample, const SampleInfo& info) mutable {
              const T& message = *static_cast<const T*>(sample);
              if constexpr (std::is_invocable_v<Callback&, const T&, const SampleInfo&>) {
                callback(message, info);
              } else {
                callback(message);
              }
            })) {}
};

}  // namespace spatial_dynamics::dds
