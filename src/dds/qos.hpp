// Quality of service in the form of Cyclone DDS.
#pragma once

#include <dds/dds.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/qos.hpp"

namespace spatial_dynamics::dds {

// The same for both nodes: see runtime/qos.hpp.
using spatial_dynamics::Durability;
using spatial_dynamics::kClockQos;
using spatial_dynamics::kCommandQos;
using spatial_dynamics::kDefaultQos;
using spatial_dynamics::kDescriptionQos;
using spatial_dynamics::kForeignTorqueQos;
using spatial_dynamics::kOutputQos;
using spatial_dynamics::kStreamQos;
using spatial_dynamics::Qos;
using spatial_dynamics::QosMismatch;
using spatial_dynamics::Reliability;

/// ros_discovery_info, which has no prefix because it is not a topic of users.
inline constexpr const char* kDiscoveryInfoTopic = "ros_discovery_info";
inline constexpr Qos kDiscoveryInfoQos{Reliability::kReliable, Durability::kTransientLocal, 1};

struct QosDeleter {
  void operator()(dds_qos_t* qos) const noexcept { dds_delete_qos(qos); }
};
using QosHandle = std::unique_ptr<dds_qos_t, QosDeleter>;

enum class EndpointKind { kReader, kWriter };

/// The QoS of a reader or writer whose type has this hash (may be empty). Allocates; throws
/// std::bad_alloc.
QosHandle make_qos(const Qos& qos, EndpointKind kind, std::string_view type_hash);

/// The name of a policy: "RELIABILITY" for DDS_RELIABILITY_QOS_POLICY_ID, "policy 99" for an
/// unknown number.
std::string policy_name(std::uint32_t policy_id);

}  // namespace spatial_dynamics::dds
