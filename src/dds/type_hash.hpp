// The type hashes of ROS 2 messages.
#pragma once

#include <array>
#include <string_view>

namespace spatial_dynamics::dds {

struct TypeHash {
  std::string_view type;  ///< as ROS 2 writes it
  std::string_view hash;  ///< RIHS01: SHA-256 of the type's description
};

/// From Iron on, every endpoint announces the hash of its type, and `ros2` prints a warning if it
/// is missing.
inline constexpr std::array kTypeHashes{
    TypeHash{"diagnostic_msgs/msg/DiagnosticArray",
             "5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e"},
    TypeHash{"geometry_msgs/msg/AccelStamped",
             "ef1df9eabae0a708cc049a061ebcddc4e2a5f745730100ba680e086a9698b165"},
    TypeHash{"geometry_msgs/msg/InertiaStamped",
             "766be45976252babf7f9d8ac4ae7c912a7ceccf71035622529f27518b695aa09"},
    TypeHash{"geometry_msgs/msg/Vector3Stamped",
             "d4829622288cbb443886e7ea94ea5671a3b1be6bab4ad04224432a65f7d7887a"},
    TypeHash{"geometry_msgs/msg/WrenchStamped",
             "8dc3deaf06b2ab281f9f9a742a8961c328ca7cec16e3fd6586d3a5c83fa78f77"},
    TypeHash{"nav_msgs/msg/Odometry",
             "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0"},
    TypeHash{"rmw_dds_common/msg/ParticipantEntitiesInfo",
             "91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e"},
    TypeHash{"rosgraph_msgs/msg/Clock",
             "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564"},
    TypeHash{"sensor_msgs/msg/JointState",
             "a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e"},
    TypeHash{"statistics_msgs/msg/MetricsMessage",
             "36a67fb499fc2a11b8b9ff9ac735ed76e8d5a1f7775d6d5b97b625188ec68e20"},
    TypeHash{"std_msgs/msg/Bool",
             "feb91e995ff9ebd09c0cb3d2aed18b11077585839fb5db80193b62d74528f6c9"},
    TypeHash{"std_msgs/msg/Float64MultiArray",
             "1025ddc6b9552d191f89ef1a8d2f60f3d373e28b283d8891ddcc974e8c55397f"},
    TypeHash{"std_msgs/msg/String",
             "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"},
    TypeHash{"trajectory_msgs/msg/JointTrajectory",
             "179b33eba59d676f6d967ac71fe35e7ca2f64b2f3928f4a018cec115e213796e"},
};

/// The hash of "sensor_msgs/msg/JointState"; empty for a type that the table lacks.
constexpr std::string_view type_hash(std::string_view type) {
  for (const TypeHash& entry : kTypeHashes) {
    if (entry.type == type) return entry.hash;
  }
  return {};
}

}  // namespace spatial_dynamics::dds
