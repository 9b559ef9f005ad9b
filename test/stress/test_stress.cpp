// All threads of the node at once: every kind of message, replacements of robots, parameters,
// transitions, slow and failing writes, and delays at every atomic operation of the exchange. The
// cycles run on the core's thread, on the thread that delivers a state, or on that of a caller.
//
// scripts/test runs it for seconds, scripts/soak for any time (SPATIAL_DYNAMICS_STRESS_SECONDS).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <utility>

#include "runtime/dynamics_core.hpp"
#include "runtime/exchange_atomic.hpp"
#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;
constexpr double kShortestRise = 0.02;  // s, from zero to the effort limit: the default rate limit

double seconds_to_run() {
  const char* const given = std::getenv("SPATIAL_DYNAMICS_STRESS_SECONDS");
  return given == nullptr ? 4.0 : std::atof(given);
}

std::vector<std::string> robots() {
  std::vector<std::string> texts;
  for (const char* name : {"arm7", "double_pendulum"}) {
    std::ifstream file(shipped_urdf(name));
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::string heavy = texts[0];  // the same joints
  for (std::size_t at = 0; (at = heavy.find("<mass value=\"", at)) != std::string::npos; at += 14) {
    heavy.insert(at + 13, "1");
  }
  texts.push_back(heavy);
  return texts;
}

/// The effort limits of the URDF. Parameters only lower them.
VectorXd own_limits(const Robot& robot) {
  const Model& model = robot.controller.model();
  VectorXd limits(model.nv());
  for (const ScalarCoordinate& c : robot.controller.coordinates()) {
    limits(c.v) = model.joint(c.joint).limits.effort;
  }
  return limits;
}

/// Torques of consecutive cycles change no faster than the default rate limit permits. Exempt are
/// the first torque after activation, braking, a torque that a lowered effort limit cuts, and a
/// torque that the envelope changes, with the next one.
class RateLaw {
 public:
  [[nodiscard]] bool holds(const ControlOutput& out, const VectorXd& limits) {
    const bool consecutive = out.cycle == cycle_ + 1 && out.torque.size() == last_.size();
    const bool limited = has(out.faults, Fault::kStopReached) || has(out.faults, Fault::kSpeedCap);
    const bool envelope = std::exchange(limited_, limited) || limited;
    const bool judged =
        consecutive && out.phase == Phase::kRunning && !last_.isZero(0.0) && !envelope;
    bool holds = true;
    for (Index k = 0; judged && k < last_.size(); ++k) {
      const double torque = out.torque(k), change = std::abs(torque - last_(k));
      const bool brakes = torque * out.v(k) < 0.0;
      const bool cut = has(out.faults, Fault::kSaturated) && std::abs(torque) <= std::abs(last_(k));
      const double most = limits(k) / kShortestRise * to_seconds(out.time - time_);
      holds = holds && (brakes || cut || change <= most + 1e-9);
    }
    judged_ += judged ? 1 : 0;
    cycle_ = out.cycle;
    time_ = out.time;
    last_ = out.torque;
    return holds;
  }
  /// The torque was set to zero from outside.
  void restart() { last_.setZero(); }
  [[nodiscard]] int judged() const { return judged_; }

 private:
  std::uint64_t cycle_ = 0;
  std::int64_t time_ = 0;
  VectorXd last_;
  bool limited_ = false;  // by the envelope, in the last cycle
  std::atomic<int> judged_{0};
};

/// Counts explicit activations before and after each, so that other threads detect one in progress.
class Activations {
 public:
  template <typename Activate>
  auto count(const Activate& activate) {
    const Guard guard{*this};
    return activate();
  }
  [[nodiscard]] int begun() const { return begun_; }
  [[nodiscard]] bool none_under_way() const { return done_ == begun_; }

 private:
  struct Guard {
    explicit Guard(Activations& counted) : all(counted) { ++all.begun_; }
    ~Guard() { ++all.done_; }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    Activations& all;
  };
  std::atomic<int> begun_{0}, done_{0};
};

/// Checks every torque: finite, within the robot's effort limits and its rate limit, none after the
/// end or after a latched stop without an explicit activation, and zero as the last one before a
/// robot with other joints.
class Judge final : public FrontEnd {
 public:
  /// With Loop::kCaller, judge_step() judges changes of the torque.
  explicit Judge(Loop loop) : loop_(loop) {}

  bool publish(const Robot& robot, const ControlOutput& out) override {
    pause();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (ended_) fail("a torque after the end");
    if (!out.send_torque) return true;
    ++torques_;
    if (!out.torque.allFinite() || !out.drive.allFinite()) fail("a torque that is not finite");
    const VectorXd limits = own_limits(robot);
    if ((out.torque.cwiseAbs().array() > limits.array()).any()) fail("a torque over its limit");
    if ((out.drive.cwiseAbs().array() > limits.array()).any()) fail("a command over its limit");
    if (loop_ == Loop::kOwn && !rate_.holds(out, limits)) fail("a torque that changes too fast");
    if (out.time > stopped_at_ && activations.begun() == activations_at_stop_) {
      fail("a torque after a latched stop, without an activation");
    }
    if (robot.names != names_ && !names_.empty()) {
      ++exchanges_;
      if (!last_.isZero(0.0)) fail("a robot was replaced while its torque was not zero");
      if (drives_) fail("a robot was replaced while it was driven");
    }
    names_ = robot.names;
    last_ = out.torque;
    if (out.send_drive) drives_ = !out.drive.isZero(0.0);
    if (fails_.load() && torques_ % 64 == 0) throw std::runtime_error("the middleware is away");
    return !fails_.load() || torques_ % 32 != 0;
  }
  void publish_report(const Diagnostics& d, const std::vector<Metric>&) override {
    if (d.message.empty()) fail("a report without a message");
  }
  void log(LogLevel, const std::string&) override {}
  [[nodiscard]] std::int64_t ros_now() const override { return system_now_ns(); }

  void end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
    if (loop_ == Loop::kCaller) {  // which commands the torque itself
      if (!commanded_.isZero(0.0)) fail("the last command was not zero");
      return;
    }
    if (last_.size() > 0 && !last_.isZero(0.0)) fail("the last torque was not zero");
    if (drives_) fail("the last command of the array was not zero");
  }
  /// A cycle of the caller's.
  void judge_step(const Robot& robot, const ControlOutput& out) {
    if (out.send_torque && !rate_.holds(out, own_limits(robot))) {
      fail("a torque that changes too fast");
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    commanded_ = out.send_drive ? out.drive : VectorXd::Zero(out.drive.size());
  }
  /// The caller has set the torque to zero, and control starts again.
  void note_restart() {
    rate_.restart();
    const std::lock_guard<std::mutex> lock(mutex_);
    commanded_.setZero();
  }
  /// A stop was latched after this many activations.
  void note_stop(int activations_before) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (activations_before != activations_at_stop_) ++stops_;
    activations_at_stop_ = activations_before;
    stopped_at_ = steady_now_ns();
  }
  void set_write(milliseconds longest, bool fails) {
    longest_ = longest;
    fails_ = fails;
  }
  [[nodiscard]] int torques() const { return torques_; }
  [[nodiscard]] int exchanges() const { return exchanges_; }
  [[nodiscard]] int stops() const { return stops_; }
  [[nodiscard]] int changes() const { return rate_.judged(); }
  [[nodiscard]] std::string failures() const {
    const std::lock_guard<std::mutex> lock(failing_);
    return failures_;
  }

  Activations activations;

 private:
  void pause() {
    const auto longest = longest_.load().count();
    if (longest > 0) std::this_thread::sleep_for(milliseconds(torques_ % (longest + 1)));
  }
  void fail(const char* what) {
    const std::lock_guard<std::mutex> lock(failing_);
    if (failures_.find(what) == std::string::npos) failures_.append(what).append("; ");
  }

  const Loop loop_;
  RateLaw rate_;
  int activations_at_stop_ = -1;
  std::int64_t stopped_at_ = INT64_MAX;
  std::atomic<milliseconds> longest_{milliseconds(0)};
  std::atomic<bool> fails_{false};
  std::mutex mutex_;
  std::vector<std::string> names_;
  VectorXd last_, commanded_;
  bool drives_ = false, ended_ = false;
  std::atomic<int> torques_{0}, exchanges_{0}, stops_{0};
  mutable std::mutex failing_;
  std::string failures_;
};

using Random = std::mt19937;

double number(Random& random) {
  const auto kind = random() % 1000;
  if (kind == 0) return std::nan("");
  if (kind == 1) return 1e300;
  return std::uniform_real_distribution<double>(-1.0, 1.0)(random);
}

/// Usually a motion that is possible for the joints, sometimes any position.
struct Motion {
  explicit Motion(Random& random) {
    const double t = to_seconds(steady_now_ns() % kNanosecondsPerSecond);
    const bool jumps = random() % 100 == 0;
    q = jumps ? number(random) : 0.1 * std::sin(2.0 * M_PI * t);
    v = jumps ? number(random) : 0.2 * M_PI * std::cos(2.0 * M_PI * t);
  }
  double q = 0.0, v = 0.0;
};

/// From time to time all states pause for 0.15 s, long enough for a stop.
bool states_pause() { return steady_now_ns() / 50'000'000 % 8 < 3; }

/// Runs the cycles of a core as a controller manager does, while this object lives.
class Caller {
 public:
  Caller(DynamicsCore& core, Judge& judge, unsigned seed)
      : core_(core),
        judge_(judge),
        robot_(core.robot()),
        input_(robot_->controller.model(), robot_->controller.coordinates()),
        thread_([this, seed] { run(seed); }) {}
  ~Caller() {
    going_ = false;
    thread_.join();
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  /// After this call, the caller does not suspend.
  void stay() {
    const std::lock_guard<std::mutex> lock(switching_);
    stays_ = true;
  }

 private:
  void run(unsigned seed) {
    Random random(seed);
    judge_.activations.count([&] { return core_.resume(steady_now_ns()); });
    while (going_) {
      const auto cycles = random() % 100;
      for (std::size_t i = 0; i < cycles && going_; ++i) {
        cycle(random);
        std::this_thread::sleep_for(std::chrono::microseconds(500 + random() % 1000));
      }
      const std::lock_guard<std::mutex> lock(switching_);
      if (!stays_) change_mode(random);
    }
  }
  void cycle(Random& random) {
    const std::int64_t now = steady_now_ns();
    const bool stale = states_pause();
    for (std::size_t k = 0; k < robot_->names.size(); ++k) {
      const Motion motion(random);
      input_.set_reading(k, {stale ? std::nan("") : motion.q, motion.v, std::nan("")});
      input_.set_reference(k, now, {0.0, number(random), number(random), 0.0, std::nan("")});
    }
    const ControlOutput* const out = core_.step(now, system_now_ns(), input_);
    if (out != nullptr) judge_.judge_step(*robot_, *out);
  }
  /// A change of chained mode, or a deactivation and an activation; some take long.
  void change_mode(Random& random) {
    core_.suspend(steady_now_ns());
    const bool chained = random() % 2 == 0, same_switch = random() % 2 == 0;
    const std::uint64_t last = core_.discard_references(input_.generation());
    if (chained) {
      input_.follow_caller(last);
    } else {
      input_.follow_topic();
    }
    std::this_thread::sleep_for(milliseconds(random() % 4 == 0 ? random() % 200 : 0));
    const auto resume = [&] { return core_.resume(steady_now_ns(), same_switch); };
    const bool continues = same_switch ? resume() : judge_.activations.count(resume);
    if (!continues) judge_.note_restart();
  }

  DynamicsCore& core_;
  Judge& judge_;
  const std::shared_ptr<Robot> robot_;
  CallerInput input_;
  std::mutex switching_;
  bool stays_ = false;
  std::atomic<bool> going_{true};
  std::thread thread_;  // last
};

/// Threads that disturb a core while this object lives.
class Disturbance {
 public:
  Disturbance(DynamicsCore& core, Judge& judge, Loop loop, unsigned seed)
      : core_(core), judge_(judge) {
    if (loop == Loop::kOwn) {
      start(seed + 1, &Disturbance::send_states, 500);
      start(seed + 2, &Disturbance::send_states, 900);  // a second publisher
    } else {
      robots_.erase(robots_.begin() + 1);  // a caller has the joints of one robot
    }
    start(seed + 3, &Disturbance::send_commands, 300);
    start(seed + 4, &Disturbance::change_world, 2000);
    start(seed + 5, &Disturbance::change_robot, 20000);
    start(seed + 6, &Disturbance::change_parameters, 3000);
    start(seed + 7, &Disturbance::change_phase, 100000);
    start(seed + 8, &Disturbance::look, 5000);
    start(seed + 9, &Disturbance::watch_for_stop, 1000);
  }
  ~Disturbance() {
    going_ = false;
    for (std::thread& thread : threads_) thread.join();
  }
  Disturbance(const Disturbance&) = delete;
  Disturbance& operator=(const Disturbance&) = delete;

 private:
  void start(unsigned seed, void (Disturbance::*act)(Random&), unsigned longest_pause_us) {
    threads_.emplace_back([=] {
      Random random(seed);
      while (going_) {
        (this->*act)(random);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % longest_pause_us));
      }
    });
  }
  std::vector<std::string> names(Random& random) const {
    std::vector<std::string> all{"shoulder_yaw", "shoulder_pitch", "upper_arm_roll", "elbow",
                                 "forearm_roll", "wrist_pitch",    "wrist_roll",     "shoulder"};
    if (random() % 50 == 0) all.pop_back();
    if (random() % 500 == 0) all.emplace_back("nobody");
    return all;
  }

  void send_states(Random& random) {
    if (states_pause()) return;
    const std::vector<std::string> joints = names(random);
    const Motion motion(random);
    const std::vector<double> q(joints.size(), motion.q), v(joints.size(), motion.v);
    core_.on_joint_states({system_now_ns(),
                           {joints.begin(), joints.end()},
                           {q.data(), q.size()},
                           {v.data(), v.size()},
                           {},
                           1 + random() % 2});
  }
  void send_commands(Random& random) {
    const std::vector<std::string> joints = names(random);
    std::vector<double> x(joints.size());
    for (double& value : x) value = number(random);
    const NumberView values{x.data(), x.size()};
    const std::int64_t later = random() % 3 * 100'000'000;
    core_.on_reference({0, {joints.begin(), joints.end()}, {{values, {}, {}, {}, later}}});
    core_.on_effort_command({0, {joints.begin(), joints.end()}, {}, {}, values, 0});
    core_.on_wrench({"forearm", Vector3(number(random), 0, 1), Vector3::Zero()});
    core_.on_odometry({system_now_ns(), Vector3::Zero(), Quaternion::Identity(), Vector3::Zero(),
                       Vector3::Zero()});
  }
  void change_world(Random& random) {
    core_.on_payload(
        {"flange", std::abs(number(random)), Vector3(0, 0, 0.05), 0.001 * Matrix3::Identity()});
    core_.on_gravity({"", Vector3(0, 0, -9.81 + number(random))});
  }
  void change_robot(Random& random) {
    const std::string& urdf = robots_[random() % robots_.size()];
    switch (random() % 4) {
      case 0:
        core_.on_robot_description(urdf.substr(0, random() % urdf.size()));  // truncated
        break;
      case 1:
        core_.on_robot_description(urdf);
        break;
      default:
        try {
          core_.set_robot(urdf);
        } catch (const ParameterError&) {  // gains for another number of joints
        }
    }
  }
  void change_parameters(Random& random) {
    const std::vector<std::pair<std::string, ParameterValue>> choices{
        {"torque_mode", std::string("computed_torque")},
        {"torque_mode", std::string("gravity_compensation")},
        {"torque_mode", std::string("inverse_dynamics")},
        {"fallback", std::string("stop")},
        {"fallback", std::string("zero")},
        {"fallback", std::string("gravity_only")},
        {"rate_hz", 500.0 + static_cast<double>(random() % 1000)},
        {"effort_limits", std::vector<double>{}},
        {"effort_limits", std::vector<double>{5.0}},
        {"gains.kp", std::vector<double>{100.0 * std::abs(number(random))}},
        {"effort_limit_scale", 0.5},
        {"ramp_s", 0.05},
        {"state_timeout_s", 0.02 + 0.01 * static_cast<double>(random() % 5)},
        {"gains.kp", std::vector<double>(7, 50.0)},  // fits the arm alone
    };
    const auto& [name, value] = choices[random() % choices.size()];
    try {
      core_.set_parameter(name, value);
    } catch (const ParameterError&) {  // rejected, for instance where it does not fit the robot
    }
  }
  void change_phase(Random& random) {
    switch (random() % 6) {
      case 0:
        return core_.deactivate();
      case 1:
        (void)core_.on_set_active(false, "a test");
        return;
      case 2:
        judge_.activations.count([&] { return core_.on_set_active(true, "a test"); });
        return;
      default:
        judge_.activations.count([&] { core_.activate(); });
    }
  }
  /// The phase is still "stopped" in the cycles after an activation that they have not seen yet.
  void watch_for_stop(Random&) {
    const int before = judge_.activations.begun();
    if (!judge_.activations.none_under_way() || core_.phase() != Phase::kStopped) return;
    const std::uint64_t cycles = core_.cycle_statistics().cycles + 2;
    while (going_ && core_.cycle_statistics().cycles < cycles) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    if (core_.phase() == Phase::kStopped && judge_.activations.begun() == before) {
      judge_.note_stop(before);
    }
  }
  void look(Random& random) {
    if (random() % 200 == 0) core_.look_around();  // which delays the first torque by 0.2 s
    const Diagnostics d = core_.diagnostics();
    const bool rival = random() % 50 == 0;  // another node, which sends now and then
    core_.set_foreign_publishers(rival ? std::vector<ForeignPublisher>{{9, "/t", "/n", true, true}}
                                       : std::vector<ForeignPublisher>{});
    if (rival && random() % 4 == 0) core_.note_foreign_torque(9);
    core_.note_activation_command("from a test");
    core_.note_incompatible_qos({"/t", false, "RELIABILITY"});
    (void)core_.idle();
    (void)core_.config();
  }

  DynamicsCore& core_;
  Judge& judge_;
  std::vector<std::string> robots_ = robots();
  std::atomic<bool> going_{true};
  std::vector<std::thread> threads_;
};

class Stress : public ::testing::TestWithParam<const char*> {
 protected:
  void run_round(Judge& judge, Loop loop, int round) {
    ParameterSet parameters(parameter_table());
    parameters.set("realtime.lock_memory", false);
    parameters.set("realtime.priority", std::int64_t{0});
    if (loop == Loop::kOwn) parameters.set("trigger", std::string(GetParam()));
    parameters.set("ramp_s", 0.02);
    parameters.set("effort_limits", std::vector<double>{40.0});
    DynamicsCore core(judge, parameters, loop);
    core.set_robot(robots().front());
    core.start();
    const auto seed = static_cast<unsigned>(100 * round);
    std::optional<Caller> caller;
    if (loop == Loop::kCaller) {
      caller.emplace(core, judge, seed);
    } else {
      judge.activations.count([&] { core.activate(); });
    }
    judge.set_write(milliseconds(round % 3 * 2), round % 4 == 3);
    const Disturbance disturbance(core, judge, loop, seed);
    std::this_thread::sleep_for(milliseconds(700));
    if (caller) caller->stay();
    // If a write fails, the last zero may be lost although the node tried to send it.
    judge.set_write(milliseconds(round % 3), false);
    core.finish(milliseconds(900));
    judge.end();
  }
};

TEST_P(Stress, SatisfiesInvariantsOfNode) {
  const Loop loop = std::string(GetParam()) == "caller" ? Loop::kCaller : Loop::kOwn;
  const std::int64_t begin = steady_now_ns();
  int rounds = 0, torques = 0, exchanges = 0, stops = 0, changes = 0;
  double seconds = 0.0;
  const auto has_seen_all = [&] { return stops > 0 && (exchanges > 0 || loop == Loop::kCaller); };
  do {
    Judge judge(loop);
    run_round(judge, loop, rounds);
    EXPECT_EQ(judge.failures(), "") << "round " << rounds;
    torques += judge.torques();
    exchanges += judge.exchanges();
    stops += judge.stops();
    changes += judge.changes();
    ++rounds;
    seconds = to_seconds(steady_now_ns() - begin);
  } while ((seconds < seconds_to_run() || (!has_seen_all() && seconds < 60.0)) && !HasFailure());
  EXPECT_GT(torques, 100);
  EXPECT_GT(changes, 10) << "of the torque, in consecutive cycles";
  EXPECT_TRUE(has_seen_all()) << exchanges << " exchanges of joints, " << stops << " stops";
  EXPECT_GT(exchange_delays().load(), 10u) << "nothing was delayed";
  std::printf("%d rounds, %d torques, %d changes, %d exchanges of joints, %d stops, %llu delays\n",
              rounds, torques, changes, exchanges, stops,
              static_cast<unsigned long long>(exchange_delays().load()));
}

INSTANTIATE_TEST_SUITE_P(Triggers, Stress, ::testing::Values("timer", "state", "caller"));

}  // namespace
}  // namespace spatial_dynamics::test
