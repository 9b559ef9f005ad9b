// The simulated robot at its own rate, with a front end that records its calls.
#include "runtime/simulator_core.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "runtime/parameters_table.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics {
namespace {

std::string pendulum() {
  std::ifstream file(SPATIAL_DYNAMICS_SOURCE_DIR "/urdf/double_pendulum.urdf");
  return {std::istreambuf_iterator<char>(file), {}};
}

class Notes final : public SimulatorFrontEnd {
 public:
  bool publish(const Coordinates&, const Measurement& measurement, std::int64_t,
               std::int64_t clock) override {
    if (first_clock == 0) {
      first_time = steady_now_ns();
      first_clock = clock;
    }
    last_time = steady_now_ns();
    last_clock = clock;
    shoulder = measurement.q(0);
    ++count;
    std::this_thread::sleep_for(delay);
    return true;
  }
  void log(LogLevel, const std::string& line) override {
    ++lines;
    if (line.find("diverged") != std::string::npos) ++diverged;
    last_line = line;
  }

  std::string last_line;
  std::atomic<int> lines{0}, diverged{0};
  std::chrono::microseconds delay{0};
  std::atomic<std::int64_t> first_time{0}, first_clock{0}, last_time{0}, last_clock{0}, count{0};
  std::atomic<double> shoulder{0.0};
};

ParameterSet at(double shoulder) {
  ParameterSet parameters(simulator_parameter_table());
  parameters.set("initial_position", std::vector<double>{shoulder, 0.0});
  return parameters;
}

void run_until(const Notes& notes, std::int64_t count) {
  const std::int64_t deadline = steady_now_ns() + 10 * kNanosecondsPerSecond;
  while (notes.count < count && steady_now_ns() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_GE(notes.count, count);
}

TEST(SimulatorCore, KeepsPaceWithTheClockWhereTicksAreSkipped) {
  Notes notes;
  notes.delay = std::chrono::microseconds(3500);  // three of four ticks are skipped
  SimulatorCore core(notes, at(0.1));
  core.set_robot(pendulum());
  core.start();
  run_until(notes, 100);
  core.stop();
  const double real = static_cast<double>(notes.last_time - notes.first_time);
  const double simulated = static_cast<double>(notes.last_clock - notes.first_clock);
  // Gaps of more than 10 ms, which another program may cause, are not simulated.
  EXPECT_GT(simulated, 0.5 * real);
  EXPECT_LT(simulated, 1.05 * real);
}

TEST(SimulatorCore, BadEffortsAreLoggedButDoNotFloodTheLog) {
  Notes notes;
  SimulatorCore core(notes, at(1.0));
  core.set_robot(pendulum());
  const std::vector<double> zero{0.0, 0.0};
  JointStateView effort;
  effort.names = {"shoulder", "nobody"};
  effort.effort = {zero.data(), zero.size()};
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(core.on_effort(effort), RejectionReason::kUnknownJoint);
  EXPECT_GE(notes.lines, 1);
  EXPECT_LE(notes.lines, LineLimiter::kAtOnce + 5);  // and one per second on a busy machine
}

TEST(SimulatorCore, WrenchMovesTheRobotAndOneOnAnUnknownLinkIsRejected) {
  Notes notes;
  SimulatorCore core(notes, at(0.0));
  core.set_robot(pendulum());
  const Model model = load_urdf_file(SPATIAL_DYNAMICS_SOURCE_DIR "/urdf/double_pendulum.urdf");
  EXPECT_EQ(core.on_wrench({"nobody", Vector3::Ones(), Vector3::Zero()}),
            RejectionReason::kUnknownLink);
  EXPECT_NE(notes.last_line.find("wrench dropped"), std::string::npos) << notes.last_line;
  core.start();
  // The pendulum hangs at 0, where it stays without a wrench. The efforts release the brakes.
  const std::vector<double> zero{0.0, 0.0};
  JointStateView effort;
  effort.names = {"shoulder", "elbow"};
  effort.effort = {zero.data(), zero.size()};
  const std::string tip = model.link(model.link_count() - 1).name;
  const auto furthest = [&](const Vector3& torque) {
    double largest = 0.0;
    for (int i = 0; i < 60; ++i) {
      (void)core.on_effort(effort);
      EXPECT_EQ(core.on_wrench({tip, Vector3::Zero(), torque}), RejectionReason::kNone);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      largest = std::max(largest, std::abs(notes.shoulder.load()));
    }
    return largest;
  };
  const double alone = furthest(Vector3::Zero());
  core.reset();
  EXPECT_GT(furthest(Vector3::Constant(50.0)), alone + 0.1);
  core.stop();
}

TEST(SimulatorCore, RepeatedDivergenceDoesNotFloodLog) {
  Notes notes;
  ParameterSet coarse = at(1.0);
  coarse.set("real_time_factor", 1000.0);  // steps of a second
  SimulatorCore core(notes, coarse);
  core.set_robot(pendulum());
  core.start();
  const std::vector<double> monstrous{9e8, -9e8};
  JointStateView effort;
  effort.names = {"shoulder", "elbow"};
  effort.effort = {monstrous.data(), monstrous.size()};
  for (int round = 1; round <= 30; ++round) {
    EXPECT_EQ(core.on_effort(effort), RejectionReason::kNone);
    run_until(notes, 10 * round);
  }
  core.stop();
  EXPECT_EQ(notes.diverged, notes.lines);
  EXPECT_GE(notes.lines, LineLimiter::kAtOnce) << "it diverges too rarely for this test";
  EXPECT_LE(notes.lines, LineLimiter::kAtOnce + 15);
}

TEST(SimulatorCore, StandsStillUntilTheFirstEffortAndFallsAfterIt) {
  Notes notes;
  SimulatorCore core(notes, at(1.0));
  core.set_robot(pendulum());
  core.start();
  run_until(notes, 50);
  EXPECT_EQ(notes.shoulder, 1.0);
  const std::vector<double> zero{0.0, 0.0};
  JointStateView effort;
  effort.names = {"shoulder", "elbow"};
  effort.effort = {zero.data(), zero.size()};
  EXPECT_EQ(core.on_effort(effort), RejectionReason::kNone);
  run_until(notes, notes.count + 300);
  core.stop();
  EXPECT_GT(std::abs(notes.shoulder - 1.0), 1e-3);
}

TEST(SimulatorCore, InitialPositionsByJointNameOverrideTheArray) {
  ParameterSet parameters = at(0.5);
  parameters.set("initial_position.shoulder", 0.25);
  Notes notes;
  SimulatorCore core(notes, parameters);
  core.set_robot(pendulum());
  core.start();
  run_until(notes, 2);
  core.stop();
  EXPECT_EQ(notes.shoulder, 0.25);
  ParameterSet wrong = at(0.5);
  wrong.set("initial_position.nobody", 0.25);
  SimulatorCore other(notes, wrong);
  EXPECT_THROW(other.set_robot(pendulum()), ParameterError);
}

TEST(SimulatorCore, SeveralEffortPublishersAreReportedOnChange) {
  Notes notes;
  SimulatorCore core(notes, at(0.0));
  core.set_effort_publishers("/dynamics/torque", {"/a"});
  EXPECT_EQ(notes.lines, 0);
  core.set_effort_publishers("/dynamics/torque", {"/b", "/a", ""});
  EXPECT_EQ(notes.last_line,
            "3 publishers send efforts on /dynamics/torque (an unknown node, /a, /b), which "
            "alternate: end all but one of these nodes");
  core.set_effort_publishers("/dynamics/torque", {"/a", "", "/b"});
  EXPECT_EQ(notes.lines, 1);
  core.set_effort_publishers("/dynamics/torque", {"/a"});
  EXPECT_EQ(notes.lines, 1);
}

}  // namespace
}  // namespace spatial_dynamics
