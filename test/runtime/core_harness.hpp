// A DynamicsCore with a front end that records its calls.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <iterator>

#include "runtime/dynamics_core.hpp"
#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

// A shared machine may pause a thread for a while; no test depends on its speed.
constexpr std::chrono::milliseconds kPatience(10000);

/// Records the calls of the core.
class Notes : public FrontEnd {
 public:
  bool publish(const Robot& robot, const ControlOutput& out) override {
    const Alone alone(*this, publishing_);
    std::this_thread::sleep_for(publish_takes.load());
    const std::lock_guard<std::mutex> lock(mutex_);
    if (out.send_torque) {
      torque = out.torque;
      names = robot.names;
      stamp = out.stamp;
      phase = out.phase;
      ++torques;
      if (records) record.push_back({robot.names, out.torque, out.send_drive});
    }
    changed_.notify_all();
    return !rejects;
  }
  void publish_report(const Diagnostics& d, const std::vector<Metric>& m) override {
    const Alone alone(*this, reporting_);
    std::this_thread::sleep_for(report_takes);
    const std::lock_guard<std::mutex> lock(mutex_);
    diagnostics = d;
    metrics = m;
    ++reports;
    changed_.notify_all();
  }
  void log(LogLevel, const std::string& line) override {
    if (on_log) on_log(line);
    const std::lock_guard<std::mutex> lock(mutex_);
    lines.push_back(line);
    changed_.notify_all();
  }
  [[nodiscard]] Surroundings surroundings() const override { return others; }
  [[nodiscard]] std::int64_t ros_now() const override { return clock_known ? system_now_ns() : 0; }

  /// Waits until `condition` holds. It is checked under the lock after each call.
  template <typename Condition>
  bool wait(Condition&& condition) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, kPatience, condition);
  }

  /// A copy of one of the members below, for threads other than the core's:
  /// notes.read(&Notes::torque).
  template <typename Member>
  Member read(Member Notes::*member) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return this->*member;
  }
  bool stamp_is(std::int64_t expected) { return read(&Notes::stamp) == expected; }

  VectorXd torque;
  std::vector<std::string> names;
  std::int64_t stamp = 0;
  Phase phase = Phase::kInactive;
  int torques = 0, reports = 0;
  Diagnostics diagnostics;
  std::vector<Metric> metrics;
  std::vector<std::string> lines;  // of the log
  Surroundings others;             // set it and the next one before the core starts
  std::function<void(const std::string& line)> on_log;
  std::chrono::milliseconds report_takes{0};
  std::atomic<bool> clock_known{true};
  std::atomic<bool> rejects{false};  // like a middleware that cannot send
  std::atomic<int> overlaps{0};      // calls of a function during another call of it
  std::atomic<std::chrono::milliseconds> publish_takes{std::chrono::milliseconds(0)};
  struct Sent {
    std::vector<std::string> names;
    VectorXd torque;
    bool drives = false;  // the array was sent too
  };
  bool records = false;  // set it before the core starts
  std::vector<Sent> record;

 private:
  class Alone {
   public:
    Alone(Notes& notes, std::atomic<int>& inside) : inside_(inside) {
      if (inside_.fetch_add(1) != 0) ++notes.overlaps;
    }
    ~Alone() { --inside_; }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

   private:
    std::atomic<int>& inside_;
  };

  std::atomic<int> publishing_{0}, reporting_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
};

class CoreTest : public ::testing::Test {
 protected:
  void make(std::vector<std::pair<std::string, ParameterValue>> parameters = {}) {
    ParameterSet set(parameter_table());
    set.set("realtime.lock_memory", false);
    for (const auto& [name, value] : parameters) set.set(name, value);
    core = std::make_unique<DynamicsCore>(notes, set);
    core->start();
  }
  ~CoreTest() override {
    feeding = false;
    if (feeder.joinable()) feeder.join();
  }

  /// Sends the same state every few milliseconds, so that it never becomes stale.
  void feed(const std::vector<std::string>& names, double position) {
    feeding = false;
    if (feeder.joinable()) feeder.join();
    feeding = true;
    feeder = std::thread([this, names, position] {
      const std::vector<double> q(names.size(), position), zero(names.size(), 0.0);
      while (feeding) {
        core->on_joint_states({system_now_ns(),
                               {names.begin(), names.end()},
                               {q.data(), q.size()},
                               {zero.data(), zero.size()},
                               {},
                               1});
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  VectorXd gravity(const std::string& robot, double position) {
    const Model model = load_urdf(urdf_text(robot));
    textbook::Data data(model);
    return gravity_torque(model, data, VectorXd::Constant(model.nq(), position));
  }
  bool wait_for_torque(const VectorXd& expected) {
    return notes.wait([&] {
      return notes.torque.size() == expected.size() && (notes.torque - expected).norm() < 1e-9;
    });
  }

  std::string torques_sent() const {
    for (const auto& [key, value] : core->diagnostics().values) {
      if (key == "torques sent") return value;
    }
    return "missing";
  }

  Notes notes;
  std::atomic<bool> feeding{false};
  std::thread feeder;
  std::unique_ptr<DynamicsCore> core;
};

}  // namespace spatial_dynamics::test
