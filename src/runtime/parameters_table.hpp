// The one table of parameters. Both front ends, the files in config/ and the documentation read it.
#pragma once

#include "runtime/parameters.hpp"

namespace spatial_dynamics {

/// The parameters of the node `dynamics`.
const ParameterTable& parameter_table();
/// The parameters of the ros2_control plug-in `spatial_dynamics/TorqueController`: those of the
/// node `dynamics` that the controller manager does not decide, and `joints` and `held_position`.
const ParameterTable& controller_parameter_table();
/// The parameters of the node `robot_simulator`.
const ParameterTable& simulator_parameter_table();
/// The parameters of the ros2_control hardware `spatial_dynamics/SimulatedSystem`.
const ParameterTable& simulated_system_parameter_table();

}  // namespace spatial_dynamics
