// Short names for the messages of the node's topics. The fields are those of the IDL; message.hpp
// has functions that fill and read them.
#pragma once

#include <dds/dds.h>

#include "diagnostic_msgs.h"
#include "geometry_msgs.h"
#include "nav_msgs.h"
#include "rmw_dds_common.h"
#include "rosgraph_msgs.h"
#include "sensor_msgs.h"
#include "statistics_msgs.h"
#include "std_msgs.h"
#include "trajectory_msgs.h"

namespace spatial_dynamics::dds {

using Time = builtin_interfaces_msg_dds__Time_;
using Duration = builtin_interfaces_msg_dds__Duration_;
using Header = std_msgs_msg_dds__Header_;
using Bool = std_msgs_msg_dds__Bool_;
using String = std_msgs_msg_dds__String_;
using MultiArrayDimension = std_msgs_msg_dds__MultiArrayDimension_;
using Float64MultiArray = std_msgs_msg_dds__Float64MultiArray_;
using Vector3Message = geometry_msgs_msg_dds__Vector3_;
using Vector3Stamped = geometry_msgs_msg_dds__Vector3Stamped_;
using AccelStamped = geometry_msgs_msg_dds__AccelStamped_;
using WrenchStamped = geometry_msgs_msg_dds__WrenchStamped_;
using InertiaStamped = geometry_msgs_msg_dds__InertiaStamped_;
using JointState = sensor_msgs_msg_dds__JointState_;
using JointTrajectory = trajectory_msgs_msg_dds__JointTrajectory_;
using JointTrajectoryPoint = trajectory_msgs_msg_dds__JointTrajectoryPoint_;
using Odometry = nav_msgs_msg_dds__Odometry_;
using DiagnosticArray = diagnostic_msgs_msg_dds__DiagnosticArray_;
using DiagnosticStatus = diagnostic_msgs_msg_dds__DiagnosticStatus_;
using KeyValue = diagnostic_msgs_msg_dds__KeyValue_;
using MetricsMessage = statistics_msgs_msg_dds__MetricsMessage_;
using StatisticDataPoint = statistics_msgs_msg_dds__StatisticDataPoint_;
using Clock = rosgraph_msgs_msg_dds__Clock_;
using ParticipantEntitiesInfo = rmw_dds_common_msg_dds__ParticipantEntitiesInfo_;
/// The message up to Humble, with identifiers of 24 bytes.
using ParticipantEntitiesInfo24 = rmw_dds_common_msg_humble_ParticipantEntitiesInfo_;

/// The descriptor of a message type for Cyclone DDS: its name on the wire and its layout. Only
/// types of topics have one.
template <typename T>
const dds_topic_descriptor_t& descriptor() = delete;

template <>
inline const dds_topic_descriptor_t& descriptor<Bool>() {
  return std_msgs_msg_dds__Bool__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<String>() {
  return std_msgs_msg_dds__String__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<Float64MultiArray>() {
  return std_msgs_msg_dds__Float64MultiArray__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<Vector3Stamped>() {
  return geometry_msgs_msg_dds__Vector3Stamped__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<AccelStamped>() {
  return geometry_msgs_msg_dds__AccelStamped__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<WrenchStamped>() {
  return geometry_msgs_msg_dds__WrenchStamped__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<InertiaStamped>() {
  return geometry_msgs_msg_dds__InertiaStamped__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<JointState>() {
  return sensor_msgs_msg_dds__JointState__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<JointTrajectory>() {
  return trajectory_msgs_msg_dds__JointTrajectory__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<Odometry>() {
  return nav_msgs_msg_dds__Odometry__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<DiagnosticArray>() {
  return diagnostic_msgs_msg_dds__DiagnosticArray__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<MetricsMessage>() {
  return statistics_msgs_msg_dds__MetricsMessage__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<Clock>() {
  return rosgraph_msgs_msg_dds__Clock__desc;
}
template <>
inline const dds_topic_descriptor_t& descriptor<ParticipantEntitiesInfo>() {
  return rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc;
}
/// Has the type name of ParticipantEntitiesInfo.
template <>
inline const dds_topic_descriptor_t& descriptor<ParticipantEntitiesInfo24>() {
  static const dds_topic_descriptor_t kDescriptor = [] {
    const dds_topic_descriptor_t& layout = rmw_dds_common_msg_humble_ParticipantEntitiesInfo__desc;
    return dds_topic_descriptor_t{layout.m_size,
                                  layout.m_align,
                                  layout.m_flagset,
                                  layout.m_nkeys,
                                  descriptor<ParticipantEntitiesInfo>().m_typename,
                                  layout.m_keys,
                                  layout.m_nops,
                                  layout.m_ops,
                                  layout.m_meta,
                                  layout.type_information,
                                  layout.type_mapping,
                                  layout.restrict_data_representation};
  }();
  return kDescriptor;
}

}  // namespace spatial_dynamics::dds
