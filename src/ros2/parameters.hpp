// Declares and converts the parameters of a table as ROS 2 parameters.
#pragma once

#include <functional>  // missing in Humble's header below
#include <rclcpp/context.hpp>
#include <rclcpp/node_interfaces/node_parameters_interface.hpp>
#include <rclcpp/parameter.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/urdf_file.hpp"
#include "runtime/parameters.hpp"

namespace spatial_dynamics::ros2 {

/// Declares every row of the table with its description, range and read-only flag, and returns the
/// values that the node was given (files, command line, launch) over the defaults. A number that
/// was given by joint name (`effort_limits.shoulder`) is declared too; it replaces its row if the
/// row has its default, because a dump can't hold both. Throws ParameterError with the table's
/// sentence for a bad value; then nothing has been declared. `warnings` receives a sentence for
/// each given name that no node of this kind has.
ParameterSet declare(rclcpp::node_interfaces::NodeParametersInterface& node,
                     const ParameterTable& table, std::vector<std::string>& warnings);

/// Throws ParameterError if the table has no such type (bytes, booleans in an array, no value).
ParameterValue from_ros(const std::string& name, const rclcpp::ParameterValue& value);

/// Replaces empty arrays by empty texts, as declare() does, so that a dump can be loaded.
void replace_empty_arrays(const ParameterTable& table, std::vector<rclcpp::Parameter>& parameters);

/// The changes that concern the table; ROS 2 has parameters of its own in every node. Throws
/// ParameterError.
std::vector<std::pair<std::string, ParameterValue>> changes_of(
    const ParameterTable& table, const std::vector<rclcpp::Parameter>& parameters);

/// The limit for reading a URDF from a pipe: five seconds, or the end of the context. A pipe
/// without a writer must not block configure or a constructor forever.
GiveUp pipe_patience(rclcpp::Context::SharedPtr context);

}  // namespace spatial_dynamics::ros2
