#include "runtime/payload_check.hpp"

#include <chrono>
#include <system_error>
#include <utility>

#include "runtime/report_values.hpp"
#include "spatial_dynamics/model/weight_torque.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {

PayloadCheck::~PayloadCheck() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void PayloadCheck::request(std::shared_ptr<const Robot> robot, const Vector3& configured_gravity) {
  const bool loaded = !robot->inbox.world().payloads.empty();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!loaded && !thread_.joinable()) return;
  next_ = std::move(robot);
  gravity_ = configured_gravity;
  try {
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // no memory for a thread: the payload is not checked
    next_.reset();
  }
  wake_.notify_one();
}

void PayloadCheck::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return ending_ || next_ != nullptr; });
    if (ending_) return;
    std::shared_ptr<const Robot> robot = std::move(next_);
    Vector3 gravity = gravity_;
    checking_ = true;
    lock.unlock();
    const WorldValues world = robot->inbox.world();
    if (world.gravity.generation != 0) gravity = world.gravity.vector;
    std::vector<Result> results;
    for (const WorldValues::Payload& payload : world.payloads) {
      if (payload.inertia.mass == 0.0) continue;
      results.push_back(
          {payload.link_name,
           worst_weight_torque(robot->controller.model(), payload.link, payload.inertia, gravity)});
    }
    lock.lock();
    results_ = std::move(results);
    checked_ = robot;
    robot.reset();
    checking_ = false;
    // Payloads or gravity may arrive in a stream: one check per second is enough.
    wake_.wait_for(lock, std::chrono::seconds(1), [this] { return ending_; });
  }
}

bool PayloadCheck::pending() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return checking_ || next_ != nullptr;
}

std::vector<PayloadCheck::Warning> PayloadCheck::warnings(const Robot& robot) const {
  const std::shared_ptr<const JointSettings> joints = robot.joints();
  std::vector<Warning> warnings;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (checked_.lock().get() != &robot) return warnings;
  for (const Result& result : results_) {
    const ScalarCoordinate* worst = nullptr;
    double largest = 1.0;  // torque / limit
    for (const ScalarCoordinate& c : robot.published) {
      const double torque = result.torque(c.v), limit = joints->effort_limit(c.v);
      if (!(torque > largest * limit)) continue;
      largest = torque / limit;
      worst = &c;
    }
    if (worst == nullptr) continue;
    const bool is_force = worst->type == JointType::kPrismatic ||
                          (worst->type == JointType::kPlanar && !worst->wraps);
    const std::string unit = is_force ? " N" : " N m";
    std::string text = payload_key(result.link);
    text.append(" needs up to ").append(rounded_text(result.torque(worst->v))).append(unit);
    text.append(" of joint ").append(in_quotes(worst->name));
    text.append(" at the worst pose, whose effort limit is ");
    text.append(rounded_text(joints->effort_limit(worst->v))).append(unit);
    text.append(": use a lighter payload, or avoid such poses");
    warnings.push_back({result.link, std::move(text)});
  }
  return warnings;
}

}  // namespace spatial_dynamics
