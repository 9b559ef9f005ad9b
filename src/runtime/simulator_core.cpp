#include "spatial_dynamics/runtime/simulator_core.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "spatial_dynamics/runtime/clock.hpp"

namespace spatial_dynamics {
namespace {

// That a late tick makes up for. Longer gaps count as pauses: a torque that is held for so long would shake the robot.
constexpr double kLongestGapSeconds = 0.01;

SimulatorOptions simulator_options(const SimulatorConfig& config) {
  SimulatorOptions options;
  options.integrator = config.integrator;
  options.substeps = config.substeps;
  options.joint_stops = config.joint_stops;
  options.position_noise = config.position_noise;
  options.velocity_noise = config.velocity_noise;
  options.effort_noise = config.effort_noise;
  options.delay_samples = static_cast<int>(std::lround(config.delay_s * config.rate_hz));
  options.seed = config.seed;
  return options;
}

LoopOptions loop_options(const SimulatorConfig& config) {
  LoopOptions options;
  options.rate_hz = config.rate_hz;
  options.thread_name = "simulator";
  options.realtime.priority = 0;  // it shall not compete with the node that it serves
  options.realtime.lock_memory = false;
  return options;
}

}  // namespace

SimulatorCore::Plant::Plant(Model model, const SimulatorConfig& config)
    : engine(model),
      inbox(engine),
      simulator(std::move(model), simulator_options(config)),
      start(resolve_initial_position(config, engine.model())),
      effort(VectorXd::Zero(engine.model().nv())) {
  simulator.reset(start);
}

SimulatorCore::SimulatorCore(SimulatorFrontEnd& front_end, const ParameterSet& parameters)
    : front_end_(front_end), config_(make_simulator_config(parameters)) {
  loop_ = std::make_unique<FixedRateLoop>(
      loop_options(config_),
      [this](std::int64_t scheduled, std::int64_t now) { tick(scheduled, now); });
}

SimulatorCore::~SimulatorCore() { stop(); }

void SimulatorCore::set_robot(std::string_view urdf) {
  auto plant = std::make_shared<Plant>(load_robot(urdf, config_), config_);
  const std::lock_guard<std::mutex> lock(mutex_);
  plant_ = std::move(plant);
}

bool SimulatorCore::has_robot() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return plant_ != nullptr;
}

void SimulatorCore::start() { loop_->start(); }

void SimulatorCore::stop() noexcept {
  if (loop_ != nullptr) loop_->stop();
}

Oddity SimulatorCore::on_effort(const JointStateView& message) {
  std::shared_ptr<Plant> plant;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    plant = plant_;
  }
  if (plant == nullptr) return Oddity::kNone;
  const Oddity oddity = plant->inbox.on_effort_command(message, steady_now_ns());
  if (oddity != Oddity::kNone) {
    log(dropped_, LogLevel::kWarning, std::string("efforts dropped: ") + to_string(oddity));
  }
  return oddity;
}

void SimulatorCore::log(LineLimiter& limiter, LogLevel level, const std::string& text) {
  const std::string line = limiter.pass(text, steady_now_ns());
  if (!line.empty()) front_end_.log(level, line);
}

int SimulatorCore::steps_due(std::int64_t scheduled) noexcept {
  const std::int64_t since = last_tick_ == 0 ? 0 : scheduled - last_tick_;
  last_tick_ = scheduled;
  const double periods = static_cast<double>(since) * 1e-9 * config_.rate_hz;
  const double most = std::max(1.0, kLongestGapSeconds * config_.rate_hz);
  return static_cast<int>(std::lround(std::clamp(periods, 1.0, most)));
}

void SimulatorCore::tick(std::int64_t scheduled, std::int64_t now) {
  const int steps = steps_due(scheduled);
  std::shared_ptr<Plant> shared;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    shared = plant_;
  }
  if (shared == nullptr) return;
  Plant& plant = *shared;
  if (reset_.exchange(false)) {
    plant.simulator.reset(plant.start);
    plant.released = false;
  }
  plant.inbox.update();
  const EffortCommand& command = plant.inbox.inputs(settings_, true).effort_command;
  const auto oldest = now - static_cast<std::int64_t>(config_.effort_timeout_s * 1e9);
  plant.effort.setZero();
  const std::vector<ScalarCoordinate>& coordinates = plant.engine.coordinates();
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    if (command.received[k] == 0) continue;
    if (command.received[k] >= oldest) {
      plant.released = true;
      plant.effort(coordinates[k].v) = command.effort(coordinates[k].v);
    }
  }
  const double dt = config_.real_time_factor / config_.rate_hz;
  const bool moves = plant.released && !paused_;
  bool sound = true;
  for (int i = 0; moves && sound && i < steps; ++i) sound = plant.simulator.step(dt, plant.effort);
  if (!sound) {
    log(diverged_, LogLevel::kError,
        "the simulation diverged and starts anew: use a higher rate_hz or more substeps");
    plant.simulator.reset(plant.start);
    plant.released = false;
  }
  if (!paused_) clock_ += std::llround(steps * dt * 1e9);
  const std::int64_t stamp = config_.publish_clock ? clock_ : system_now_ns();
  try {
    front_end_.publish(plant.engine, plant.simulator.measured(), stamp, clock_);
  } catch (const std::exception& error) {  // the loop calls us noexcept
    log(unsent_, LogLevel::kError, std::string("publishing failed: ") + error.what());
  }
}

}  // namespace spatial_dynamics
