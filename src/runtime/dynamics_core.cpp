#include "runtime/dynamics_core.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "runtime/robot_source.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "spatial_dynamics/dynamics/isa.hpp"

namespace spatial_dynamics {
namespace {

LoopOptions loop_options(const Config& config) {
  LoopOptions options;
  options.rate_hz = config.rate_hz;
  options.thread_name = "dynamics";
  options.realtime = config.realtime;
  return options;
}

}  // namespace

DynamicsCore::DynamicsCore(FrontEnd& front_end, ParameterSet parameters, Loop loop)
    : front_end_(front_end),
      loop_of_(loop),
      parameters_(std::move(parameters)),
      config_(read_config(parameters_, loop_of_)),
      deadline_s_(torque_deadline_s(config_)),
      cycle_(config_.trigger),
      sender_(front_end, cycle_),
      loop_(loop_options(config_),
            [this](std::int64_t, std::int64_t now) {
              if (cycle_.tick(now)) sender_.wake();
            }),
      delivery_(front_end, cycle_),
      report_(front_end, cycle_, loop_, delivery_.payload_check(), delivery_.world()),
      loader_([this](const std::string& urdf) { set_robot(urdf); },
              [this](const std::string& reason) { reject_description(reason); }) {
  note_config();
}

DynamicsCore::~DynamicsCore() { stop(); }

void DynamicsCore::note_config() noexcept {
  cycle_.set_config(config_);
  delivery_.set_missing_velocity(config_.missing_velocity);
}

Config DynamicsCore::config() const {
  const std::lock_guard<std::mutex> lock(control_);
  return config_;
}

ParameterSet DynamicsCore::parameters() const {
  const std::lock_guard<std::mutex> lock(control_);
  return parameters_;
}

std::vector<std::string> DynamicsCore::joint_order() const {
  const std::shared_ptr<Robot> r = robot();
  return r == nullptr ? std::vector<std::string>() : r->names;
}

bool DynamicsCore::set_robot(std::string_view urdf) {
  Config config;
  {
    const std::lock_guard<std::mutex> lock(control_);
    if (robot() != nullptr && urdf == description_) {
      last_rejection_.clear();
      return false;
    }
    config = config_;
  }
  std::shared_ptr<Robot> robot;
  std::vector<std::string> lost;
  try {
    ModelReport report;
    const std::vector<std::string> order = joint_order();
    Model model = load_robot(urdf, config, &report, order);
    robot = std::make_shared<Robot>(std::move(model), std::move(report), config, order);
    const std::lock_guard<std::mutex> lock(control_);
    // Parameters may have changed while the robot was built.
    robot->set_settings(config_, robot->resolve(config_));
    const auto no_delivery = delivery_.pause();
    lost = robot->copy_inputs(*cycle_.robots().alive());
    description_ = urdf;
    last_rejection_.clear();
    cycle_.robots().offer(robot);
    delivery_.payload_check().request(robot, config_.gravity);
  } catch (const std::exception& error) {
    const std::lock_guard<std::mutex> lock(control_);
    last_rejection_ = error.what();
    throw;
  }
  for (const auto& [level, text] : introduce(*robot)) front_end_.log(level, text);
  delivery_.world().note_lost_payloads(lost);
  return true;
}

void DynamicsCore::reject_description(const std::string& reason) {
  const std::string line =
      rejections_.pass("robot_description rejected: " + reason, steady_now_ns());
  if (!line.empty()) front_end_.log(LogLevel::kError, line);
}

void DynamicsCore::start() {
  if (sender_.started()) return;
  if (stopping_.exchange(false)) loader_.stop();  // a load from before the end
  cycle_.restart();
  report_.begin();
  // Before the loop, which locks the memory.
  sender_.start(config().realtime);
  reporter_ = std::thread([this] { run_reporter(); });
  try {
    if (loop_of_ == Loop::kOwn) loop_.start();
  } catch (...) {
    stop();
    throw;
  }
  started_.store(true);
  sender_.accept_states();
  for (const std::string& warning : loop_.warnings()) {
    front_end_.log(LogLevel::kWarning, warning);
  }
  const std::string remark = isa_remark();
  if (!remark.empty()) front_end_.log(LogLevel::kWarning, remark);
}

void DynamicsCore::stop_sending() noexcept {
  loop_.stop();
  stopping_.store(true);
  sender_.stop();
  started_.store(false);
}

void DynamicsCore::stop_reporting() noexcept {
  {
    const std::lock_guard<std::mutex> lock(reporting_);
    end_of_reports_.notify_all();
  }
  if (reporter_.joinable()) reporter_.join();
  loader_.cancel();
}

void DynamicsCore::stop() noexcept {
  stop_sending();
  stop_reporting();
  loader_.stop();
}

bool DynamicsCore::finish(std::chrono::milliseconds limit) {
  if (stopping_.load()) return true;  // it has
  cycle_.end();
  bool ramped = wait_until_idle(limit);
  stop_sending();
  if (!ramped) ramped = !sender_.cut_to_zero();
  stop_reporting();
  if (!front_end_.torques_received(kLongestAcknowledgement)) {
    front_end_.log(LogLevel::kWarning,
                   "a subscriber has not acknowledged the last torque, which was zero");
  }
  return ramped;
}

bool DynamicsCore::finished() {
  if (!idle()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!stopped_at_) {
    stop_sending();  // sends the zero, if it has not been sent yet
    stop_reporting();
    stopped_at_ = now;
  }
  return loader_.is_idle() && (now - *stopped_at_ > kLongestAcknowledgement ||
                               front_end_.torques_received(std::chrono::milliseconds(0)));
}

void DynamicsCore::activate() noexcept {
  try {
    if (!active() || phase() == Phase::kStopped) delivery_.prepare_world(config());
  } catch (const std::exception&) {  // no memory for a log line: the torque matters more
  }
  cycle_.activate();
}

void DynamicsCore::deactivate() noexcept { cycle_.deactivate(); }

const ControlOutput* DynamicsCore::step(std::int64_t now, std::int64_t stamp,
                                        CallerInput& input) noexcept {
  const ControlOutput* const out = cycle_.step_for_caller(now, stamp, input);
  sender_.wake();
  return out;
}

bool DynamicsCore::resume(std::int64_t now, bool same_switch) noexcept {
  const bool continues = cycle_.resume(now, same_switch);
  if (!continues && !same_switch) activate();
  return continues;
}

bool DynamicsCore::idle() const noexcept {
  if (!started_.load()) return !cycle_.active();
  return cycle_.idle();
}

bool DynamicsCore::wait_until_idle(std::chrono::milliseconds limit) const {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!idle()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// What is wrong with the settings of the newest robot, as sentences; empty if there is nothing.
std::vector<std::string> DynamicsCore::setting_warnings() const {
  const std::shared_ptr<Robot> newest = robot();
  if (newest == nullptr) return {};
  return {newest->joints()->ignored_limits, newest->joints()->gain_warning};
}

void DynamicsCore::set_parameter(const std::string& name, const ParameterValue& value) {
  set_parameters({{name, value}});
}

ParameterUpdate DynamicsCore::prepare_update(const ParameterChanges& changes) const {
  return spatial_dynamics::prepare_update(parameters_, changes, loop_of_, deadline_s_,
                                          *cycle_.robots().alive());
}

void DynamicsCore::check_parameters(const ParameterChanges& changes) const {
  const std::lock_guard<std::mutex> lock(control_);
  (void)prepare_update(changes);
}

void DynamicsCore::set_parameters(const ParameterChanges& changes) {
  const std::lock_guard<std::mutex> lock(control_);
  ParameterUpdate update = prepare_update(changes);
  const std::vector<std::string> before = setting_warnings();
  for (const auto& [robot, joints] : update.robots) robot->set_settings(update.config, joints);
  for (const std::string& warning : setting_warnings()) {
    const bool is_new = std::find(before.begin(), before.end(), warning) == before.end();
    if (is_new && !warning.empty()) front_end_.log(LogLevel::kWarning, warning);
  }
  parameters_ = std::move(update.parameters);
  config_ = std::move(update.config);
  note_config();
  loader_.retry();  // a description may have been rejected because of a parameter
  loop_.set_rate(config_.rate_hz);
}

TopicTable DynamicsCore::topics() const {
  const std::lock_guard<std::mutex> lock(control_);
  return enabled_topics(topic_table(), parameters_,
                        std::chrono::nanoseconds(std::llround(deadline_s_ * 1e9)));
}

void DynamicsCore::look_around() {
  if (config().yield_to_active_node) cycle_.gate().look_around(steady_now_ns());
}

void DynamicsCore::set_foreign_publishers(std::vector<ForeignPublisher> publishers) {
  cycle_.gate().set_publishers(std::move(publishers));
}

void DynamicsCore::note_foreign_torque(std::uint64_t source) {
  cycle_.gate().note_torque(source, steady_now_ns());
}

// ---- messages -----------------------------------------------------------------------------------

ActivationCommand DynamicsCore::on_set_active(ActivationCommand command, std::uint64_t publisher) {
  if (cycle_.ended()) {
    command.rejection = "the node is ending";
  } else if (cycle_.suspended()) {
    command.rejection = "the controller is inactive; activate it with the controller manager";
  } else {
    command.activate ? activate() : deactivate();
  }
  report_.note_activation_command(command, publisher);
  log_activation(command, activations_);
  return command;
}

bool DynamicsCore::on_acknowledge() {
  const bool touched = has(cycle_.present_faults(), Fault::kContact);
  if (touched) cycle_.acknowledge();
  activations_.write(LogLevel::kInfo, touched ? "~/acknowledge: the contact is acknowledged"
                                              : "~/acknowledge: there is no contact");
  return touched;
}

void DynamicsCore::on_joint_states(const JointStateView& message) {
  const std::int64_t now = steady_now_ns();
  const bool accepted = delivery_.on_joint_states(message, now);
  if (cycle_.trigger() == Trigger::kState && accepted) sender_.step_directly(now);
}

// ---- reporter -----------------------------------------------------------------------------------

DynamicsReport::Status DynamicsCore::status() const {
  const std::lock_guard<std::mutex> lock(control_);
  return {config_, last_rejection_, sender_.torques_sent()};
}

void DynamicsCore::run_reporter() {
  auto next = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  std::unique_lock<std::mutex> lock(reporting_);
  while (!end_of_reports_.wait_until(lock, next, [this] { return stopping_.load(); })) {
    lock.unlock();
    report_.send([this] { return status(); });
    lock.lock();
    next = std::max(next + std::chrono::seconds(1), std::chrono::steady_clock::now());
  }
}

}  // namespace spatial_dynamics
