// The messages of `send`, made from its arguments. All functions allocate and throw
// CLI::ValidationError.
#pragma once

#include <string>
#include <vector>

#include "dds/message.hpp"

namespace spatial_dynamics::cli {

/// LINK=MASS[,X,Y,Z[,IXX,IYY,IZZ,IXY,IXZ,IYZ]].
dds::Message<dds::InertiaStamped> payload_message(const std::string& text);
/// X,Y,Z.
dds::Message<dds::Vector3Stamped> gravity_message(const std::string& text);
/// LINK=FX,FY,FZ[,TX,TY,TZ].
dds::Message<dds::WrenchStamped> wrench_message(const std::string& text);
/// JOINT=EFFORT, one text per joint.
dds::Message<dds::JointState> effort_message(const std::vector<std::string>& texts);
/// JOINT=POSITION, one text per joint: a trajectory that ends there at rest after `seconds`.
dds::Message<dds::JointTrajectory> reference_message(const std::vector<std::string>& texts,
                                                     double seconds);

}  // namespace spatial_dynamics::cli
