// The participant of this process in a DDS domain.
#pragma once

#include <memory>

#include "dds/discovery_options.hpp"
#include "dds/entity.hpp"
#include "dds/security_options.hpp"

namespace spatial_dynamics::dds {

/// Joins a domain. Participants of one process in one domain share Cyclone's threads and sockets,
/// and must have the same configuration. Entities that were created with handle() must be deleted
/// before the participant. Allocates; throws Error.
class Participant {
 public:
  explicit Participant(const DiscoveryOptions& options, const SecurityOptions& security = {});

  [[nodiscard]] dds_entity_t handle() const noexcept { return participant_.get(); }
  [[nodiscard]] std::uint32_t domain_id() const noexcept { return domain_id_; }

 private:
  class Domain;

  std::uint32_t domain_id_;
  std::shared_ptr<Domain> domain_;  // outlives the participant
  Entity participant_;
};

}  // namespace spatial_dynamics::dds
