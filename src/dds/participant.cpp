#include "dds/participant.hpp"

#include <malloc.h>  // mallopt
#include <sys/resource.h>
#include <unistd.h>

#include <future>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "dds/error.hpp"
#include "dds/qos.hpp"
#include "runtime/log_limits.hpp"
#include "runtime/standard_error_log.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::dds {
namespace {

/// Called by any thread of the middleware, including receive threads, so it must not wait for
/// standard error.
void log_sink(void* limiter, const dds_log_data_t* data) {
  std::string_view text(data->message, data->size);
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const std::string line = static_cast<LineLimiter*>(limiter)->pass(text, steady_now_ns());
  if (line.empty()) return;
  const LogLevel level = (data->priority & (DDS_LC_FATAL | DDS_LC_ERROR)) != 0 ? LogLevel::kError
                         : (data->priority & DDS_LC_WARNING) != 0              ? LogLevel::kWarning
                                                                               : LogLevel::kInfo;
  log_to_standard_error(level, "cyclonedds", line);
}

/// Limits the middleware's log on standard error for the whole process: with an unplugged cable it
/// would print a thousand lines a second. May be called repeatedly.
void limit_middleware_log() {
  static LineLimiter limiter;
  (void)standard_error_lines_lost();  // starts the log's thread here, where an exception may be
                                      // thrown
  dds_set_log_sink(log_sink, &limiter);
}

/// Configures the C library's allocator for the middleware.
/// - Blocks of 128 KiB and more are mapped, so that the memory of a large message returns to the
///   system when it is freed. By default, each freed block raises the limit up to 32 MiB, and a
///   later block stays with the thread that received it.
/// - Each thread reserves an arena of 64 MB of address space. If the address space is limited,
///   later threads would lack space for their stacks, so all threads share one arena.
void configure_allocator() {
#ifdef __GLIBC__
  // NOLINTBEGIN(concurrency-mt-unsafe): before the middleware has threads
  ::mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    ::mallopt(M_ARENA_MAX, 1);
  }
  // NOLINTEND(concurrency-mt-unsafe)
#endif
}

/// Cyclone DDS aborts the process if it can't start a thread or allocate memory. This function
/// detects that in advance and throws Error.
void expect_room_for_threads() {
  // More than Cyclone DDS starts: the memory of the other stacks is for its buffers.
  constexpr int kThreads = 16;
  std::vector<std::thread> threads;
  std::promise<void> end;
  const std::shared_future<void> ended = end.get_future().share();
  std::string trouble;
  try {
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) threads.emplace_back([ended] { ended.wait(); });
  } catch (const std::system_error& error) {
    trouble = error.code().message();
  } catch (const std::bad_alloc&) {
    trouble = "no memory";
  }
  end.set_value();
  for (std::thread& thread : threads) thread.join();
  if (!trouble.empty()) {
    throw Error(
        "the middleware's threads could not be started (" + trouble +
        "): raise the limits on processes and memory (ulimit -u, ulimit -v), or free some.");
  }
}

}  // namespace

/// Cyclone DDS creates one domain per number and process, and deleting a domain deletes all its
/// participants. Therefore the participants share it.
class Participant::Domain {
 public:
  Domain(std::uint32_t id, std::string config)
      : config_(std::move(config)),
        entity_(checked(dds_create_domain(id, config_.c_str()),
                        "domain " + std::to_string(id) +
                            " could not be set up (see CYCLONEDDS_URI, if you have set it)")) {}

  static std::shared_ptr<Domain> join(std::uint32_t id, const std::string& config) {
    static std::mutex mutex;
    static std::map<std::uint32_t, std::weak_ptr<Domain>> domains;
    const std::lock_guard lock(mutex);
    std::shared_ptr<Domain> domain = domains[id].lock();
    if (!domain) {
      // A user who configures a log of the middleware gets all of it.
      if (config.find("Tracing") == std::string::npos) limit_middleware_log();
      configure_allocator();
      expect_room_for_threads();
      domain = std::make_shared<Domain>(id, config);
      domains[id] = domain;
    } else if (domain->config_ != config) {
      throw Error("this process already uses domain " + std::to_string(id) +
                  " with another discovery range, peers or CYCLONEDDS_URI.");
    }
    return domain;
  }

 private:
  std::string config_;
  Entity entity_;
};

namespace {

QosHandle participant_qos(const SecurityOptions& security) {
  const std::string enclave = "enclave=" + security.enclave + ';';
  QosHandle qos(dds_create_qos());
  if (!qos) throw std::bad_alloc();
  dds_qset_userdata(qos.get(), enclave.data(), enclave.size());
  for (const auto& [name, value] : security.properties) {
    dds_qset_prop(qos.get(), name.c_str(), value.c_str());
  }
  return qos;
}

std::string reason(const SecurityOptions& security) {
  return security.enabled() ? " with the keys in " + security.folder +
                                  " (the middleware's lines above name the invalid ones)"
                            : " (no network interface, or too many nodes on this host)";
}

}  // namespace

Participant::Participant(const DiscoveryOptions& options, const SecurityOptions& security)
    : domain_id_(options.domain_id),
      domain_(Domain::join(options.domain_id, cyclone_config(options, ::getpid()))),
      participant_(checked(
          dds_create_participant(options.domain_id, participant_qos(security).get(), nullptr),
          "domain " + std::to_string(options.domain_id) + " could not be joined" +
              reason(security))) {}

}  // namespace spatial_dynamics::dds
