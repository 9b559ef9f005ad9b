#include "runtime/simulator_core.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics {
namespace {

/// Longer gaps are pauses: an effort that is held for so long would shake the robot.
constexpr double kLongestGapSeconds = 0.01;

LoopOptions loop_options(const SimulatorConfig& config) {
  LoopOptions options;
  options.rate_hz = config.rate_hz;
  options.thread_name = "simulator";
  options.realtime.priority = 0;  // it shall not compete with the node that it serves
  options.realtime.lock_memory = false;
  return options;
}

}  // namespace

SimulatorCore::SimulatorCore(SimulatorFrontEnd& front_end, const ParameterSet& parameters)
    : front_end_(front_end),
      config_(make_simulator_config(parameters)),
      loader_([this](const std::string& urdf) { set_robot(urdf); },
              [this](const std::string& reason) {
                log(rejections_, LogLevel::kError, "robot_description rejected: " + reason);
              }) {
  loop_ = std::make_unique<FixedRateLoop>(
      loop_options(config_),
      [this](std::int64_t scheduled, std::int64_t now) { tick(scheduled, now); });
}

SimulatorCore::~SimulatorCore() { stop(); }

bool SimulatorCore::set_robot(std::string_view urdf) {
  std::vector<std::string> order;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (plant_ != nullptr && urdf == description_) return false;
    if (plant_ != nullptr) order = plant_->robot.names();
  }
  auto plant = std::make_shared<Plant>(load_robot(urdf, config_, nullptr, order), config_, order);
  const std::lock_guard<std::mutex> lock(mutex_);
  plant_ = std::move(plant);
  description_ = urdf;
  return true;
}

bool SimulatorCore::has_robot() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return plant_ != nullptr;
}

void SimulatorCore::start() { loop_->start(); }

void SimulatorCore::stop() noexcept {
  if (loop_ != nullptr) loop_->stop();
  loader_.stop();
}

std::shared_ptr<SimulatorCore::Plant> SimulatorCore::plant() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return plant_;
}

RejectionReason SimulatorCore::note_dropped(const char* what, RejectionReason rejection) {
  if (rejection != RejectionReason::kNone) {
    log(dropped_, LogLevel::kWarning, std::string(what) + " dropped: " + to_string(rejection));
  }
  return rejection;
}

RejectionReason SimulatorCore::on_effort(const JointStateView& message) {
  const std::shared_ptr<Plant> present = plant();
  if (present == nullptr) return RejectionReason::kNone;
  return note_dropped("efforts", present->inbox.on_effort_command(message, steady_now_ns()));
}

RejectionReason SimulatorCore::on_wrench(const WrenchView& message) {
  const std::shared_ptr<Plant> present = plant();
  if (present == nullptr) return RejectionReason::kNone;
  return note_dropped("wrench", present->inbox.on_wrench(message, steady_now_ns()));
}

void SimulatorCore::set_effort_publishers(const std::string& topic,
                                          std::vector<std::string> nodes) {
  std::sort(nodes.begin(), nodes.end());
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (nodes == effort_publishers_) return;
    effort_publishers_ = nodes;
  }
  if (nodes.size() < 2) return;
  std::string names;
  for (const std::string& node : nodes) {
    names += (names.empty() ? "" : ", ") + (node.empty() ? "an unknown node" : node);
  }
  log(rivals_, LogLevel::kError,
      std::to_string(nodes.size()) + " publishers send efforts on " + topic + " (" + names +
          "), which alternate: end all but one of these nodes");
}

void SimulatorCore::log(LineLimiter& limiter, LogLevel level, const std::string& text) {
  const std::string line = limiter.pass(text, steady_now_ns());
  if (!line.empty()) front_end_.log(level, line);
}

int SimulatorCore::steps_due(std::int64_t scheduled) noexcept {
  const std::int64_t since = last_tick_ == 0 ? 0 : scheduled - last_tick_;
  last_tick_ = scheduled;
  return SimulatedRobot::periods_due(to_seconds(since), config_.rate_hz, kLongestGapSeconds);
}

void SimulatorCore::drive(Plant& plant, std::int64_t now) const {
  plant.inbox.update();
  const EffortCommand& command = plant.inbox.effort_command();
  const Coordinates& coordinates = plant.robot.coordinates();
  const auto is_in_time = [&](std::size_t k) {
    return is_fresh(now, command.received[k], config_.effort_timeout_s);
  };
  bool released = !plant.robot.braked();
  for (std::size_t k = 0; k < coordinates.size(); ++k) released = released || is_in_time(k);
  for (std::size_t k = 0; released && k < coordinates.size(); ++k) {
    plant.robot.drive(k, Drive::kEffort, is_in_time(k) ? command.effort(coordinates[k].v) : 0.0);
  }
}

void SimulatorCore::tick(std::int64_t scheduled, std::int64_t now) {
  const int steps = steps_due(scheduled);
  const std::shared_ptr<Plant> shared = plant();
  if (shared == nullptr) return;
  SimulatedRobot& robot = shared->robot;
  if (reset_.exchange(false)) robot.reset();
  drive(*shared, now);
  const Payloads no_payloads;
  robot.set_world(shared->inbox.wrenches(), no_payloads, now, config_.wrench_timeout_s);
  const double dt = config_.real_time_factor / config_.rate_hz;
  const bool moves = !robot.braked() && !paused_;
  if (moves && !robot.advance(steps, dt)) {
    log(diverged_, LogLevel::kError,
        "the simulation diverged and was reset: use a higher rate_hz or more substeps");
    robot.reset();
  }
  if (!paused_) clock_ += std::llround(steps * dt * 1e9);
  const std::int64_t stamp = config_.publish_clock ? clock_ : system_now_ns();
  try {
    if (!front_end_.publish(robot.coordinates(), robot.measured(), stamp, clock_)) {
      log(unsent_, LogLevel::kWarning, "the middleware rejected a message");
    }
  } catch (const std::exception& error) {  // nothing may be thrown through the loop
    log(unsent_, LogLevel::kError, std::string("publishing failed: ") + error.what());
  }
}

}  // namespace spatial_dynamics
