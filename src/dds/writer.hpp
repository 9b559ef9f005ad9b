#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "dds/endpoint.hpp"
#include "dds/messages.hpp"

namespace spatial_dynamics::dds {

/// A publication.
template <typename T>
class Writer {
 public:
  Writer(std::shared_ptr<Graph> graph, std::string topic, const Qos& qos)
      : endpoint_(std::make_unique<WriterEndpoint>(std::move(graph), descriptor<T>(),
                                                   std::move(topic), qos)) {}

  /// Sends a message without waiting for slow readers, which may miss it. Returns false if the
  /// message could not be sent and is lost. Takes tens of microseconds, rarely milliseconds, and
  /// allocates in the middleware: not for a real-time thread. Thread-safe. Throws Error.
  [[nodiscard]] bool write(const T& message) { return endpoint_->write(&message); }

  /// Waits until every reliable subscriber has received all messages. False if one has not after
  /// `limit`. The destructor does not wait.
  [[nodiscard]] bool wait_until_acknowledged(std::chrono::nanoseconds limit) const noexcept {
    return endpoint_->wait_until_acknowledged(limit);
  }

  /// Full name.
  [[nodiscard]] const std::string& topic() const noexcept { return endpoint_->topic(); }
  [[nodiscard]] Gid gid() const noexcept { return endpoint_->gid(); }
  /// Number of matched subscribers.
  [[nodiscard]] std::uint32_t matched() const noexcept { return endpoint_->matched(); }

 private:
  std::unique_ptr<WriterEndpoint> endpoint_;
};

}  // namespace spatial_dynamics::dds
