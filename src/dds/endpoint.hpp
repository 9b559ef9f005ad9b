// The common part of readers and writers: a topic, an entity, and an entry in the ROS 2 graph.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "dds/entity.hpp"
#include "dds/graph.hpp"
#include "dds/qos.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/message_counts.hpp"
#include "runtime/topics.hpp"

struct ddsi_serdata;

namespace spatial_dynamics::dds {

/// Where a message came from.
struct SampleInfo {
  std::uint64_t publisher = 0;   ///< identifies the publisher within this process
  std::int64_t source_time = 0;  ///< time of writing, by the writer's clock, ns since 1970
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
  [[nodiscard]] Gid gid() const noexcept;
  [[nodiscard]] std::uint32_t matched() const noexcept;
  [[nodiscard]] bool write(const void* sample);
  [[nodiscard]] bool wait_until_acknowledged(std::chrono::nanoseconds limit) const noexcept;

 private:
  std::shared_ptr<Graph> graph_;
  std::string topic_;
  Entity writer_;
};

/// Messages beyond these limits are dropped unread and reported.
struct ReadLimits {
  std::uint32_t bytes;          ///< serialised
  CountCheck counts = nullptr;  ///< may be null
};

/// Subscribes to one topic.
class ReaderEndpoint {
 public:
  using Deliver = std::function<void(const void* sample, const SampleInfo& info)>;

  ReaderEndpoint(std::shared_ptr<Graph> graph, const dds_topic_descriptor_t& type,
                 std::string topic, const Qos& qos, ReadLimits limits, Delivery delivery,
                 Deliver deliver);
  ~ReaderEndpoint();
  ReaderEndpoint(const ReaderEndpoint&) = delete;
  ReaderEndpoint& operator=(const ReaderEndpoint&) = delete;

  [[nodiscard]] const std::string& topic() const noexcept { return topic_; }
  [[nodiscard]] std::uint32_t matched() const noexcept;

 private:
  class Sample;
  class OwnThread;
  void take_all(dds_entity_t reader) noexcept;
  void drop(const std::string& reason);
  void take(const ddsi_serdata& data, const dds_sample_info_t& info);

  std::shared_ptr<Graph> graph_;
  std::string topic_;
  ReadLimits limits_;
  LineLimiter dropped_;  // limits log lines about dropped messages
  Deliver deliver_;
  std::unique_ptr<Sample> sample_;
  std::unique_ptr<OwnThread> own_thread_;  // null: the middleware's thread delivers
  Entity reader_;  // last, so that callbacks end before the other members are destroyed
};

}  // namespace spatial_dynamics::dds
