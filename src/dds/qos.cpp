#include "dds/qos.hpp"

#include <array>
#include <new>

namespace spatial_dynamics::dds {
namespace {

// The longest time that a writer waits for slow readers. With the history "keep last" Cyclone DDS
// does not wait at all; if that changes, a stopped peer must not block the writer for the ten
// seconds until DDS detects it.
constexpr dds_duration_t kLongestWriteWait = DDS_MSECS(10);

}  // namespace

QosHandle make_qos(const Qos& qos, EndpointKind kind, std::string_view type_hash) {
  QosHandle handle(dds_create_qos());
  if (!handle) throw std::bad_alloc();
  dds_qset_history(handle.get(), DDS_HISTORY_KEEP_LAST, qos.depth);
  if (qos.reliability == Reliability::kReliable) {
    dds_qset_reliability(handle.get(), DDS_RELIABILITY_RELIABLE, kLongestWriteWait);
  } else {
    dds_qset_reliability(handle.get(), DDS_RELIABILITY_BEST_EFFORT, 0);
  }
  if (qos.durability == Durability::kTransientLocal) {
    dds_qset_durability(handle.get(), DDS_DURABILITY_TRANSIENT_LOCAL);
    // Cyclone DDS keeps this history, not the one above, for late readers.
    dds_qset_durability_service(handle.get(), 0, DDS_HISTORY_KEEP_LAST, qos.depth,
                                DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  } else {
    dds_qset_durability(handle.get(), DDS_DURABILITY_VOLATILE);
  }
  if (qos.deadline.count() > 0) {
    dds_qset_deadline(handle.get(), qos.deadline.count());
    dds_qset_liveliness(
        handle.get(),
        kind == EndpointKind::kWriter ? DDS_LIVELINESS_MANUAL_BY_TOPIC : DDS_LIVELINESS_AUTOMATIC,
        qos.deadline.count());
  }
  if (qos.ignore_own) dds_qset_ignorelocal(handle.get(), DDS_IGNORELOCAL_PARTICIPANT);
  dds_qset_writer_data_lifecycle(handle.get(), false);  // as ROS 2: no "disposed" samples
  // This node writes XCDR1, as ROS 2 does; a reader accepts both.
  constexpr std::array<dds_data_representation_id_t, 2> kEncodings{DDS_DATA_REPRESENTATION_XCDR1,
                                                                   DDS_DATA_REPRESENTATION_XCDR2};
  dds_qset_data_representation(handle.get(), kind == EndpointKind::kWriter ? 1 : 2,
                               kEncodings.data());
  if (!type_hash.empty()) {
    const std::string user_data = "typehash=RIHS01_" + std::string(type_hash) + ';';
    dds_qset_userdata(handle.get(), user_data.data(), user_data.size());
  }
  return handle;
}

std::string policy_name(std::uint32_t policy_id) {
  // In the order of dds_qos_policy_id_t.
  constexpr std::array<const char*, 26> kNames{"INVALID",
                                               "USER_DATA",
                                               "DURABILITY",
                                               "PRESENTATION",
                                               "DEADLINE",
                                               "LATENCY_BUDGET",
                                               "OWNERSHIP",
                                               "OWNERSHIP_STRENGTH",
                                               "LIVELINESS",
                                               "TIME_BASED_FILTER",
                                               "PARTITION",
                                               "RELIABILITY",
                                               "DESTINATION_ORDER",
                                               "HISTORY",
                                               "RESOURCE_LIMITS",
                                               "ENTITY_FACTORY",
                                               "WRITER_DATA_LIFECYCLE",
                                               "READER_DATA_LIFECYCLE",
                                               "TOPIC_DATA",
                                               "GROUP_DATA",
                                               "TRANSPORT_PRIORITY",
                                               "LIFESPAN",
                                               "DURABILITY_SERVICE",
                                               "PROPERTY",
                                               "TYPE_CONSISTENCY_ENFORCEMENT",
                                               "DATA_REPRESENTATION"};
  static_assert(kNames.size() == DDS_DATA_REPRESENTATION_QOS_POLICY_ID + 1);
  return policy_id < kNames.size() ? kNames.at(policy_id) : "policy " + std::to_string(policy_id);
}

}  // namespace spatial_dynamics::dds
