#include "cli/subcommands.hpp"

#include <memory>
#include <string>

#include "cli/common/options.hpp"
#include "cli/nodes/common/process.hpp"
#include "cli/nodes/demo/demo_run.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kDemoFooter = R"(Example:
  spatial_dynamics demo
  spatial_dynamics demo my_robot.urdf --rate 500 --seconds 10
  spatial_dynamics demo --mode gravity_compensation
  spatial_dynamics demo --mode hand_guiding
  spatial_dynamics demo --seconds 10 --record run.csv; scripts/plot run.csv
  spatial_dynamics demo --ros-args -p gains.kp:=400 -p gains.kd:=40 \
      -p robot_simulator:noise.position:=1e-5

Starts `run` and `simulate --dds` as two processes that communicate over DDS,
and joins their graph as a third node, /demo. In mode computed_torque it
publishes a smooth reference within the robot's limits on dynamics/reference; in
the other modes it publishes no reference. In hand_guiding a simulated hand moves
the last link and pushes the arm into its stops; in joint_impedance it pushes the
link every two seconds. Arguments after --ros-args are passed
to the node; -p robot_simulator:NAME:=VALUE is passed to the simulated robot.

On a terminal the view is refreshed until q or Ctrl-C. Without a terminal, one
line is printed each second and the demo ends after 10 s. A summary follows.

Unless ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS,
ROS_LOCALHOST_ONLY or CYCLONEDDS_URI is set, messages stay on this host. ROS 2
on the same host sees them: ros2 topic echo /dynamics/torque.

Exit code: 0; 1 if the robot or a parameter was rejected, a process failed or the
output could not be written; 2 if the command line is wrong.
)";

}  // namespace

void add_demo(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "demo", "Watch the node move a simulated robot: two processes and a live view");
  const auto options = std::make_shared<DemoOptions>();
  add_robot_options(*command, options->model, "The robot (the shipped 7-joint arm)");
  command->get_option("--floating-base")
      ->description(
          "Let the root link float; without gravity, because the robot would fall, unless "
          "--gravity is given");
  command->add_option("--rate", options->rate_hz, "Cycles of the node per second")
      ->type_name("HZ")
      ->check(positive());
  command
      ->add_option("--mode", options->mode,
                   "computed_torque, gravity_compensation, inverse_dynamics, joint_impedance or "
                   "hand_guiding (computed_torque)")
      ->type_name("MODE");
  command->add_option("--seconds", options->seconds, "End after this time")
      ->type_name("S")
      ->check(positive());
  command
      ->add_option(
          "--record", options->record,
          "Write positions, velocities, efforts and torques of the run; - is standard output")
      ->type_name("FILE.csv");
  command->footer(kDemoFooter);
  command->callback([options, &ros, &exit_code] {
    keep_to_this_host();
    exit_code = DemoRun(*options, ros).run();
  });
}

}  // namespace spatial_dynamics::cli
