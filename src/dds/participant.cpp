#include "dds/participant.hpp"

#include <unistd.h>

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "dds/error.hpp"
#include "dds/middleware_log.hpp"
#include "dds/qos.hpp"

namespace spatial_dynamics::dds {

/// Cyclone makes one domain per number and process, and deleting it deletes all participants in it: so it is shared.
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
      // Who sets up a log of the middleware's own gets it whole.
      if (config.find("Tracing") == std::string::npos) limit_middleware_log();
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

QosHandle participant_qos() {
  constexpr std::string_view kEnclave = "enclave=/;";  // ROS 2's security context: none
  QosHandle qos(dds_create_qos());
  dds_qset_userdata(qos.get(), kEnclave.data(), kEnclave.size());
  return qos;
}

}  // namespace

Participant::Participant(const DiscoveryOptions& options)
    : domain_id_(options.domain_id),
      domain_(Domain::join(options.domain_id, cyclone_config(options, ::getpid()))),
      participant_(checked(
          dds_create_participant(options.domain_id, participant_qos().get(), nullptr),
          "domain " + std::to_string(options.domain_id) +
              " could not be joined (no network interface, or too many nodes on this host)")) {}

}  // namespace spatial_dynamics::dds
