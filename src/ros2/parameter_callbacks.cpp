#include "ros2/parameter_callbacks.hpp"

#include <rclcpp/version.h>
#include <string>
#include <utility>

#include "ros2/parameters.hpp"

namespace spatial_dynamics::ros2 {

ParameterCallbacks::ParameterCallbacks(rclcpp_lifecycle::LifecycleNode& node,
                                       const ParameterTable& table, std::shared_ptr<LogQueue> log,
                                       Handle check, Handle apply)
    : table_(table), log_(std::move(log)), check_(std::move(check)), apply_(std::move(apply)) {
#if RCLCPP_VERSION_GTE(20, 0, 0)  // not in Humble
  before_set_ = node.add_pre_set_parameters_callback(
      [this](std::vector<rclcpp::Parameter>& changes) { replace_empty_arrays(table_, changes); });
  after_set_ = node.add_post_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changes) { this->apply(changes); });
#endif
  on_set_ = node.add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changes) { return this->check(changes); });
}

rcl_interfaces::msg::SetParametersResult ParameterCallbacks::check(
    const std::vector<rclcpp::Parameter>& changes) const {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  try {
    check_(changes_of(table_, changes));
  } catch (const std::exception& error) {
    result.successful = false;
    result.reason = error.what();
  }
#if !RCLCPP_VERSION_GTE(20, 0, 0)  // Humble has no callback after acceptance
  if (result.successful) apply(changes);
#endif
  return result;
}

void ParameterCallbacks::apply(const std::vector<rclcpp::Parameter>& changes) const {
  try {
    const ParameterChanges ours = changes_of(table_, changes);
    if (!ours.empty()) apply_(ours);
  } catch (const std::exception& error) {  // a new robot came between check() and here
    log_->push(LogLevel::kError, "",
               std::string("a parameter was accepted but could not be applied: ") + error.what());
  }
}

}  // namespace spatial_dynamics::ros2
