#include "dds/endpoint.hpp"

#include <dds/ddsi/ddsi_serdata.h>
#include <semaphore.h>

#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include "dds/error.hpp"
#include "dds/type_hash.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::dds {
namespace {

/// Synchronises the threads that use an endpoint one after the other: the thread that creates it,
/// those that run its callbacks, and the thread that deletes it. The middleware synchronises them
/// too, but in a way that sanitizers do not detect. Not a member of endpoints, because it outlives
/// them.
void synchronise() noexcept {
  static std::atomic<std::uint64_t> turns{0};
  turns.fetch_add(1, std::memory_order_acq_rel);
}

/// Serialised bytes up to which a message's memory is kept for the next one.
constexpr std::uint32_t kLargestKept = 1U << 20;

ListenerHandle make_listener() {
  ListenerHandle listener(dds_create_listener(nullptr));
  if (!listener) throw std::bad_alloc();
  return listener;
}

/// Makes the topic and, with `create(participant, topic, qos)`, the endpoint on it.
template <typename Create>
Entity make_endpoint(const Graph& graph, const dds_topic_descriptor_t& type,
                     const std::string& topic, const Qos& qos, EndpointKind kind,
                     const Create& create) {
  const std::string type_name = ros_type_name(type.m_typename);
  const std::string what = "topic '" + topic + "' (" + type_name + ") could not be " +
                           (kind == EndpointKind::kWriter ? "published" : "subscribed to");
  const dds_entity_t participant = graph.participant().handle();
  // The endpoint keeps the topic alive, so this handle may be deleted.
  const Entity topic_entity(checked(
      dds_create_topic(participant, &type, dds_topic_name(topic).c_str(), nullptr, nullptr), what));
  const QosHandle handle = make_qos(qos, kind, type_hash(type_name));
  return Entity(checked(create(participant, topic_entity.get(), handle.get()), what));
}

void report_mismatch(const Graph& graph, const std::string& topic, EndpointKind kind,
                     std::uint32_t policy) noexcept {
  if (!graph.events().on_qos_mismatch) return;
  try {
    graph.events().on_qos_mismatch({topic, kind == EndpointKind::kWriter, policy_name(policy)});
  } catch (...) {  // NOLINT(bugprone-empty-catch): nothing else can be done
  }
}

/// Why `check` rejects a serialised message; empty if it may be decoded.
std::string excess(const ddsi_serdata& data, std::uint32_t size, CountCheck check) {
  if (check == nullptr) return {};
  ddsrt_iovec_t bytes{};
  ddsi_serdata* const held = ddsi_serdata_to_ser_ref(&data, 0, size, &bytes);
  if (held == nullptr) return {};
  const std::unique_ptr<const ddsrt_iovec_t, std::function<void(const ddsrt_iovec_t*)>> release(
      &bytes, [held](const ddsrt_iovec_t* part) { ddsi_serdata_to_ser_unref(held, part); });
  return check({static_cast<const char*>(bytes.iov_base), bytes.iov_len});
}

void report_error(const Graph& graph, const std::string& topic, const std::string& what) noexcept {
  if (!graph.events().on_error) return;
  try {
    graph.events().on_error("topic '" + topic + "': " + what);
  } catch (...) {  // NOLINT(bugprone-empty-catch): as above
  }
}

}  // namespace

WriterEndpoint::WriterEndpoint(std::shared_ptr<Graph> graph, const dds_topic_descriptor_t& type,
                               std::string topic, const Qos& qos)
    : graph_(std::move(graph)), topic_(std::move(topic)) {
  const ListenerHandle listener = make_listener();
  const auto on_mismatch = [](dds_entity_t, const dds_offered_incompatible_qos_status_t status,
                              void* argument) {
    synchronise();
    const auto& self = *static_cast<const WriterEndpoint*>(argument);
    report_mismatch(*self.graph_, self.topic_, EndpointKind::kWriter, status.last_policy_id);
    synchronise();
  };
  dds_lset_offered_incompatible_qos_arg(listener.get(), on_mismatch, this, true);
  synchronise();
  writer_ = make_endpoint(*graph_, type, topic_, qos, EndpointKind::kWriter,
                          [&](dds_entity_t parent, dds_entity_t on, const dds_qos_t* handle) {
                            return dds_create_writer(parent, on, handle, listener.get());
                          });
  graph_->add_writer(writer_.get());
}

WriterEndpoint::~WriterEndpoint() {
  graph_->remove_writer(writer_.get());
  writer_.reset();  // waits for a callback that runs
  synchronise();
}

Gid WriterEndpoint::gid() const noexcept {
  dds_guid_t guid{};
  (void)dds_get_guid(writer_.get(), &guid);
  return to_gid(guid);
}

std::uint32_t WriterEndpoint::matched() const noexcept {
  dds_publication_matched_status_t status{};
  (void)dds_get_publication_matched_status(writer_.get(), &status);
  return status.current_count;
}

bool WriterEndpoint::write(const void* sample) {
  const dds_return_t result = dds_write(writer_.get(), sample);
  if (result == DDS_RETCODE_TIMEOUT) return false;
  if (result < 0) checked(result, "topic '" + topic_ + "': a message could not be written");
  return true;
}

bool WriterEndpoint::wait_until_acknowledged(std::chrono::nanoseconds limit) const noexcept {
  return dds_wait_for_acks(writer_.get(), limit.count()) == DDS_RETCODE_OK;
}

/// The memory of received messages. Cyclone DDS reuses it for each message, so a steady stream does
/// not allocate. The memory of a large message is freed.
class ReaderEndpoint::Sample {
 public:
  explicit Sample(const dds_topic_descriptor_t& type)
      : type_(type), message_(dds_alloc(type.m_size)) {}
  ~Sample() { dds_sample_free(message_, &type_, DDS_FREE_ALL); }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  [[nodiscard]] void* message() const noexcept { return message_; }

  /// Call it after a message with this many serialised bytes was delivered.
  void release_if_large(std::uint32_t size) const noexcept {
    if (size <= kLargestKept) return;
    dds_sample_free(message_, &type_, DDS_FREE_CONTENTS);
    std::memset(message_, 0, type_.m_size);
  }

 private:
  const dds_topic_descriptor_t& type_;
  void* message_;
};

/// A thread that takes messages of a reader after the middleware has signalled their arrival.
class ReaderEndpoint::OwnThread {
 public:
  explicit OwnThread(ReaderEndpoint& endpoint) {
    sem_init(&arrived_, 0, 0);
    thread_ = std::thread([this, &endpoint] {
      while (true) {
        while (sem_wait(&arrived_) != 0) {  // interrupted by a signal handler
        }
        if (ending_.load()) return;
        endpoint.take_all(reader_.load());
      }
    });
  }
  ~OwnThread() {
    end();
    sem_destroy(&arrived_);
  }
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;

  /// Any thread; does not wait.
  void notify(dds_entity_t reader) noexcept {
    reader_.store(reader);
    sem_post(&arrived_);
  }
  /// Waits for a delivery in progress; there is none afterwards.
  void end() noexcept {
    if (!thread_.joinable()) return;
    ending_.store(true);
    sem_post(&arrived_);
    thread_.join();
  }

 private:
  sem_t arrived_{};
  std::atomic<dds_entity_t> reader_{0};
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

ReaderEndpoint::ReaderEndpoint(std::shared_ptr<Graph> graph, const dds_topic_descriptor_t& type,
                               std::string topic, const Qos& qos, ReadLimits limits,
                               Delivery delivery, Deliver deliver)
    : graph_(std::move(graph)),
      topic_(std::move(topic)),
      limits_(limits),
      deliver_(std::move(deliver)),
      sample_(std::make_unique<Sample>(type)),
      own_thread_(delivery == Delivery::kOwnThread ? std::make_unique<OwnThread>(*this) : nullptr) {
  const ListenerHandle listener = make_listener();
  const auto on_mismatch = [](dds_entity_t, const dds_requested_incompatible_qos_status_t status,
                              void* argument) {
    synchronise();
    const auto& self = *static_cast<const ReaderEndpoint*>(argument);
    report_mismatch(*self.graph_, self.topic_, EndpointKind::kReader, status.last_policy_id);
    synchronise();
  };
  const auto on_data = [](dds_entity_t reader, void* argument) {
    synchronise();
    auto& self = *static_cast<ReaderEndpoint*>(argument);
    if (self.own_thread_) {
      self.own_thread_->notify(reader);
    } else {
      self.take_all(reader);
    }
  };
  dds_lset_requested_incompatible_qos_arg(listener.get(), on_mismatch, this, true);
  dds_lset_data_available_arg(listener.get(), on_data, this, true);
  // Data may arrive from here on, before reader_ is set.
  synchronise();
  reader_ = make_endpoint(*graph_, type, topic_, qos, EndpointKind::kReader,
                          [&](dds_entity_t parent, dds_entity_t on, const dds_qos_t* handle) {
                            return dds_create_reader(parent, on, handle, listener.get());
                          });
  graph_->add_reader(reader_.get());
}

ReaderEndpoint::~ReaderEndpoint() {
  graph_->remove_reader(reader_.get());
  if (own_thread_) own_thread_->end();
  reader_.reset();  // waits for a callback that runs
  synchronise();
}

std::uint32_t ReaderEndpoint::matched() const noexcept {
  dds_subscription_matched_status_t status{};
  (void)dds_get_subscription_matched_status(reader_.get(), &status);
  return status.current_count;
}

void ReaderEndpoint::drop(const std::string& reason) {
  const std::string line =
      dropped_.pass("a message was dropped unread: " + reason, steady_now_ns());
  if (!line.empty()) report_error(*graph_, topic_, line);
}

void ReaderEndpoint::take(const ddsi_serdata& data, const dds_sample_info_t& info) {
  const std::uint32_t size = ddsi_serdata_size(&data);
  if (size > limits_.bytes) {
    return drop("it has " + std::to_string(size) + " bytes, and at most " +
                std::to_string(limits_.bytes) + " are read");
  }
  if (const std::string reason = excess(data, size, limits_.counts); !reason.empty()) {
    return drop(reason);
  }
  if (!ddsi_serdata_to_sample(&data, sample_->message(), nullptr, nullptr)) {
    report_error(*graph_, topic_, "a message could not be decoded.");
    return;
  }
  const struct Release {
    const Sample& sample;
    std::uint32_t size;
    ~Release() { sample.release_if_large(size); }
  } release{*sample_, size};
  deliver_(sample_->message(), {info.publication_handle, info.source_timestamp});
}

void ReaderEndpoint::take_all(dds_entity_t reader) noexcept {
  synchronise();
  ddsi_serdata* data = nullptr;
  dds_sample_info_t info{};
  dds_return_t taken = 0;
  while ((taken = dds_takecdr(reader, &data, 1, &info, DDS_ANY_STATE)) > 0) {
    const std::unique_ptr<ddsi_serdata, void (*)(ddsi_serdata*)> owner(
        data, [](ddsi_serdata* held) { ddsi_serdata_unref(held); });
    if (!info.valid_data) continue;  // a change of state of the writer, without a message
    try {
      take(*data, info);
    } catch (const std::exception& error) {  // nothing may be thrown through the middleware
      report_error(*graph_, topic_, error.what());
    } catch (...) {
      report_error(*graph_, topic_, "a callback threw something that is not a std::exception.");
    }
  }
  if (taken < 0) report_error(*graph_, topic_, dds_strretcode(taken));
  synchronise();
}

}  // namespace spatial_dynamics::dds
