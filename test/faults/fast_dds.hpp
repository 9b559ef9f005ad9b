// The program fast_dds_peer, another vendor's DDS.
#pragma once

#include <string_view>

namespace spatial_dynamics::test {

/// False where Fast DDS is not installed: FAST_DDS_PEER_PATH is then empty.
inline bool has_fast_dds() { return !std::string_view(FAST_DDS_PEER_PATH).empty(); }

}  // namespace spatial_dynamics::test
