#include "dds/endpoint.hpp"

#include <atomic>
#include <exception>
#include <utility>

#include "dds/error.hpp"
#include "dds/type_hash.hpp"

namespace spatial_dynamics::dds {
namespace {

/// What one thread has done with an endpoint is seen by the next: the one that makes it, those that call back, the one that ends it.
/// The middleware sees to that too, but by means that no sanitizer can see. Outside of endpoints, for it outlives them.
void pass_on() noexcept {
  static std::atomic<std::uint64_t> turns{0};
  turns.fetch_add(1, std::memory_order_acq_rel);
}

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
  // The endpoint keeps the topic alive, so that this handle may go.
  const Entity topic_entity(checked(
      dds_create_topic(participant, &type, dds_topic_name(topic).c_str(), nullptr, nullptr), what));
  const QosHandle handle = make_qos(qos, kind, type_hash(type_name));
  return Entity(checked(create(participant, topic_entity.get(), handle.get()), what));
}

void report_mismatch(const Graph& graph, const std::string& topic, EndpointKind kind,
                     std::uint32_t policy, std::uint32_t count) noexcept {
  if (!graph.events().on_qos_mismatch) return;
  try {
    graph.events().on_qos_mismatch(
        {topic, kind == EndpointKind::kWriter, policy_name(policy), count});
  } catch (...) {  // NOLINT(bugprone-empty-catch): a report that fails has nobody else to tell
  }
}

void report_error(const Graph& graph, const std::string& topic, const char* what) noexcept {
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
    pass_on();
    const auto& self = *static_cast<const WriterEndpoint*>(argument);
    report_mismatch(*self.graph_, self.topic_, EndpointKind::kWriter, status.last_policy_id,
                    status.total_count);
    pass_on();
  };
  dds_lset_offered_incompatible_qos_arg(listener.get(), on_mismatch, this, true);
  pass_on();
  writer_ = make_endpoint(*graph_, type, topic_, qos, EndpointKind::kWriter,
                          [&](dds_entity_t parent, dds_entity_t on, const dds_qos_t* handle) {
                            return dds_create_writer(parent, on, handle, listener.get());
                          });
  graph_->add_writer(writer_.get());
}

WriterEndpoint::~WriterEndpoint() {
  graph_->remove_writer(writer_.get());
  writer_.reset();  // waits for a callback that runs
  pass_on();
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

bool WriterEndpoint::wait_until_heard(std::chrono::nanoseconds limit) const noexcept {
  return dds_wait_for_acks(writer_.get(), limit.count()) == DDS_RETCODE_OK;
}

/// The message that is being read. Cyclone uses the memory of the one before again, so that a steady stream allocates nothing.
class ReaderEndpoint::Sample {
 public:
  explicit Sample(const dds_topic_descriptor_t& type)
      : type_(type), message_(dds_alloc(type.m_size)) {}
  ~Sample() { dds_sample_free(message_, &type_, DDS_FREE_ALL); }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  [[nodiscard]] void* message() const noexcept { return message_; }

 private:
  const dds_topic_descriptor_t& type_;
  void* message_;
};

ReaderEndpoint::ReaderEndpoint(std::shared_ptr<Graph> graph, const dds_topic_descriptor_t& type,
                               std::string topic, const Qos& qos, Deliver deliver)
    : graph_(std::move(graph)),
      topic_(std::move(topic)),
      deliver_(std::move(deliver)),
      sample_(std::make_unique<Sample>(type)) {
  const ListenerHandle listener = make_listener();
  const auto on_mismatch = [](dds_entity_t, const dds_requested_incompatible_qos_status_t status,
                              void* argument) {
    pass_on();
    const auto& self = *static_cast<const ReaderEndpoint*>(argument);
    report_mismatch(*self.graph_, self.topic_, EndpointKind::kReader, status.last_policy_id,
                    status.total_count);
    pass_on();
  };
  const auto on_data = [](dds_entity_t reader, void* argument) {
    static_cast<ReaderEndpoint*>(argument)->take_all(reader);
  };
  dds_lset_requested_incompatible_qos_arg(listener.get(), on_mismatch, this, true);
  dds_lset_data_available_arg(listener.get(), on_data, this, true);
  // Data may arrive from here on, before reader_ is set.
  pass_on();
  reader_ = make_endpoint(*graph_, type, topic_, qos, EndpointKind::kReader,
                          [&](dds_entity_t parent, dds_entity_t on, const dds_qos_t* handle) {
                            return dds_create_reader(parent, on, handle, listener.get());
                          });
  graph_->add_reader(reader_.get());
}

ReaderEndpoint::~ReaderEndpoint() {
  graph_->remove_reader(reader_.get());
  reader_.reset();  // waits for a callback that runs
  pass_on();
}

std::uint32_t ReaderEndpoint::matched() const noexcept {
  dds_subscription_matched_status_t status{};
  (void)dds_get_subscription_matched_status(reader_.get(), &status);
  return status.current_count;
}

void ReaderEndpoint::take_all(dds_entity_t reader) noexcept {
  pass_on();
  void* message = sample_->message();
  dds_sample_info_t info{};
  dds_return_t taken = 0;
  while ((taken = dds_take(reader, &message, &info, 1, 1)) > 0) {
    if (!info.valid_data) continue;  // news about the writer, not from it
    try {
      deliver_(message, {info.publication_handle, info.source_timestamp});
    } catch (const std::exception& error) {  // nothing may be thrown through the middleware
      report_error(*graph_, topic_, error.what());
    } catch (...) {
      report_error(*graph_, topic_, "a callback threw something that is no std::exception.");
    }
  }
  if (taken < 0) report_error(*graph_, topic_, dds_strretcode(taken));
  pass_on();
}

}  // namespace spatial_dynamics::dds
