#include "spatial_dynamics/runtime/dynamics_core.hpp"

#include <algorithm>
#include <exception>

#include "spatial_dynamics/runtime/clock.hpp"

namespace spatial_dynamics {
namespace {

constexpr double kWatchdogRate = 100.0;  // Hz, with trigger: state
constexpr std::int64_t kWatchdogSilence =
    20'000'000;  // ns without a state after which the watchdog steps itself

/// Keeps everyone else from stepping. Waits by yielding: whoever has the flag keeps it for microseconds. The loop itself never waits
/// for it. Locks are taken in this order: publishing_, control_, this one.
class StepGuard {
 public:
  explicit StepGuard(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~StepGuard() { flag_.clear(std::memory_order_release); }
  StepGuard(const StepGuard&) = delete;
  StepGuard& operator=(const StepGuard&) = delete;

 private:
  std::atomic_flag& flag_;
};

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

void DynamicsCore::clear_robot() {
  const std::lock_guard<std::mutex> publishing(publishing_);
  const std::lock_guard<std::mutex> lock(control_);
  const StepGuard no_step(stepping_);
  next_.store(nullptr);
  published_.store(nullptr);
  retired_.store(nullptr);
  current_ = nullptr;
  robot_.reset();
  alive_.clear();
  phase_.store(Phase::kInactive);
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
  const std::shared_ptr<Robot> robot = this->robot();
  if (!ramped && robot != nullptr) {
    // A long ramp or a low rate limit: a step to zero is better than a torque that stays.
    EngineOutputs zero = robot->engine.make_outputs();
    zero.time = steady_now_ns();
    zero.stamp = front_end_.ros_now();
    zero.send_torque = true;
    const std::lock_guard<std::mutex> publishing(publishing_);
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

// ---- the loop's side: no allocation, no lock, no exception --------------------------------------------------------------------

bool DynamicsCore::adopt_next() noexcept {
  Robot* const next = next_.load(std::memory_order_acquire);
  if (next == nullptr) return false;
  bool replace = current_ == nullptr;
  if (!replace) {
    const Phase phase = current_->engine.phase();
    const bool silent =
        phase == Phase::kInactive || phase == Phase::kWaiting || phase == Phase::kStopped;
    const bool same = next->engine.has_coordinates_of(current_->engine);
    replace = silent || same;
    if (same) next->engine.continue_from(current_->engine);
  }
  if (!replace || retired_.load(std::memory_order_acquire) != nullptr) return !replace;
  Robot* expected = next;
  if (!next_.compare_exchange_strong(expected, nullptr))
    return false;  // an even newer one; next time
  retired_.store(current_, std::memory_order_release);
  current_ = next;
  published_.store(next, std::memory_order_release);
  return false;
}

bool DynamicsCore::step(std::int64_t now, bool directly) noexcept {
  const bool leaving = adopt_next();  // true: the torque must first be zero
  if (current_ == nullptr) return false;
  const std::int64_t begun = direct() ? steady_now_ns() : now;
  Robot& robot = *current_;
  robot.inbox.update();
  robot.settings.update();
  EngineOutputs& out = directly ? robot.direct_outputs : robot.outputs.write_slot();
  const bool run = active_.load(std::memory_order_relaxed) && !leaving;
  robot.engine.step(now, robot.inbox.inputs(robot.settings.read(), run), out);
  last_step_ = now;
  note_step(now, begun, out);
  const bool send = out.send_torque || out.send_acceleration;
  // Only what is sent goes into the box, so that a later, silent cycle never hides the last zero.
  if (send && !directly) {
    robot.outputs.publish();
    sem_post(&ready_);
  }
  return send;
}

void DynamicsCore::note_step(std::int64_t now, std::int64_t begun,
                             const EngineOutputs& out) noexcept {
  phase_.store(out.phase, std::memory_order_relaxed);
  faults_.store(out.faults, std::memory_order_relaxed);
  faults_seen_.fetch_or(out.faults, std::memory_order_relaxed);
  stalest_.store(out.stalest, std::memory_order_relaxed);
  effort_was_measured_.store(out.effort_was_measured, std::memory_order_relaxed);
  const std::int64_t finished = steady_now_ns();
  if (direct()) {
    direct_statistics_.wakeup_jitter.record(begun - now);
    direct_statistics_.compute_time.record(finished - begun);
    direct_statistics_.cycles.fetch_add(1, std::memory_order_relaxed);
  }
  if (out.phase != Phase::kRunning) return;
  state_age_.record(out.state_age);
  if (out.state_sequence == last_sequence_) return;
  latency_.record(finished - out.state_received);
  state_wait_.record(now - out.state_received);
  last_sequence_ = out.state_sequence;
}

void DynamicsCore::tick(std::int64_t now) noexcept {
  // Taken only with trigger: state, or in the moment in which a new robot is handed over.
  if (stepping_.test_and_set(std::memory_order_acquire)) {
    if (!direct()) left_out_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (!direct() || now - last_step_ > kWatchdogSilence || phase_.load() == Phase::kInactive) {
    step(now, false);
  }
  stepping_.clear(std::memory_order_release);
}

// ---- the publisher's side -------------------------------------------------------------------------------------------------------

void DynamicsCore::step_directly(std::int64_t now) {
  const std::lock_guard<std::mutex> publishing(publishing_);
  if (stopping_.load()) return;  // the last word has been said, or is about to be
  bool send = false;
  Robot* robot = nullptr;
  {
    const StepGuard no_other_step(stepping_);
    const bool due = now - last_step_ >= shortest_step_.load();
    if (!due) direct_statistics_.skipped.fetch_add(1, std::memory_order_relaxed);
    send = due && step(now, true);
    robot = current_;
  }
  if (send) publish(*robot, robot->direct_outputs);
}

void DynamicsCore::publish(const Robot& robot, const EngineOutputs& outputs) {
  // With trigger: state two threads publish; an older sample never follows a newer one.
  if (outputs.time < last_published_) return;
  last_published_ = outputs.time;
  try {
    front_end_.publish(robot, outputs);
  } catch (const std::exception& error) {
    const std::string line =
        unsent_.pass(std::string("publishing failed: ") + error.what(), steady_now_ns());
    if (!line.empty()) front_end_.log(LogLevel::kError, line);
  }
}

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

void DynamicsCore::free_retired() {
  Robot* const retired = retired_.load(std::memory_order_acquire);
  if (retired == nullptr) return;
  const std::lock_guard<std::mutex> lock(control_);
  alive_.erase(std::remove_if(alive_.begin(), alive_.end(),
                              [retired](const auto& robot) { return robot.get() == retired; }),
               alive_.end());
  retired_.store(nullptr, std::memory_order_release);
}

void DynamicsCore::run_publisher() {
  std::int64_t next_report = steady_now_ns() + kNanosecondsPerSecond;
  while (true) {
    const timespec deadline = to_timespec(next_report);
    sem_clockwait(&ready_, CLOCK_MONOTONIC, &deadline);
    const bool last = stopping_.load();  // asked before: what came in until then is still sent
    {
      const std::lock_guard<std::mutex> publishing(publishing_);
      // The one that went may have left a last zero behind.
      for (Robot* const robot :
           {retired_.load(std::memory_order_acquire), published_.load(std::memory_order_acquire)}) {
        if (robot != nullptr && robot->outputs.update()) publish(*robot, robot->outputs.read());
      }
      free_retired();
    }
    if (last) return;
    if (steady_now_ns() >= next_report) {
      report();
      next_report += kNanosecondsPerSecond;
      next_report = std::max(next_report, steady_now_ns());
    }
  }
}

// ---- messages --------------------------------------------------------------------------------------------------------------------

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

void DynamicsCore::on_payload(const PayloadView& message) const {
  if (const auto r = robot()) r->inbox.on_payload(message);
}

void DynamicsCore::on_gravity(const GravityView& message) const {
  if (const auto r = robot()) r->inbox.on_gravity(message);
}

}  // namespace spatial_dynamics
