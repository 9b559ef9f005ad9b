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
  services->offer_acknowledge(node);
  return services;
}

ActivationServices::~ActivationServices() {
  Trigger::Response response;
  response.message = "the controller was cleaned up";
  for (const Release& waiting : releases_) {
    release_service_->send_response(*waiting.request, response);
  }
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

void ActivationServices::offer_acknowledge(rclcpp_lifecycle::LifecycleNode& node) {
  acknowledge_service_ = node.create_service<Trigger>(
      "~/acknowledge", [self = weak_from_this()](const Trigger::Request::SharedPtr&,
                                                 const Trigger::Response::SharedPtr& response) {
        const auto services = self.lock();
        if (!services) return;
        response->success = services->session_->core().on_acknowledge();
        response->message =
            response->success ? "the contact is acknowledged" : "there is no contact";
      });
}

void ActivationServices::release(const std::shared_ptr<rmw_request_id_t>& request) {
  const std::lock_guard<std::mutex> lock(mutex_);
  // Without a cycle there is nothing to ramp: the command is rejected, and the torque is zero.
  (void)session_->core().on_set_active(false, "the service ~/release");
  releases_.push_back({request, std::chrono::steady_clock::now() + kLongestRelease});
  // The answer is sent when the ramp has ended: this thread also delivers messages.
  timer_->reset();
}

void ActivationServices::answer_releases() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const spatial_dynamics::DynamicsCore& core = session_->core();
  const bool idle = core.idle(), suspended = core.suspended(), active = core.active();
  const auto now = std::chrono::steady_clock::now();
  const auto answered = [&](const Release& waiting) {
    if (!idle && !active && now < waiting.deadline) return false;
    Trigger::Response response;
    response.success = idle;
    if (suspended) {
      response.message = "the controller is inactive, and its torque is zero";
    } else if (idle) {
      response.message =
          "the torque is zero: switching controllers is safe; ~/set_active true or the next "
          "activation ends this state";
    } else if (active) {
      response.message = "the controller was activated again";
    } else {
      response.message =
          "the torque is still being ramped to zero (ramp_s, torque_rate_limit): call again";
    }
    release_service_->send_response(*waiting.request, response);
    return true;
  };
  releases_.erase(std::remove_if(releases_.begin(), releases_.end(), answered), releases_.end());
  if (releases_.empty()) timer_->cancel();
}

}  // namespace spatial_dynamics_ros2_control
