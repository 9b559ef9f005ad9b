// All threads of the node at once: every kind of message, robots that are exchanged, parameters,
// transitions, slow and failing writes, and delays at every atomic operation of the exchange.
//
// scripts/test runs it for seconds, scripts/soak for as long as one likes
// (SPATIAL_DYNAMICS_STRESS_SECONDS).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "runtime/dynamics_core.hpp"
#include "runtime/exchange_atomic.hpp"
#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;
constexpr double kEffortLimit = 300.0;  // larger than any of the robots' own

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

/// Judges every torque: finite, within its limit, none after the end, and the last one before a
/// robot with other joints is zero.
class Judge final : public FrontEnd {
 public:
  bool publish(const Robot& robot, const ControlOutput& out) override {
    pause();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (ended_) fail("a torque after the end");
    if (!out.send_torque) return true;
    ++torques_;
    if (!out.torque.allFinite() || !out.drive.allFinite()) fail("a torque that is not finite");
    if (out.torque.cwiseAbs().maxCoeff() > kEffortLimit) fail("a torque over its limit");
    if (out.drive.cwiseAbs().maxCoeff() > kEffortLimit) fail("a command over its limit");
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
    if (last_.size() > 0 && !last_.isZero(0.0)) fail("the last torque was not zero");
    if (drives_) fail("the last command of the array was not zero");
  }
  void set_write(milliseconds longest, bool fails) {
    longest_ = longest;
    fails_ = fails;
  }
  [[nodiscard]] int torques() const { return torques_; }
  [[nodiscard]] int exchanges() const { return exchanges_; }
  [[nodiscard]] std::string failures() const {
    const std::lock_guard<std::mutex> lock(failing_);
    return failures_;
  }

 private:
  void pause() {
    const auto longest = longest_.load().count();
    if (longest > 0) std::this_thread::sleep_for(milliseconds(torques_ % (longest + 1)));
  }
  void fail(const char* what) {
    const std::lock_guard<std::mutex> lock(failing_);
    if (failures_.find(what) == std::string::npos) failures_.append(what).append("; ");
  }

  std::atomic<milliseconds> longest_{milliseconds(0)};
  std::atomic<bool> fails_{false};
  std::mutex mutex_;
  std::vector<std::string> names_;
  VectorXd last_;
  bool drives_ = false, ended_ = false;
  std::atomic<int> torques_{0}, exchanges_{0};
  mutable std::mutex failing_;
  std::string failures_;
};

/// Threads that disturb a core while this object lives.
class Disturbance {
 public:
  Disturbance(DynamicsCore& core, unsigned seed) : core_(core) {
    start(seed + 1, &Disturbance::send_states, 500);
    start(seed + 2, &Disturbance::send_states, 900);  // a second publisher
    start(seed + 3, &Disturbance::send_commands, 300);
    start(seed + 4, &Disturbance::change_world, 2000);
    start(seed + 5, &Disturbance::change_robot, 20000);
    start(seed + 6, &Disturbance::change_parameters, 3000);
    start(seed + 7, &Disturbance::change_phase, 30000);
    start(seed + 8, &Disturbance::look, 5000);
  }
  ~Disturbance() {
    going_ = false;
    for (std::thread& thread : threads_) thread.join();
  }
  Disturbance(const Disturbance&) = delete;
  Disturbance& operator=(const Disturbance&) = delete;

 private:
  using Random = std::mt19937;
  void start(unsigned seed, void (Disturbance::*act)(Random&), unsigned longest_pause_us) {
    threads_.emplace_back([=] {
      Random random(seed);
      while (going_) {
        (this->*act)(random);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % longest_pause_us));
      }
    });
  }
  static double number(Random& random) {
    const auto kind = random() % 1000;
    if (kind == 0) return std::nan("");
    if (kind == 1) return 1e300;
    return std::uniform_real_distribution<double>(-1.0, 1.0)(random);
  }
  std::vector<std::string> names(Random& random) const {
    std::vector<std::string> all{"shoulder_yaw", "shoulder_pitch", "upper_arm_roll", "elbow",
                                 "forearm_roll", "wrist_pitch",    "wrist_roll",     "shoulder"};
    if (random() % 50 == 0) all.pop_back();
    if (random() % 500 == 0) all.emplace_back("nobody");
    return all;
  }

  void send_states(Random& random) {
    if (random() % 200 == 0) std::this_thread::sleep_for(milliseconds(random() % 100));  // stale
    const std::vector<std::string> joints = names(random);
    std::vector<double> q(joints.size()), v(joints.size());
    // Mostly a motion that joints can have, now and then any place at all.
    const double t = to_seconds(steady_now_ns() % kNanosecondsPerSecond);
    const bool jumps = random() % 100 == 0;
    for (double& x : q) x = jumps ? number(random) : 0.1 * std::sin(2.0 * M_PI * t);
    for (double& x : v) x = jumps ? number(random) : 0.2 * M_PI * std::cos(2.0 * M_PI * t);
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
    if (random() % 3 == 0) {
      core_.deactivate();
    } else {
      core_.activate();
    }
  }
  void look(Random& random) {
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
  const std::vector<std::string> robots_ = robots();
  std::atomic<bool> going_{true};
  std::vector<std::thread> threads_;
};

class Stress : public ::testing::TestWithParam<const char*> {};

TEST_P(Stress, SatisfiesInvariantsOfNode) {
  const std::int64_t begin = steady_now_ns();
  int rounds = 0, torques = 0, exchanges = 0;
  double seconds = 0.0;
  do {
    Judge judge;
    ParameterSet parameters(parameter_table());
    parameters.set("realtime.lock_memory", false);
    parameters.set("realtime.priority", std::int64_t{0});
    parameters.set("trigger", std::string(GetParam()));
    parameters.set("ramp_s", 0.02);
    parameters.set("effort_limits", std::vector<double>{40.0});
    DynamicsCore core(judge, parameters);
    core.set_robot(robots().front());
    core.start();
    core.activate();
    judge.set_write(milliseconds(rounds % 3 * 2), rounds % 4 == 3);
    {
      const Disturbance disturbance(core, static_cast<unsigned>(100 * rounds));
      std::this_thread::sleep_for(milliseconds(700));
      // A write that fails may lose the last zero; what the node can do is to have tried.
      judge.set_write(milliseconds(rounds % 3), false);
      core.finish(milliseconds(900));
      judge.end();
    }
    EXPECT_EQ(judge.failures(), "") << "round " << rounds;
    torques += judge.torques();
    exchanges += judge.exchanges();
    ++rounds;
    seconds = to_seconds(steady_now_ns() - begin);
  } while ((seconds < seconds_to_run() || (exchanges == 0 && seconds < 60.0)) && !HasFailure());
  EXPECT_GT(torques, 100);
  EXPECT_GT(exchanges, 0);
  EXPECT_GT(exchange_delays().load(), 10u) << "nothing was delayed";
  std::printf("%d rounds, %d torques, %d exchanges of joints, %llu delays\n", rounds, torques,
              exchanges, static_cast<unsigned long long>(exchange_delays().load()));
}

INSTANTIATE_TEST_SUITE_P(Triggers, Stress, ::testing::Values("timer", "state"));

}  // namespace
}  // namespace spatial_dynamics::test
