#include "spatial_dynamics/runtime/dynamics_core.hpp"

#include <algorithm>
#include <exception>

#include "spatial_dynamics/kernels/isa.hpp"
#include "spatial_dynamics/model/last_moving_link.hpp"
#include "spatial_dynamics/runtime/clock.hpp"
#include "step_guard.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kWatchdogRate = 100.0;  // Hz, with trigger: state

LoopOptions loop_options(const Config& config) {
  LoopOptions options;
  options.rate_hz =
      config.trigger == Trigger::kState ? std::min(kWatchdogRate, config.rate_hz) : config.rate_hz;
  options.thread_name = "dynamics";
  options.realtime = config.realtime;
  return options;
}

}  // namespace

DynamicsCore::DynamicsCore(FrontEnd& front_end, ParameterSet parameters)
    : front_end_(front_end), parameters_(std::move(parameters)), config_(make_config(parameters_)) {
  trigger_ = config_.trigger;
  note_config();
  sem_init(&ready_, 0, 0);
  loop_ = std::make_unique<FixedRateLoop>(loop_options(config_),
                                          [this](std::int64_t, std::int64_t now) { tick(now); });
}

DynamicsCore::~DynamicsCore() {
  stop();
  sem_destroy(&ready_);
}

void DynamicsCore::note_config() noexcept {
  // A tenth of tolerance: states that come at the rate itself, with some jitter, are all served.
  shortest_step_.store(static_cast<std::int64_t>(0.9e9 / config_.rate_hz));
  missing_velocity_.store(config_.missing_velocity);
}

Config DynamicsCore::config() const {
  const std::lock_guard<std::mutex> lock(control_);
  return config_;
}

std::shared_ptr<Robot> DynamicsCore::robot() const {
  const std::lock_guard<std::mutex> lock(control_);
  return robot_;
}

bool DynamicsCore::needs_odometry() const {
  const std::shared_ptr<Robot> r = robot();
  return r != nullptr && r->engine.floating_base();
}

void DynamicsCore::set_robot(std::string_view urdf) {
  const Config config = this->config();
  ModelReport report;
  std::shared_ptr<Robot> robot;
  try {
    Model model = load_robot(urdf, config, &report);
    robot = std::make_shared<Robot>(std::move(model), std::move(report), config);
  } catch (const std::exception& error) {
    const std::lock_guard<std::mutex> lock(control_);
    last_refusal_ = error.what();
    throw;
  }
  const std::lock_guard<std::mutex> lock(control_);
  try {  // parameters may have changed while the robot was built
    robot->set_settings(config_, resolve_joint_settings(config_, robot->engine.model()));
  } catch (const std::exception& error) {
    last_refusal_ = error.what();
    throw;
  }
  last_refusal_.clear();
  // What the newest one knows; or, if that has other joints and may not have begun yet, the one that the loop would go on from.
  for (const Robot* before : {robot_.get(), published_.load(std::memory_order_acquire)}) {
    if (before == nullptr || !robot->engine.has_coordinates_of(before->engine)) continue;
    robot->inbox.take_over(before->inbox);
    break;
  }
  robot_ = robot;
  alive_.push_back(robot);
  // One that the loop never took up is dropped here. Not while the loop may be looking at it: a cycle that falls into this moment
  // is left out, and counted.
  Robot* skipped = nullptr;
  {
    const StepGuard no_step(stepping_);
    skipped = next_.exchange(robot.get());
  }
  alive_.erase(std::remove_if(alive_.begin(), alive_.end(),
                              [skipped](const auto& r) { return r.get() == skipped; }),
               alive_.end());
}

void DynamicsCore::start() {
  if (publisher_.joinable()) return;
  stopping_.store(false);
  publisher_ = std::thread([this] { run_publisher(); });  // before the loop, which locks the memory
  try {
    loop_->start();
  } catch (...) {
    stop();
    throw;
  }
  for (const std::string& warning : loop_->warnings()) {
    front_end_.log(LogLevel::kWarning, warning);
  }
  const std::string remark = isa_remark();
  if (!remark.empty()) front_end_.log(LogLevel::kWarning, remark);
}

void DynamicsCore::stop() noexcept {
  if (loop_ != nullptr) loop_->stop();
  stopping_.store(true);
  sem_post(&ready_);
  if (publisher_.joinable()) publisher_.join();
}

bool DynamicsCore::finish(std::chrono::milliseconds limit) {
  if (stopping_.load()) return true;  // it has
  deactivate();
  const bool ramped = wait_until_idle(limit);
  stop();
  const std::lock_guard<std::mutex> publishing(publishing_);
  // The one whose torque is out; the newest may have other joints and still wait for the ramp. It stays: only those that it has
  // replaced are freed, by the publisher, which has ended.
  const Robot* const robot = published_.load(std::memory_order_acquire);
  if (!ramped && robot != nullptr) {
    // A long ramp or a low rate limit: a step to zero is better than a torque that stays.
    EngineOutputs zero = robot->engine.make_outputs();
    zero.time = steady_now_ns();
    zero.stamp = front_end_.ros_now();
    zero.send_torque = true;
    publish(*robot, zero);
  }
  return ramped;
}

bool DynamicsCore::idle() const noexcept {
  const Phase phase = phase_.load();
  return !active_.load() && (phase == Phase::kInactive || published_.load() == nullptr);
}

bool DynamicsCore::wait_until_idle(std::chrono::milliseconds limit) const {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!idle()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

void DynamicsCore::set_parameter(const std::string& name, const ParameterValue& value) {
  set_parameters({{name, value}});
}

void DynamicsCore::set_parameters(
    const std::vector<std::pair<std::string, ParameterValue>>& changes) {
  const std::lock_guard<std::mutex> lock(control_);
  ParameterSet changed = parameters_;
  for (const auto& [name, value] : changes) changed.change(name, value);
  const Config config = make_config(changed);
  if (robot_ != nullptr) {
    const JointSettings joints = resolve_joint_settings(config, robot_->engine.model());
    robot_->set_settings(config, joints);
  }
  parameters_ = std::move(changed);
  config_ = config;
  note_config();
  if (!direct()) loop_->set_rate(config.rate_hz);
}

// ---- messages --------------------------------------------------------------------------------------------------------------------

void DynamicsCore::note_incompatible_qos(const std::string& topic, const std::string& policy) {
  constexpr std::size_t kMostKinds = 64;  // whatever peers come up with, memory is bounded
  const std::lock_guard<std::mutex> lock(mismatches_mutex_);
  const auto found = mismatches_.find({topic, policy});
  if (found != mismatches_.end()) {
    ++found->second;
  } else if (mismatches_.size() < kMostKinds) {
    mismatches_.emplace(std::make_pair(topic, policy), 1);
  }
}

void DynamicsCore::on_joint_states(const JointStateView& message) {
  const std::shared_ptr<Robot> robot = this->robot();
  if (robot == nullptr) return;
  const std::int64_t now = steady_now_ns();
  const Oddity oddity =
      robot->inbox.on_joint_states(message, now, front_end_.ros_now(), missing_velocity_.load());
  if (direct() && oddity == Oddity::kNone) step_directly(now);
}

void DynamicsCore::on_odometry(const OdometryView& message) const {
  if (const auto r = robot()) r->inbox.on_odometry(message, steady_now_ns(), front_end_.ros_now());
}

void DynamicsCore::on_reference(const TrajectoryView& message) const {
  if (const auto r = robot()) r->inbox.on_reference(message, steady_now_ns(), front_end_.ros_now());
}

void DynamicsCore::on_effort_command(const JointStateView& message) const {
  if (const auto r = robot()) r->inbox.on_effort_command(message, steady_now_ns());
}

void DynamicsCore::on_wrench(const WrenchView& message) const {
  if (const auto r = robot()) r->inbox.on_wrench(message, steady_now_ns());
}

void DynamicsCore::on_payload(const PayloadView& message) {
  const std::shared_ptr<Robot> robot = this->robot();
  if (robot == nullptr || robot->inbox.on_payload(message) != Oddity::kFixedPayload) return;
  const Model& model = robot->engine.model();
  const Link& moving = model.link(last_moving_link(model));
  std::string line = "payload refused: link '" + std::string(message.frame_id) +
                     "' is fixed to the world, where a payload changes no torque";
  if (moving.body != 0) {
    line += "; give frame_id a link that moves, such as '" + moving.name + "'";
  }
  line = fixed_payloads_.pass(line, steady_now_ns());
  if (!line.empty()) front_end_.log(LogLevel::kWarning, line);
}

void DynamicsCore::on_gravity(const GravityView& message) const {
  if (const auto r = robot()) r->inbox.on_gravity(message);
}

}  // namespace spatial_dynamics
