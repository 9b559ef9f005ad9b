#include "dds/messages.hpp"

namespace spatial_dynamics::dds {

template <>
const dds_topic_descriptor_t& descriptor<ParticipantEntitiesInfo24>() {
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
