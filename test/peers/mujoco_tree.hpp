// The tree of a robot, compiled by MuJoCo; MujocoPeer then writes the numbers.
#pragma once

#include <mujoco/mujoco.h>

#include "peers/robot.hpp"

namespace spatial_dynamics::peers {

/// True for a floating joint on a massless root: only there MuJoCo accepts its free joint.
bool is_free(const Robot& robot, const JointDescription& joint);

/// A body for each link (except a massless root) with its joints, and placeholders for all numbers.
/// The caller owns the result.
mjModel* compile_tree(const Robot& robot);

/// The MuJoCo body of a link; 0, the world, for a massless root.
int body_of_link(const mjModel& model, const Robot& robot, std::size_t link);

}  // namespace spatial_dynamics::peers
