#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "dds/endpoint.hpp"
#include "dds/messages.hpp"

namespace spatial_dynamics::dds {

/// A subscription. The callback is `void(const T&)` or `void(const T&, const SampleInfo&)`; the message is gone when it returns.
///
/// It runs on a thread of the middleware that has received the data, or on the one that wrote it where the writer is in this
/// process. Calls of one reader never overlap; those of two readers may. It must be short, may publish, must not delete its
/// reader, and may be called before subscribe() has returned. What it throws is reported through Events::on_error.
///
/// Destruction waits for a running callback and after it there is none: declare a reader after all that its callback uses.
template <typename T>
class Reader {
 public:
  template <typename Callback>
  Reader(std::shared_ptr<Graph> graph, std::string topic, const Qos& qos, Callback callback)
      : endpoint_(std::make_unique<ReaderEndpoint>(
            std::move(graph), descriptor<T>(), std::move(topic), qos,
            [callback = std::move(callback)](const void* sample, const SampleInfo& info) mutable {
              const T& message = *static_cast<const T*>(sample);
              if constexpr (std::is_invocable_v<Callback&, const T&, const SampleInfo&>) {
                callback(message, info);
              } else {
                callback(message);
              }
            })) {}

  /// Full name.
  [[nodiscard]] const std::string& topic() const noexcept { return endpoint_->topic(); }
  /// Publishers that we hear.
  [[nodiscard]] std::uint32_t matched() const noexcept { return endpoint_->matched(); }

 private:
  std::unique_ptr<ReaderEndpoint> endpoint_;
};

}  // namespace spatial_dynamics::dds
