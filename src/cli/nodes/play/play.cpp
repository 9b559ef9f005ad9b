#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/common/progress.hpp"
#include "cli/nodes/play/play_node.hpp"
#include "cli/subcommands.hpp"
#include "support/text.hpp"
#include "support/text_io.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kPlayFooter = R"(Example:
  spatial_dynamics excite my_robot.urdf -o motion.csv
  spatial_dynamics play motion.csv --record log.csv
  spatial_dynamics identify my_robot.urdf log.csv --all

Sends a motion as ~/reference to a running node in a mode that follows references
(computed_torque, joint_impedance, inverse_dynamics): `spatial_dynamics run`, the
ROS 2 node, or the plug-in for ros2_control (--node /torque_controller). First the
robot moves slowly from its present position to the start of the motion: stay
clear, nothing checks for collisions. Ctrl-C brings it to rest smoothly, where it
stays. If this command is killed, the node holds its position within a second.

MOTION.csv has the columns time, s, and position:, velocity: and acceleration: of
each joint. --record writes the joint states during the motion: time, position:,
velocity: and effort: of each joint; - is standard output, and all text then goes
to standard error.

Exit code: 0; 1 if no such node was found, it rejected the motion, the states of
the robot did not arrive, or a signal ended the motion; 2 if the command line is
wrong.
)";

struct PlayOptions {
  std::string motion, node = "/dynamics", record;
};

/// Seconds for the node to reach the last point, after which recording ends.
constexpr double kSettleSeconds = 0.3;

/// Sends the pieces up to the end. Returns false if a signal ended the motion.
bool send_pieces(PlayNode& node, PlayedMotion& motion) {
  Progress progress("playing");
  while (node.time() < motion.end_s() + kSettleSeconds) {
    node.send();
    progress.show(std::min(1.0, node.time() / motion.end_s()));
    if (!node.wait(PlayNode::kPeriodSeconds)) continue;
    if (motion.stopped()) return false;  // a second signal: end at once
    node.stop(motion);
  }
  return !motion.stopped();
}

int play(const PlayOptions& options, const dds::RosArguments& ros) {
  const JointMotion motion = read_motion(options.motion);
  std::optional<StateRecorder> recorder;
  if (!options.record.empty()) recorder.emplace(options.record);
  std::ostream& out = message_stream({options.record});
  PlayNode node(options.node, motion, ros);
  const VectorXd present = node.connect();
  const std::string mode = node.mode();
  if (mode == "gravity_compensation" || mode == "hand_guiding") {
    throw std::runtime_error("node " + node.target() + " is in the mode " + mode +
                             ", which does not follow references; set torque_mode to "
                             "computed_torque.");
  }
  PlayedMotion played(motion, present);
  out << node.target() << ": moving to the start within " << rounded_text(played.begin_s(), 2)
      << " s, then playing " << rounded_text(motion.duration()) << " s" << std::endl;
  node.begin(played, recorder ? &*recorder : nullptr);
  const bool complete = send_pieces(node, played);
  const double played_s = std::max(0.0, played.end_s() - played.begin_s());
  const Tracking tracking = node.finish();
  out << node.target() << ": "
      << (complete ? "played the motion"
                   : "stopped by a signal after " + rounded_text(played_s) + " s of the motion");
  if (!tracking.joint.empty()) {
    out << "; largest tracking error " << rounded_text(tracking.largest, 2) << " rad or m ("
        << tracking.joint << ")";
  }
  out << '\n';
  if (recorder) {
    const std::size_t rows = recorder->rows();
    if (!recorder->close()) throw std::runtime_error(options.record + " could not be written.");
    out << options.record << ": " << count_text(rows, "state") << '\n';
  }
  return complete ? kSuccess : kFailure;
}

}  // namespace

void add_play(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("play", "Send a motion to a running node, and record the robot");
  const auto options = std::make_shared<PlayOptions>();
  command->add_option("motion", options->motion, "The motion; - is standard input")
      ->required()
      ->type_name("MOTION.csv");
  command->add_option("--node", options->node, "The node's name with its namespace")
      ->type_name("NODE")
      ->capture_default_str();
  command->add_option("--record", options->record, "Write the joint states; - is standard output")
      ->type_name("FILE.csv");
  command->footer(kPlayFooter);
  command->callback([options, &ros, &exit_code] { exit_code = play(*options, ros); });
}

}  // namespace spatial_dynamics::cli
