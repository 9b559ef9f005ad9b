// What readers and writers have in common: a topic, an entity, and a place in the ROS 2 graph.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "dds/entity.hpp"
#include "dds/graph.hpp"
#include "dds/qos.hpp"

namespace spatial_dynamics::dds {

/// Where a message came from.
struct SampleInfo {
  std::uint64_t publisher = 0;   ///< tells publishers apart; unique within the process
  std::int64_t source_time = 0;  ///< when it was written, by the writer's clock, ns since 1970
};

/// Publishes to one topic.
class WriterEndpoint {
 public:
  WriterEndpoint(std::shared_ptr<Graph> graph, const dds_topic_descriptor_t& type,
                 std::string topic, const Qos& qos);
  ~WriterEndpoint();
  WriterEndpoint(const WriterEndpoint&) = delete;
  WriterEndpoint& operator=(const WriterEndpoint&) = delete;

  [[nodiscard]] const std::string& topic() const noexcept { return topic_; }
  [[nodiscard]] std::uint32_t matched() const noexcept;
  [[nodiscard]] bool write(const void* sample);
  [[nodiscard]] bool wait_until_heard(std::chrono::nanoseconds limit) const noexcept;

 private:
  std::shared_ptr<Graph> graph_;
  std::string topic_;
  Entity writer_;
};

/// Listens to one topic.
class ReaderEndpoint {
 public:
  using Deliver = std::function<void(const void* sample, const SampleInfo& info)>;

  ReaderEndpoint(std::shared_ptr<Graph> graph, const dds_topic_descriptor_t& type,
                 std::string topic, const Qos& qos, Deliver deliver);
  ~ReaderEndpoint();
  ReaderEndpoint(const ReaderEndpoint&) = delete;
  ReaderEndpoint& operator=(const ReaderEndpoint&) = delete;

  [[nodiscard]] const std::string& topic() const noexcept { return topic_; }
  [[nodiscard]] std::uint32_t matched() const noexcept;

 private:
  class Sample;
  void take_all(dds_entity_t reader) noexcept;

  std::shared_ptr<Graph> graph_;
  std::string topic_;
  Deliver deliver_;
  std::unique_ptr<Sample> sample_;
  Entity reader_;  // last, so that callbacks have ended before the rest goes
};

}  // namespace spatial_dynamics::dds
