// The services that activate and release a torque controller in ros2_control, and acknowledge a
// contact.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <rclcpp/service.hpp>
#include <rclcpp/timer.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <std_srvs/srv/set_bool.hpp>
#include <std_srvs/srv/trigger.hpp>
#include <string>
#include <vector>

#include "ros2/dynamics_session.hpp"

namespace spatial_dynamics_ros2_control {

/// Offers the services ~/set_active, ~/release and ~/acknowledge until it is destroyed. The session
/// reads the topics ~/set_active and ~/acknowledge. Callbacks run on the executor of the node.
class ActivationServices : public std::enable_shared_from_this<ActivationServices> {
 public:
  using Session = spatial_dynamics::ros2::DynamicsSession;
  static std::shared_ptr<ActivationServices> offer(rclcpp_lifecycle::LifecycleNode& node,
                                                   std::shared_ptr<Session> session);
  ~ActivationServices();
  ActivationServices(const ActivationServices&) = delete;
  ActivationServices& operator=(const ActivationServices&) = delete;

 private:
  using SetBool = std_srvs::srv::SetBool;
  using Trigger = std_srvs::srv::Trigger;
  struct Release {  // waits for a torque of zero
    std::shared_ptr<rmw_request_id_t> request;
    std::chrono::steady_clock::time_point deadline;
  };

  explicit ActivationServices(std::shared_ptr<Session> session) : session_(std::move(session)) {}
  void offer_set_active(rclcpp_lifecycle::LifecycleNode& node);
  void offer_release(rclcpp_lifecycle::LifecycleNode& node);
  void offer_acknowledge(rclcpp_lifecycle::LifecycleNode& node);
  void release(const std::shared_ptr<rmw_request_id_t>& request);
  void answer_releases();

  std::shared_ptr<Session> session_;
  rclcpp::Service<SetBool>::SharedPtr active_service_;
  rclcpp::Service<Trigger>::SharedPtr release_service_, acknowledge_service_;
  rclcpp::TimerBase::SharedPtr timer_;  // runs while a release waits
  std::mutex mutex_;                    // of the next one
  std::vector<Release> releases_;
};

}  // namespace spatial_dynamics_ros2_control
