#include "ros2_control/activation_services.hpp"

#include <algorithm>
#include <utility>

#include "runtime/topics.hpp"

namespace spatial_dynamics_ros2_control {
namespace {

/// A ramp to zero ends within ramp_s and 0.3 s, unless torque_rate_limit makes it longer.
constexpr std::chrono::seconds kLongestRelease(5);

}  // namespace

std::shared_ptr<ActivationServices> ActivationServices::offer(rclcpp_lifecycle::LifecycleNode& node,
                                                              std::shared_ptr<Session> session) {
  // The constructor is private.
  std::shared_ptr<ActivationServices> services(new ActivationServices(std::move(session)));
  services->offer_set_active(node);
  services->offer_release(node);
  return services;
}

void ActivationServices::offer_set_active(rclcpp_lifecycle::LifecycleNode& node) {
  const auto& row = spatial_dynamics::find_topic(spatial_dynamics::topic_table(),
                                                 spatial_dynamics::Topic::kSetActive);
  active_service_ = node.create_service<SetBool>(
      row.name, [self = weak_from_this()](const SetBool::Request::SharedPtr& request,
                                          const SetBool::Response::SharedPtr& response) {
        const auto services = self.lock();
        if (!services) return;
        const auto command = services->session_->core().on_set_active(request->data, "the service");
        response->success = !command.rejected();
        response->message = command.result();
      });
}

void ActivationServices::offer_release(rclcpp_lifecycle::LifecycleNode& node) {
  release_service_ = node.create_service<Trigger>(
      "~/release", [self = weak_from_this()](const std::shared_ptr<rmw_request_id_t>& request,
                                             const Trigger::Request::SharedPtr&) {
        if (const auto services = self.lock()) services->release(request);
      });
  timer_ = node.create_wall_timer(std::chrono::milliseconds(5), [self = weak_from_this()] {
    if (const auto services = self.lock()) services->answer_releases();
  });
  timer_->cancel();
}

void ActivationServices::release(const std::shared_ptr<rmw_request_id_t>& request) {
  const std::lock_guard<std::mutex> lock(mutex_);
  session_->core().deactivate();
  releases_.push_back({request, std::chrono::steady_clock::now() + kLongestRelease});
  // The answer is sent when the ramp has ended: this thread also delivers messages.
  timer_->reset();
}

void ActivationServices::answer_releases() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool idle = session_->core().idle();
  const auto now = std::chrono::steady_clock::now();
  const auto answered = [&](const Release& waiting) {
    if (!idle && now < waiting.deadline) return false;
    Trigger::Response response;
    response.success = idle;
    response.message = idle ? "the torque is zero: switching controllers is safe; ~/set_active "
                              "true or the next activation ends this state"
                            : "the torque is still being ramped to zero (ramp_s, "
                              "torque_rate_limit): call again";
    release_service_->send_response(*waiting.request, response);
    return true;
  };
  releases_.erase(std::remove_if(releases_.begin(), releases_.end(), answered), releases_.end());
  if (releases_.empty()) timer_->cancel();
}

}  // namespace spatial_dynamics_ros2_control
