// `simulate` without middleware: motion, summary and files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "cli/process.hpp"
#include "cli/robot_file.hpp"
#include "identification/recorded_log.hpp"
#include "spatial_dynamics/identification/motion.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

/// A table as `simulate --csv` wrote it.
class Table {
 public:
  explicit Table(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    names_ = cells_of(line);
    while (std::getline(file, line)) {
      std::vector<double>& row = rows_.emplace_back();
      for (const std::string& cell : cells_of(line)) row.push_back(std::stod(cell));
    }
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::vector<double> column(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) throw std::runtime_error("no column " + name);
    std::vector<double> values;
    for (const auto& row : rows_) values.push_back(row.at(std::size_t(found - names_.begin())));
    return values;
  }

 private:
  static std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    return cells;
  }
  std::vector<std::string> names_;
  std::vector<std::vector<double>> rows_;
};

Table simulate(std::vector<std::string> arguments) {
  const TemporaryFile csv("");
  arguments.insert(arguments.begin(), "simulate");
  arguments.insert(arguments.end(), {"--csv", csv.path()});
  const Outcome outcome = run_cli(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors, "");
  return Table(csv.path());
}

/// The largest change of the energy, J.
double energy_error(const Table& table) {
  const std::vector<double> kinetic = table.column("kinetic_energy");
  const std::vector<double> potential = table.column("potential_energy");
  double error = 0.0;
  for (std::size_t i = 0; i < kinetic.size(); ++i) {
    error = std::max(error, std::abs(kinetic[i] + potential[i] - kinetic[0] - potential[0]));
  }
  return error;
}

TEST(Simulate, RungeKuttaEnergyErrorFallsTwelvefoldPerHalvingOfTheStep) {
  for (const char* name : {"double_pendulum", "arm7"}) {
    double before = 0.0;
    for (const char* dt : {"0.01", "0.005", "0.0025"}) {
      const double error =
          energy_error(simulate({shipped_urdf(name), "--position", "-1", "--no-friction",
                                 "--no-stops", "--seconds", "1", "--dt", dt}));
      if (before > 0.0) {
        EXPECT_GT(before / error, 12.0) << name << " " << dt;
      }
      EXPECT_GT(error, 1e-11) << "that is rounding: nothing is tested";
      before = error;
    }
  }
}

TEST(Simulate, RungeKuttaConservesEnergyBetterThanSemiImplicit) {
  const std::vector<std::string> arguments{shipped_urdf("double_pendulum"), "--position", "2"};
  const auto error = [&arguments](const char* integrator) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--integrator", integrator});
    return energy_error(simulate(all));
  };
  const double semi_implicit = error("semi_implicit");
  EXPECT_LT(1e3 * error("rk4"), semi_implicit);
  EXPECT_LT(semi_implicit, 1.0);  // of 30 J that go to and fro
}

TEST(Simulate, AFloatingRobotFallsAsItsCentreOfMass) {
  constexpr double kG = 9.80665;
  for (const char* name : {"quadruped", "humanoid"}) {
    const Table table =
        simulate({shipped_urdf(name), "--floating-base", "--velocity", "0.5", "--seconds", "0.5"});
    const std::vector<double> potential = table.column("potential_energy");
    ASSERT_EQ(potential.size(), 501U);
    // Motion, stops and friction of the joints do not change the height of the centre of mass,
    // h0 + u t - g t^2 / 2.
    const double weight = kG * (name == std::string("quadruped") ? 12.776 : 75.0);
    const double bend = (potential[500] - 2.0 * potential[250] + potential[0]) / weight;
    EXPECT_NEAR(bend, -kG * 0.25 * 0.25, 1e-3) << name;
  }
}

TEST(Simulate, ComputedTorqueFollowsItsReference) {
  for (const char* name : {"double_pendulum", "arm6", "arm7", "gantry"}) {
    const Table table = simulate({shipped_urdf(name), "--controller", "computed_torque"});
    double largest = 0.0;
    double travel = 0.0;
    for (const std::string& column : table.names()) {
      if (column.compare(0, 2, "q:") != 0) continue;
      const std::vector<double> q = table.column(column);
      const std::vector<double> wanted = table.column("reference:" + column.substr(2));
      for (std::size_t i = 0; i < q.size(); ++i) {
        largest = std::max(largest, std::abs(q[i] - wanted[i]));
        travel = std::max(travel, std::abs(q[i] - q[0]));
      }
    }
    EXPECT_LT(largest, 5e-3) << name;
    EXPECT_GT(travel, 0.02) << name << " did not move";
  }
}

TEST(Simulate, GravityCompensationHoldsInitialPosition) {
  const Table table = simulate({shipped_urdf("arm7"), "--controller", "gravity_compensation"});
  for (const std::string& column : table.names()) {
    if (column.compare(0, 2, "q:") != 0) continue;
    const std::vector<double> q = table.column(column);
    EXPECT_NEAR(q.back(), q.front(), 1e-9) << column;
  }
}

TEST(Simulate, EnergyChangeEqualsWorkOfMotors) {
  const Outcome outcome = run_cli({"simulate", shipped_urdf("arm7"), "--controller",
                                   "computed_torque", "--no-friction", "--no-stops"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.errors;
  const std::size_t at = outcome.output.find("energy drift: at most ");
  ASSERT_NE(at, std::string::npos) << outcome.output;
  EXPECT_LT(std::stod(outcome.output.substr(at + 22)), 1e-6) << outcome.output;
  EXPECT_NE(outcome.output.find("tracking error: rms "), std::string::npos);
}

TEST(Simulate, FrictionDissipatesEnergy) {
  const Outcome outcome =
      run_cli({"simulate", shipped_urdf("arm7"), "--controller", "computed_torque"});
  const std::string words = "friction, stops and integration errors dissipated ";
  const std::size_t at = outcome.output.find(words);
  ASSERT_NE(at, std::string::npos) << outcome.output;
  EXPECT_GT(std::stod(outcome.output.substr(at + words.size())), 0.0);
}

TEST(Simulate, CsvHasALinePerStepAndAColumnPerNumber) {
  const Table table = simulate({shipped_urdf("gantry"), "--seconds", "0.1", "--dt", "0.01"});
  EXPECT_EQ(table.names().size(), 1U + 6U + 6U + 6U + 6U + 2U);
  EXPECT_EQ(table.names()[1], "q:stage/x");
  const std::vector<double> time = table.column("time_s");
  ASSERT_EQ(time.size(), 11U);
  EXPECT_DOUBLE_EQ(time.back(), 0.1);
}

TEST(Simulate, CsvRowHasTheEffortOfTheNextStepAndItsAcceleration) {
  const Table table = simulate({shipped_urdf("arm7"), "--controller", "computed_torque",
                                "--no-stops", "--seconds", "0.5", "--dt", "0.0005"});
  // At the start the efforts already compensate gravity.
  EXPECT_GT(std::abs(table.column("effort:elbow").front()), 1.0);
  const std::vector<double> v = table.column("v:elbow"), a = table.column("a:elbow");
  for (std::size_t i = 1; i + 1 < v.size(); ++i) {
    ASSERT_NEAR((v[i + 1] - v[i]) / 0.0005, a[i], 0.05) << i;
  }
}

/// The exit code; a failure must come with its reason.
int exit_code_of(const std::vector<std::string>& arguments) {
  const Outcome outcome = run_cli(arguments);
  EXPECT_EQ(outcome.output.find("took -"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.errors.find("give a smaller --dt") != std::string::npos, outcome.exit_code != 0)
      << outcome.errors;
  return outcome.exit_code;
}

TEST(Simulate, TooLongStepsAreAFailure) {
  const TemporaryFile robot(pendulum_urdf());
  std::vector<std::string> fall{"simulate", robot.path(), "--position", "1"};
  EXPECT_EQ(exit_code_of(fall), 0);
  fall.insert(fall.end(), {"--dt", "1"});
  EXPECT_EQ(exit_code_of(fall), 1);
  fall.back() = "0.5";
  fall.insert(fall.end(), {"--no-friction", "--no-stops"});
  EXPECT_EQ(exit_code_of(fall), 1);
  const std::string arm = shipped_urdf("arm7");
  EXPECT_EQ(exit_code_of({"simulate", arm, "--dt", "0.05"}), 1);
  EXPECT_EQ(exit_code_of({"simulate", arm, "--dt", "0.1", "--controller", "computed_torque"}), 1);
}

/// Friction, stops and saturated efforts absorb the work of an unstable controller.
TEST(Simulate, RejectsStepsThatMakeTheControllerUnstable) {
  const std::vector<std::string> command{"simulate", shipped_urdf("humanoid"), "--controller",
                                         "computed_torque", "--dt"};
  const auto at = [&command](const char* dt) {
    std::vector<std::string> arguments = command;
    arguments.emplace_back(dt);
    return run_cli(arguments);
  };
  const Outcome unstable = at("0.1");
  EXPECT_EQ(unstable.exit_code, 1) << unstable.output;
  EXPECT_EQ(unstable.errors,
            "The result is wrong: computed_torque is unstable if the steps are 0.1 s or longer; "
            "give a smaller --dt than 0.1 s.\n");
  const Outcome slow = at("0.05");
  EXPECT_NE((slow.output + slow.errors).find("smaller --dt"), std::string::npos) << slow.output;
  const Outcome fast = at("0.01");
  EXPECT_EQ(fast.exit_code, 0) << fast.errors;
  EXPECT_EQ(fast.output.find("smaller --dt"), std::string::npos) << fast.output;
}

TEST(Simulate, RejectsAMotionThatLosesItsReference) {
  std::string weak = pendulum_urdf();
  weak.replace(weak.find("<dynamics damping=\"0.1\" friction=\"0.2\"/>"),
               std::string("<dynamics damping=\"0.1\" friction=\"0.2\"/>").size(),
               "<limit effort=\"1\" velocity=\"2\"/>");
  const TemporaryFile robot(weak);
  const Outcome outcome = run_cli({"simulate", robot.path(), "--controller", "computed_torque",
                                   "--position", "1.5", "--seconds", "2"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.output;
  EXPECT_NE(outcome.errors.find("an effort is at its limit, and the tracking error of hinge "
                                "exceeds the reference's amplitude"),
            std::string::npos)
      << outcome.errors;
}

TEST(Simulate, PrintsHowFarIntegrationErrorsChangedTheEnergy) {
  const Outcome outcome = run_cli({"simulate", shipped_urdf("double_pendulum"), "--no-friction",
                                   "--no-stops", "--position", "2", "--dt", "0.1"});
  const std::string text = outcome.output + outcome.errors;
  EXPECT_NE(text.find("ntegration errors changed the energy by up to "), std::string::npos) << text;
  EXPECT_EQ(text.find("added energy"), std::string::npos) << text;
}

TEST(Simulate, PrintsNoEnergyThatIsNotFinite) {
  const Outcome outcome = run_cli({"simulate", shipped_urdf("double_pendulum"), "--dt", "0.2",
                                   "--position", "2", "--integrator", "semi_implicit"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.errors.find("The motion diverged"), std::string::npos) << outcome.errors;
  EXPECT_EQ(outcome.output.find("nan"), std::string::npos) << outcome.output;
}

TEST(Simulate, NamesJointsThatTheReferenceDoesNotMove) {
  std::string still = urdf_joint("still", "revolute", "base", "arm");
  still.replace(still.find("velocity=\"2\""), 12, "velocity=\"0\"");
  const TemporaryFile robot(
      urdf_robot(urdf_link("base", "") + urdf_link("arm", urdf_inertial("1")) + still));
  std::vector<std::string> command{"simulate", robot.path(), "--seconds", "0.1"};
  EXPECT_EQ(run_cli(command).output.find("was not moved"), std::string::npos);
  command.insert(command.end(), {"--controller", "computed_torque"});
  const Outcome outcome = run_cli(command);
  EXPECT_NE(
      outcome.output.find("joint 'still' was not moved: its velocity limit in the URDF is 0.\n"),
      std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("tracking error: not measured: no joint was moved.\n"),
            std::string::npos)
      << outcome.output;
}

/// Stops, friction and saturated efforts, but no wrong result.
TEST(Simulate, SuitableStepsAreNoFailure) {
  for (const char* const name : {"arm7", "arm6", "gripper", "gantry", "humanoid"}) {
    for (const char* const controller : {"none", "computed_torque"}) {
      for (const char* const dt : {"0.002", "0.001"}) {
        EXPECT_EQ(exit_code_of({"simulate", shipped_urdf(name), "--dt", dt, "--controller",
                                controller, "--seconds", "3"}),
                  0)
            << name << ' ' << controller << ' ' << dt;
      }
    }
  }
  EXPECT_EQ(exit_code_of({"simulate", shipped_urdf("arm6"), "--integrator", "semi_implicit",
                          "--controller", "computed_torque", "--dt", "0.01"}),
            0);  // its energy oscillates
}

TEST(Simulate, DashWritesTheTableToStandardOutput) {
  const Outcome outcome =
      run_cli({"simulate", pendulum_file(), "--seconds", "0.002", "--csv", "-"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output.substr(0, 7), "time_s,");
  EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 4);
  EXPECT_NE(outcome.errors.find("simulated 0.002 s in 2 steps"), std::string::npos)
      << outcome.errors;
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST(Simulate, ReportsTooLongStepsDuringFall) {
  const std::vector<std::string> fall{"simulate",
                                      shipped_urdf("quadruped"),
                                      "--floating-base",
                                      "--no-friction",
                                      "--no-stops",
                                      "--velocity",
                                      "3",
                                      "--dt"};
  for (const auto& [dt, too_long] : {std::make_pair("0.05", true), std::make_pair("0.01", false)}) {
    std::vector<std::string> arguments = fall;
    arguments.emplace_back(dt);
    const Outcome outcome = run_cli(arguments);
    const std::string text = outcome.output + outcome.errors;
    EXPECT_EQ(text.find("smaller --dt") != std::string::npos, too_long) << text;
  }
}

TEST(Simulate, ReportsTheDistanceOfAFloatingBaseInMetres) {
  const Outcome fall = run_cli({"simulate", shipped_urdf("quadruped"), "--floating-base",
                                "--controller", "gravity_compensation", "--seconds", "1"});
  EXPECT_NE(fall.output.find(" m (floating_base/z)"), std::string::npos) << fall.output;
}

TEST(Simulate, SuggestsInitialStateIfRobotStaysAtRest) {
  const Outcome rest = run_cli({"simulate", shipped_urdf("double_pendulum"), "--seconds", "0.1"});
  EXPECT_NE(rest.output.find("give --position or --velocity"), std::string::npos) << rest.output;
  EXPECT_EQ(rest.output.find("of the largest kinetic energy"), std::string::npos) << rest.output;
  const Outcome fall =
      run_cli({"simulate", shipped_urdf("double_pendulum"), "--seconds", "0.1", "--position", "1"});
  EXPECT_EQ(fall.output.find("Nothing moved"), std::string::npos) << fall.output;
}

std::string plot_of(std::vector<std::string> arguments) {
  const TemporaryFile base("");
  const std::string plot = base.path() + ".svg";
  arguments.insert(arguments.begin(), "simulate");
  arguments.insert(arguments.end(), {"--plot", plot});
  const Outcome outcome = run_cli(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
  std::ifstream file(plot);
  std::string text(std::istreambuf_iterator<char>(file), {});
  std::filesystem::remove(plot);
  return text;
}

TEST(Simulate, APlotIsWritten) {
  const std::string plot =
      plot_of({shipped_urdf("arm7"), "--controller", "computed_torque", "--seconds", "1"});
  EXPECT_EQ(plot.substr(0, 5), "<svg ");
  EXPECT_NE(plot.find("reference"), std::string::npos);
  EXPECT_EQ(plot.find("quaternion"), std::string::npos) << "nothing floats";
  EXPECT_NE(plot.find("positions, rad<"), std::string::npos) << "nothing slides";
  EXPECT_NE(plot.find("efforts, N m<"), std::string::npos);
}

TEST(Simulate, AFloatingBaseIsPlottedInMetresAndQuaternions) {
  const std::string plot =
      plot_of({shipped_urdf("quadruped"), "--floating-base", "--seconds", "0.1"});
  EXPECT_NE(plot.find("base position, m"), std::string::npos);
  EXPECT_NE(plot.find("base orientation, quaternion"), std::string::npos);
}

TEST(Simulate, VectorsMayPrecedeTheRobot) {
  const std::string robot = shipped_urdf("double_pendulum");
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--gravity", "9.80665,0,0"},
        {"--gravity", "9.80665", "0", "-.5"},
        {"--position", "0.1,-0.2"},
        {"--position", "0.1", "-.2"},
        {"--velocity", "1"}}) {
    std::vector<std::string> arguments{"simulate", "--seconds", "0.01"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    arguments.push_back(robot);
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << option[0] << ": " << outcome.errors;
  }
}

TEST(Simulate, ErrorsAreOneSentence) {
  const std::string arm = shipped_urdf("arm7");
  struct Case {
    std::vector<std::string> arguments;
    int exit_code;
    std::string says;
  };
  for (const Case& c : std::vector<Case>{
           {{"simulate"}, 2, "robot is required"},
           {{"simulate", arm, "--dt", "0"}, 2, "--dt: must be a positive number, not '0'"},
           {{"simulate", arm, "--seconds", "soon"}, 2, "not 'soon'"},
           {{"simulate", arm, "--dt", "1e-12"}, 2, "too many steps"},
           {{"simulate", arm, "--seconds", "0.1", "--dt", "1"}, 1, "shorter than --dt"},
           {{"simulate", arm, "--controller", "magic"},
            2,
            "computed_torque, gravity_compensation, none, not 'magic'"},
           {{"simulate", arm, "--integrator", "euler"},
            2,
            "one of rk4, semi_implicit, not 'euler'"},
           {{"simulate", arm, "--plot", "motion.jpg"}, 2, "must end in .svg or .png"},
           {{"simulate", arm, "--position", "1", "2"}, 1, "7"},
           {{"simulate", arm, "--position", "9"}, 1, "--position is 9 for 'shoulder_yaw'"},
           {{"simulate", arm, "--position", "9"}, 1, "or give --no-stops"},
           {{"simulate", arm, "--velocity", "1", "2"}, 1, "--velocity has 2 numbers"},
           {{"simulate", arm, "--csv", "/nowhere/at/all.csv"}, 1, "can't be written"},
           {{"simulate", arm, "--floating-base", "--controller", "computed_torque"},
            1,
            "robot 'arm7' has a floating base"}}) {
    const Outcome outcome = run_cli(c.arguments);
    EXPECT_EQ(outcome.exit_code, c.exit_code) << c.says << ": " << outcome.errors;
    EXPECT_NE((outcome.errors + outcome.output).find(c.says), std::string::npos)
        << c.says << ": " << outcome.errors;
  }
}

/// 2 s of a motion of the pendulum's joints, from 0.3 rad on.
JointMotion short_motion() {
  JointMotion motion;
  motion.joints = load_urdf_file(pendulum_file()).joint_names();
  motion.position.resize(2, 101);
  motion.velocity.resize(2, 101);
  motion.acceleration.resize(2, 101);
  for (Index i = 0; i <= 100; ++i) {
    const double t = 0.02 * static_cast<double>(i);
    motion.time.push_back(t);
    motion.position.col(i).setConstant(0.3 + 0.2 * (1.0 - std::cos(3.0 * t)));
    motion.velocity.col(i).setConstant(0.6 * std::sin(3.0 * t));
    motion.acceleration.col(i).setConstant(1.8 * std::cos(3.0 * t));
  }
  return motion;
}

TEST(SimulateMotion, FollowsTheMotionAndWritesWhatSensorsMeasure) {
  const TemporaryFile motion("");
  write_motion(motion.path(), short_motion());
  const Table exact = simulate({pendulum_file(), "--motion", motion.path()});
  const std::vector<std::string> joints = short_motion().joints;
  EXPECT_EQ(exact.names()[0], "time_s");
  EXPECT_EQ(exact.names().size(), 7U);
  const std::vector<double> time = exact.column("time_s"),
                            q = exact.column("position:" + joints[1]);
  EXPECT_NEAR(time.back(), 2.0, 1e-9);
  for (std::size_t i = 0; i < time.size(); ++i) {
    EXPECT_NEAR(q[i], 0.3 + 0.2 * (1.0 - std::cos(3.0 * time[i])), 1e-3);
  }
  const Table noisy = simulate({pendulum_file(), "--motion", motion.path(), "--effort-noise",
                                "0.5,0", "--position-quantum", "0.01", "--no-velocities"});
  EXPECT_EQ(noisy.names().size(), 5U);
  const std::vector<double> steps = noisy.column("position:" + joints[0]),
                            effort = exact.column("effort:" + joints[0]),
                            measured = noisy.column("effort:" + joints[0]);
  double squares = 0.0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_NEAR(steps[i] / 0.01, std::round(steps[i] / 0.01), 1e-6);
    squares += std::pow(measured[i] - effort[i], 2);
  }
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(steps.size())), 0.5, 0.06);
  EXPECT_EQ(noisy.column("effort:" + joints[1]), exact.column("effort:" + joints[1]));
}

TEST(SimulateMotion, RejectsAMotionOfOtherJoints) {
  const TemporaryFile motion("time,position:x,velocity:x,acceleration:x\n0,0,0,0\n1,0,0,0\n");
  const Outcome outcome = run_cli({"simulate", pendulum_file(), "--motion", motion.path()});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.errors, "the motion moves joint 'x', which the robot does not have.\n");
  EXPECT_EQ(run_cli({"simulate", pendulum_file(), "--motion", motion.path(), "--position", "1"})
                .exit_code,
            2);
  EXPECT_EQ(run_cli({"simulate", pendulum_file(), "--effort-noise", "1,2,3"}).exit_code, 1);
}

TEST(Simulate, AControllerWithAnotherUrdfDoesNotHoldTheRobot) {
  std::string light = urdf_text("double_pendulum");
  const std::size_t mass = light.rfind("<mass value=\"");
  light.insert(mass + 13, "0.");
  const TemporaryFile wrong(light);
  const auto simulate = [](const std::string& known) {
    return run_cli({"simulate", pendulum_file(), "--controller", "gravity_compensation",
                    "--controller-urdf", known, "--position", "1,0.5", "--seconds", "1"});
  };
  const Outcome right = simulate(pendulum_file()), held = simulate(wrong.path());
  EXPECT_EQ(right.exit_code, 0) << right.errors;
  EXPECT_EQ(held.exit_code, 0) << held.errors;
  EXPECT_NE(right.output, held.output);
  const Outcome other = simulate(shipped_urdf("arm6"));
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.errors.find("has other joints than the robot"), std::string::npos)
      << other.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test
