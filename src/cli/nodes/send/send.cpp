#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/common/options.hpp"
#include "cli/nodes/send/send.hpp"
#include "cli/subcommands.hpp"
#include "runtime/report_values.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

constexpr const char* kSendFooter = R"(Example:
  spatial_dynamics send payload tool0=1.5,0,0,0.05
  spatial_dynamics send gravity 9.80665,0,0 --node /left/dynamics
  spatial_dynamics send reference shoulder=0.5 elbow=-1 --seconds 3

Sends messages to a running node, `spatial_dynamics run` or the ROS 2 node, and
waits for its diagnostics, which show whether it accepted them. `spatial_dynamics
send payload --help` and so on describe each kind.

Exit code: 0; 1 if no such node was found, it did not answer in time, or it
rejected the message; 2 if the command line is wrong.
)";

constexpr const char* kPayloadFooter = R"(Example:
  spatial_dynamics send payload tool0=1.5,0,0,0.05
  spatial_dynamics send payload tool0=0

The link's payload: mass, kg; centre of mass in the link's frame, m; inertia about
it, kg m^2. It replaces the present one, also a configured one, and stays until
the next message or until the node ends. Mass 0 removes it. For a payload from the
start of the node on: run --payload, or the parameters payloads.*.
)";

constexpr const char* kGravityFooter = R"(Example:
  spatial_dynamics send gravity 0,0,9.80665

Gravity in the root link's frame, m/s^2, for inclined and moving mounts; this
example is for a ceiling. It stays until the next message or until the node ends.
From the start of the node on: run --gravity, or the parameter gravity.
)";

constexpr const char* kWrenchFooter = R"(Example:
  spatial_dynamics send wrench tool0=0,0,-20 --seconds 5

A known wrench on the link: force, N, and torque, N m, in the link's frame at its
origin. Sent 20 times a second until --seconds have passed or Ctrl-C; then zero is
sent.
)";

constexpr const char* kReferenceFooter = R"(Example:
  spatial_dynamics send reference shoulder=0.5 elbow=-1 --seconds 3

A trajectory from the present reference to these positions, rad or m, where the
joints are at rest after --seconds. Other joints keep their reference. The mode
gravity_compensation does not use references.
)";

constexpr const char* kEffortFooter = R"(Example:
  spatial_dynamics send effort shoulder=2 elbow=0.5 --seconds 5

Efforts, N m or N, from which the node computes accelerations if its parameter
forward.effort_source is command. They change no torque. Sent 20 times a second
until --seconds have passed or Ctrl-C.
)";

using Reason = RejectionReason;

struct SendOptions {
  std::string node = "/dynamics";
  std::vector<std::string> texts;
  double seconds = 0.0;
};

void print(const std::string& target, const std::string& text) {
  std::printf("%s: %s\n", target.c_str(), text.c_str());
  (void)std::fflush(stdout);
}

/// For messages that are repeated until the user ends them.
void print_begin(const std::string& target, const std::string& what, double seconds) {
  if (seconds == 0.0) print(target, "sending the " + what + " until Ctrl-C");
}

void send_payload(const SendOptions& options, const dds::RosArguments& ros) {
  const auto message = payload_message(options.texts.at(0));
  const std::string link(dds::text(message->header.frame_id));
  const std::string key = payload_key(link);
  Delivery<dds::InertiaStamped> delivery(
      {options.node,
       Topic::kPayload,
       key,
       {Reason::kUnknownLink, Reason::kBadNumber, Reason::kBadPayload, Reason::kFixedPayload}},
      ros);
  const NodeReport report = delivery.send_once(*message);
  const std::string value = report.value(key);
  print(delivery.target(), key + ": " + (value.empty() ? "none" : value));
  const std::string warning = report.value(payload_warning_key(link));
  if (!warning.empty()) print(delivery.target(), "warning: " + warning);
}

void send_gravity(const SendOptions& options, const dds::RosArguments& ros) {
  std::string text;  // X,Y,Z, or X Y Z
  for (const std::string& part : options.texts) text += (text.empty() ? "" : ",") + part;
  const auto message = gravity_message(text);
  Delivery<dds::Vector3Stamped> delivery(
      {options.node, Topic::kGravity, "gravity", {Reason::kBadNumber, Reason::kNoBasePose}}, ros);
  print(delivery.target(), "gravity: " + delivery.send_once(*message).value("gravity"));
}

void send_wrench(const SendOptions& options, const dds::RosArguments& ros) {
  const auto message = wrench_message(options.texts.at(0));
  dds::Message<dds::WrenchStamped> zero;
  dds::assign(zero->header.frame_id, dds::text(message->header.frame_id));
  const std::string what = "wrench on link " + in_quotes(dds::text(message->header.frame_id));
  Delivery<dds::WrenchStamped> delivery(
      {options.node, Topic::kExternalWrench, what, {Reason::kUnknownLink, Reason::kBadNumber}},
      ros);
  print_begin(delivery.target(), what, options.seconds);
  (void)delivery.repeat(*message, options.seconds, &*zero);
  print(delivery.target(), "accepted the wrench, which is zero again");
}

void send_reference(const SendOptions& options, const dds::RosArguments& ros) {
  const auto message = reference_message(options.texts, options.seconds);
  Delivery<dds::JointTrajectory> delivery(
      {options.node,
       Topic::kReference,
       "reference",
       {Reason::kNoNames, Reason::kTooLarge, Reason::kLengthMismatch, Reason::kDuplicateNames,
        Reason::kBadNumber, Reason::kUnknownJoint, Reason::kBadTimes}},
      ros);
  const NodeReport report = delivery.send_once(*message);
  const std::string mode = report.value("torque mode");
  print(delivery.target(),
        mode == "gravity_compensation"
            ? "accepted the reference, but the mode " + mode +
                  " does not use it; set torque_mode to computed_torque"
            : "accepted the reference (phase " + report.value("phase") + ", mode " + mode + ")");
}

void send_effort(const SendOptions& options, const dds::RosArguments& ros) {
  const auto message = effort_message(options.texts);
  Delivery<dds::JointState> delivery({options.node,
                                      Topic::kEffortCommand,
                                      "effort",
                                      {Reason::kNoNames, Reason::kTooLarge, Reason::kDuplicateNames,
                                       Reason::kBadNumber, Reason::kUnknownJoint}},
                                     ros);
  print_begin(delivery.target(), "efforts", options.seconds);
  const std::string source =
      delivery.repeat(*message, options.seconds, nullptr).value("effort of forward dynamics");
  print(delivery.target(), source == "command"
                               ? "accepted the efforts"
                               : "accepted the efforts, but does not use them, because "
                                 "forward.effort_source is not command");
}

struct Kind {
  const char* name;
  const char* help;
  const char* argument;
  const char* argument_help;
  int most;                  ///< arguments
  const char* seconds_help;  ///< null: without --seconds
  double seconds;            ///< default
  const char* footer;
  void (*send)(const SendOptions&, const dds::RosArguments&);
};

constexpr int kAny = CLI::detail::expected_max_vector_size;
constexpr Kind kKinds[] = {
    {"payload", "What a link carries", "PAYLOAD", "LINK=MASS[,X,Y,Z[,IXX,IYY,IZZ,IXY,IXZ,IYZ]]", 1,
     nullptr, 0.0, kPayloadFooter, send_payload},
    {"gravity", "Gravity of an inclined or moving mount", "GRAVITY", "X,Y,Z", 3, nullptr, 0.0,
     kGravityFooter, send_gravity},
    {"wrench", "A known wrench on a link", "WRENCH", "LINK=FX,FY,FZ[,TX,TY,TZ]", 1,
     "Duration (until Ctrl-C)", 0.0, kWrenchFooter, send_wrench},
    {"reference", "Positions to move to", "REFERENCE", "JOINT=POSITION of each joint that moves",
     kAny, "Duration of the motion (2)", 2.0, kReferenceFooter, send_reference},
    {"effort", "Efforts from which accelerations are computed", "EFFORT",
     "JOINT=EFFORT of each joint", kAny, "Duration (until Ctrl-C)", 0.0, kEffortFooter,
     send_effort},
};

}  // namespace

void add_send(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "send", "Send a payload, gravity, wrench, reference or effort to a running node");
  command->require_subcommand(1);
  command->footer(kSendFooter);
  for (const Kind& kind : kKinds) {
    CLI::App* const sub = command->add_subcommand(kind.name, kind.help);
    const auto options = std::make_shared<SendOptions>();
    options->seconds = kind.seconds;
    CLI::Option* const argument =
        sub->add_option(kind.argument, options->texts, kind.argument_help)->required();
    argument->expected(1, kind.most);
    sub->add_option("--node", options->node, "The node's name with its namespace")
        ->type_name("NODE")
        ->capture_default_str();
    if (kind.seconds_help != nullptr) {
      sub->add_option("--seconds", options->seconds, kind.seconds_help)
          ->type_name("S")
          ->check(positive());
    }
    sub->footer(kind.footer);
    sub->callback([options, send = kind.send, &ros, &exit_code] {
      send(*options, ros);
      exit_code = kSuccess;
    });
  }
}

}  // namespace spatial_dynamics::cli
