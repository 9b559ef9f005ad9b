// Values of diagnostics and figures of statistics.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

#include "core_harness.hpp"
#include "runtime/dynamics_core.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/report_values.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

class NoFrontEnd : public FrontEnd {
 public:
  bool publish(const Robot&, const ControlOutput&) override { return true; }
  void publish_report(const Diagnostics&, const std::vector<Metric>&) override {}
  void log(LogLevel, const std::string&) override {}
  [[nodiscard]] std::int64_t ros_now() const override { return system_now_ns(); }
  [[nodiscard]] std::uint64_t log_lines_lost() const override { return lost; }
  [[nodiscard]] std::string publisher_name(std::uint64_t source) const override {
    return source == 7 ? name_of_7 : std::string();
  }

  std::uint64_t lost = 0;
  std::string name_of_7;
};

/// A core whose threads are not started: its reports depend only on its inputs.
class ReportTest : public ::testing::Test {
 protected:
  void load_arm() {
    std::ifstream file(shipped_urdf("arm7"));
    core.set_robot(std::string{std::istreambuf_iterator<char>(file), {}});
  }
  /// Sends the state of all joints from one publisher, with the given number of positions.
  void send_state(std::uint64_t publisher, std::size_t positions = 7, std::int64_t late = 0) {
    const std::vector<std::string>& names = core.robot()->names;
    const std::vector<double> q(positions, 0.3);
    core.on_joint_states({system_now_ns() - late,
                          {names.begin(), names.end()},
                          {q.data(), q.size()},
                          {},
                          {},
                          publisher});
  }
  /// The value of a key; "missing" if there is none.
  std::string value(const std::string& key) const {
    for (const auto& [name, text] : core.diagnostics().values) {
      if (name == key) return text;
    }
    return "missing";
  }

  NoFrontEnd front_end;
  DynamicsCore core{front_end, ParameterSet(parameter_table())};
};

/// The middleware may deliver a command before it knows the node of the publisher, and loses the
/// node when it ends.
TEST_F(ReportTest, ShowsTheNodeOfTheLastActivationOnceItIsKnown) {
  core.on_set_active(true, 7u);
  EXPECT_EQ(value("last activation command"), "activate: active");
  front_end.name_of_7 = "/panel";
  EXPECT_EQ(value("last activation command"), "activate, from node /panel: active");
  front_end.name_of_7.clear();
  EXPECT_EQ(value("last activation command"), "activate, from node /panel: active");
  core.on_set_active(false, "the service");
  EXPECT_EQ(value("last activation command"), "deactivate, from the service: inactive");
}

TEST_F(ReportTest, DroppedMessagesAreCountedUnderTheirReason) {
  load_arm();
  EXPECT_EQ(value(to_string(RejectionReason::kLengthMismatch)), "missing");
  send_state(1, 6);
  send_state(1, 6);
  EXPECT_EQ(value(to_string(RejectionReason::kLengthMismatch)), "2");
}

TEST_F(ReportTest, LastRejectedMessageIsExplained) {
  load_arm();
  EXPECT_EQ(value(kLastRejectionKey), "missing");
  core.on_wrench({"hand", {0, 0, 1}, {0, 0, 0}});
  EXPECT_EQ(value(kLastRejectionKey).find("frame_id names no link of the robot: 'hand'; choose"),
            0u)
      << value(kLastRejectionKey);
}

TEST_F(ReportTest, ShowsLostLogLinesWithAndWithoutARobot) {
  EXPECT_EQ(value("log lines lost"), "0");
  front_end.lost = 17;
  EXPECT_EQ(value("log lines lost"), "17");
  load_arm();
  EXPECT_EQ(value("log lines lost"), "17");
}

TEST_F(ReportTest, ShowsWhetherItIsActiveAndTheLastCommand) {
  EXPECT_EQ(value("active"), "false");
  EXPECT_EQ(value("last activation command"), "none");
  core.activate();
  core.note_activation_command(ActivationCommand{true, "publisher 12", ""}.text());
  EXPECT_EQ(value("active"), "true");
  EXPECT_EQ(value("last activation command"), "activate, from publisher 12: active");
  load_arm();
  EXPECT_EQ(value("active"), "true");
  core.deactivate();
  core.note_activation_command(ActivationCommand{false, "", ""}.text());
  EXPECT_EQ(value("active"), "false");
  EXPECT_EQ(value("last activation command"), "deactivate: inactive");
}

TEST_F(ReportTest, TheEffortsOfForwardDynamicsAreReported) {
  load_arm();
  EXPECT_EQ(value("effort of forward dynamics"), "auto: own torque");
  core.set_parameter("forward.effort_source", std::string("command"));
  EXPECT_EQ(value("effort of forward dynamics"), "command");
}

/// Keeps the log and the last report.
class LogKeeper : public NoFrontEnd {
 public:
  void publish_report(const Diagnostics& diagnostics, const std::vector<Metric>&) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    message_ = diagnostics.message;
    ++reports_;
  }
  void log(LogLevel, const std::string& line) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(line);
  }
  int reports() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return reports_;
  }
  std::string message() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return message_;
  }
  std::ptrdiff_t lines_with(const std::string& words) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::count_if(lines_.begin(), lines_.end(), [&](const std::string& line) {
      return line.find(words) != std::string::npos;
    });
  }

 private:
  std::mutex mutex_;
  std::string message_;
  std::vector<std::string> lines_;
  int reports_ = 0;
};

TEST(Report, RejectedRealTimeSettingsAreLoggedOnceAndDoNotHideTheState) {
  ParameterSet parameters(parameter_table());
  parameters.set("realtime.lock_memory", false);
  parameters.set("realtime.priority", std::int64_t{0});
  parameters.set("realtime.cpu", std::int64_t{1023});  // no such core
  LogKeeper front_end;
  DynamicsCore core(front_end, parameters);
  core.start();
  while (front_end.reports() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  core.stop();
  EXPECT_EQ(front_end.lines_with("realtime.cpu 1023 was rejected"), 1);
  EXPECT_EQ(front_end.lines_with("no robot yet"), 1);
  EXPECT_EQ(front_end.message().find("no robot yet"), 0U) << front_end.message();
  EXPECT_NE(front_end.message().find("; realtime.cpu 1023 was rejected"), std::string::npos)
      << front_end.message();
}

using RunningReport = CoreTest;

/// ~/statistics counts what happened since its last message, /diagnostics since the start.
TEST_F(RunningReport, CountsPerSecondInStatisticsAndSinceTheStartInDiagnostics) {
  notes.publish_takes = std::chrono::milliseconds(20);  // newer torques replace waiting ones
  make();
  core->set_robot(urdf_text("double_pendulum"));
  core->activate();
  feed(core->robot()->names, 0.3);
  const auto replaced_of = [](const std::vector<Metric>& metrics) {
    const auto found = std::find_if(metrics.begin(), metrics.end(), [](const Metric& metric) {
      return metric.name == "torques_replaced";
    });
    return found == metrics.end() ? Metric{} : *found;
  };
  double counted = 0.0, newest = 0.0, since_start = 0.0;
  int reports = 0;
  ASSERT_TRUE(notes.wait([&] {
    if (notes.reports == reports) return false;
    EXPECT_EQ(notes.reports, reports + 1) << "a report was missed";
    reports = notes.reports;
    const Metric metric = replaced_of(notes.metrics);
    EXPECT_EQ(metric.unit, "1/s");
    newest = metric.mean;
    counted += newest;
    for (const auto& [key, value] : notes.diagnostics.values) {
      if (key == "torques replaced") since_start = std::stod(value);
    }
    return reports == 4;
  }));
  EXPECT_GT(newest, 0.0);
  EXPECT_NEAR(counted, since_start, 0.5 * newest) << "both count the same";
  EXPECT_GT(since_start, 1.5 * newest);
}

TEST_F(RunningReport, KeysOfDiagnosticsAreWords) {
  make();
  core->set_robot(urdf_text("double_pendulum"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torques > 0 && notes.reports > 1; }));
  std::string keys;
  for (const auto& [key, value] : notes.read(&Notes::diagnostics).values) {
    EXPECT_EQ(key.find('_'), std::string::npos) << key;
    keys += key + "\n";
  }
  for (const char* const key :
       {"torque mode", "rate", "torques replaced", "wake-up jitter p50, p99"}) {
    EXPECT_NE(keys.find(std::string(key) + "\n"), std::string::npos) << key << " in\n" << keys;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
