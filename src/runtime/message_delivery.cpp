#include "runtime/message_delivery.hpp"

#include <algorithm>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {

bool MessageDelivery::on_joint_states(const JointStateView& message, std::int64_t now) const {
  const std::int64_t ros_now = front_end_.ros_now();
  bool accepted = false;
  for_each_robot([&](Robot& robot) {
    const RejectionReason rejection =
        robot.inbox.on_joint_states(message, now, ros_now, missing_velocity_.load());
    accepted = accepted || rejection == RejectionReason::kNone;
  });
  return accepted;
}

void MessageDelivery::on_odometry(const OdometryView& message) const {
  const std::int64_t now = steady_now_ns(), ros_now = front_end_.ros_now();
  for_each_robot([&](Robot& robot) { robot.inbox.on_odometry(message, now, ros_now); });
}

void MessageDelivery::on_reference(const TrajectoryView& message) const {
  const std::int64_t now = steady_now_ns(), ros_now = front_end_.ros_now();
  for_each_robot([&](Robot& robot) { robot.inbox.on_reference(message, now, ros_now); });
}

void MessageDelivery::on_effort_command(const JointStateView& message) const {
  const std::int64_t now = steady_now_ns();
  for_each_robot([&](Robot& robot) { robot.inbox.on_effort_command(message, now); });
}

void MessageDelivery::on_stiffness(const JointStateView& message) const {
  for_each_robot([&](Robot& robot) { robot.inbox.on_stiffness(message); });
}

void MessageDelivery::on_wrench(const WrenchView& message) const {
  const std::int64_t now = steady_now_ns();
  for_each_robot([&](Robot& robot) { robot.inbox.on_wrench(message, now); });
}

void MessageDelivery::on_payload(const PayloadView& message, const Vector3& configured_gravity) {
  const std::shared_ptr<Robot> robot = cycle_.robots().newest();
  if (robot == nullptr) return world_.note_no_robot("~/payload");
  RejectionReason rejection = RejectionReason::kNone;  // of the newest robot
  for_each_robot([&](Robot& each) { rejection = each.inbox.on_payload(message); });
  world_.on_payload(*robot, message, rejection);
  if (rejection == RejectionReason::kNone) payload_check_.request(robot, configured_gravity);
}

void MessageDelivery::on_gravity(const GravityView& message, const Vector3& configured_gravity) {
  const std::shared_ptr<Robot> robot = cycle_.robots().newest();
  if (robot == nullptr) return world_.note_no_robot("~/gravity");
  RejectionReason rejection = RejectionReason::kNone;  // of the newest robot
  for_each_robot([&](Robot& each) { rejection = each.inbox.on_gravity(message); });
  world_.on_gravity(message, rejection);
  if (rejection == RejectionReason::kNone) payload_check_.request(robot, configured_gravity);
}

void MessageDelivery::prepare_world(const Config& config) {
  const std::shared_ptr<Robot> robot = cycle_.robots().newest();
  if (robot == nullptr) return;
  if (!robot->inbox.world().changed()) return;
  if (!config.reset_world_on_activation) return world_.note_activation(*robot, config);
  for_each_robot([](Robot& each) { each.inbox.reset_world(); });
  payload_check_.request(robot, config.gravity);
  world_.note_reset();
}

std::uint64_t MessageDelivery::discard_references(std::uint64_t generation) const {
  for_each_robot([&](Robot& robot) {
    generation = std::max(generation, robot.inbox.discard_references(generation));
  });
  return generation;
}

}  // namespace spatial_dynamics
