// The shape of a robot as MuJoCo's compiler makes it; MujocoPeer then fills in the numbers.
#pragma once

#include <mujoco/mujoco.h>

#include "peers/robot.hpp"

namespace spatial_dynamics::peers {

/// True for a floating joint straight on a massless root: the only place where MuJoCo accepts its
/// free joint.
bool is_free(const Robot& robot, const JointDescription& joint);

/// A body for each link (but a massless root) and the joints of each, with stand-ins for all
/// numbers. The caller owns it.
mjModel* compile_tree(const Robot& robot);

/// MuJoCo's body that stands for a link; 0, its world, for a massless root.
int body_of_link(const mjModel& model, const Robot& robot, std::size_t link);

}  // namespace spatial_dynamics::peers
