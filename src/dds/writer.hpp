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

  /// Sends a message; slow readers miss it rather than hold it up. False if it could not go out and
  /// is lost. Takes tens of microseconds, seldom milliseconds, and allocates in the middleware: not
  /// for a real-time thread. Thread-safe. Throws Error.
  [[nodiscard]] bool write(const T& message) { return endpoint_->write(&message); }

  /// Waits until every reliable subscriber has what was written. False if one still has not after
  /// `limit`. A writer that ends does not wait.
  [[nodiscard]] bool wait_until_acknowledged(std::chrono::nanoseconds limit) const noexcept {
    return endpoint_->wait_until_acknowledged(limit);
  }

  /// Full name.
  [[nodiscard]] const std::string& topic() const noexcept { return endpoint_->topic(); }
  [[nodiscard]] Gid gid() const noexcept { return endpoint_->gid(); }
  /// Subscribers that hear us.
  [[nodiscard]] std::uint32_t matched() const noexcept { return endpoint_->matched(); }

 private:
  std::unique_ptr<WriterEndpoint> endpoint_;
};

}  // namespace spatial_dynamics::dds
