// The parameters of the ros2_control plug-in as those of a DynamicsCore.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/config.hpp"
#include "runtime/parameters_table.hpp"

namespace spatial_dynamics {

struct ControllerSetup {
  ParameterSet parameters{parameter_table()};  ///< of a DynamicsCore with Loop::kCaller
  std::vector<double> held_position;           ///< per scalar coordinate: rad or m
};

/// Reads a set of controller_parameter_table() for the robot of a controller manager. Joints that
/// are not in `joints` have gains of zero and no following_error_limit: another controller moves
/// them, and no feedback of this one acts on them. Allocates; throws ModelError, or a
/// ParameterError that names the parameter and the joint.
ControllerSetup make_controller_setup(const ParameterSet& controller, std::string_view urdf,
                                      double rate_hz);
/// Rejects arrays of different values if `joints` lists the joints in another order than the robot:
/// a value could reach another joint than its author meant. Allocates; throws a ParameterError that
/// names the array.
void check_order_of_arrays(const ParameterSet& controller,
                           const std::vector<ScalarCoordinate>& coordinates);
/// changed() of config.hpp for a set of controller_parameter_table(). Allocates; throws
/// ParameterError.
ParameterSet changed_controller(ParameterSet controller, const ParameterChanges& changes);
/// Changes of those parameters as changes of the core's. Allocates.
ParameterChanges core_changes(const ParameterChanges& changes);

}  // namespace spatial_dynamics
