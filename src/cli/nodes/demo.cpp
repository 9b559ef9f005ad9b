#include "demo.hpp"

#include <memory>
#include <string>

#include "../option_checks.hpp"
#include "demo_run.hpp"
#include "process.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kDemoFooter = R"(Example:
  spatial_dynamics demo
  spatial_dynamics demo --urdf my_robot.urdf --rate 500 --seconds 10
  spatial_dynamics demo --mode gravity_compensation
  spatial_dynamics demo --seconds 10 --record run.csv; scripts/plot run.csv
  spatial_dynamics demo --ros-args -p gains.kp:=400 -p gains.kd:=40 \
      -p robot_simulator:noise.position:=1e-5

It starts `run` and `simulate --dds` as two processes, which talk over DDS, and
joins their graph as a third node, /demo. In computed_torque it asks the node on
dynamics/reference for a smooth motion within the robot's limits; in the other
modes the robot is left to the torques alone. What follows --ros-args goes to
the node; -p robot_simulator:NAME:=VALUE goes to the robot.

On a terminal the view is refreshed until q or Ctrl-C. Elsewhere a line is
printed each second and the demo ends after 10 s. A summary comes last.

Unless ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE or the like are set, nothing
leaves this host; a ROS 2 on it sees all: ros2 topic echo /dynamics/torque.

Exit code: 0, 1 if the robot or a parameter was refused, a process failed or the
output could not be written, 2 if the command line is wrong.
)";

}  // namespace

void add_demo(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "demo", "Watch the node move a simulated robot: two processes and a live view");
  const auto options = std::make_shared<DemoOptions>();
  command->add_option("--urdf", options->urdf, "The robot; without it a shipped 7-joint arm")
      ->type_name("FILE");
  command->add_option("--rate", options->rate_hz, "Cycles of the node per second")
      ->type_name("HZ")
      ->check(positive());
  command
      ->add_option("--mode", options->mode,
                   "computed_torque (without it), gravity_compensation or inverse_dynamics")
      ->type_name("MODE");
  command->add_flag("--floating-base", options->floating_base,
                    "Nothing holds the root link; without gravity, for the robot would fall");
  command->add_option("--seconds", options->seconds, "End after this time")
      ->type_name("S")
      ->check(positive());
  command
      ->add_option("--record", options->record,
                   "Write positions, velocities, efforts and torques of the run")
      ->type_name("FILE.csv");
  command->footer(kDemoFooter);
  command->callback([options, &ros, &exit_code] {
    keep_to_this_host();
    exit_code = DemoRun(*options, ros).run();
  });
}

}  // namespace spatial_dynamics::cli
