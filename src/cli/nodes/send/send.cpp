#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/common/options.hpp"
#include "cli/nodes/send/send.hpp"
#include "cli/nodes/send/send_help.hpp"
#include "cli/subcommands.hpp"
#include "runtime/report_values.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

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
       {Reason::kUnknownLink, Reason::kBadNumber, Reason::kBadPayload, Reason::kHeavyPayload,
        Reason::kFixedPayload}},
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

void send_stiffness(const SendOptions& options, const dds::RosArguments& ros) {
  const auto message = stiffness_message(options.texts);
  Delivery<dds::JointState> delivery(
      {options.node,
       Topic::kStiffness,
       "stiffness",
       {Reason::kNoNames, Reason::kTooLarge, Reason::kLengthMismatch, Reason::kDuplicateNames,
        Reason::kBadStiffness, Reason::kUnknownJoint}},
      ros);
  const NodeReport report = delivery.send_once(*message);
  const std::string stiffness = report.value(kStiffnessKey);
  const std::string mode = report.value(kTorqueModeKey);
  print(delivery.target(), stiffness.empty()
                               ? "accepted the stiffness, but the mode " + mode +
                                     " does not use it; set torque_mode to joint_impedance"
                               : "stiffness: " + stiffness);
  const std::string gains = report.value(kGainsKey);
  if (!gains.empty()) print(delivery.target(), "warning: " + gains);
}

void acknowledge(const SendOptions& options, const dds::RosArguments& ros) {
  Delivery<dds::Bool> delivery({options.node, Topic::kAcknowledge, "acknowledgement", {}}, ros);
  dds::Message<dds::Bool> message;
  message->data = true;
  const NodeReport report = delivery.send_once(*message);
  const auto acknowledged = [](const NodeReport& of) {
    return parse_count(of.value(kAcknowledgedKey)).value_or(0);
  };
  const bool ended = acknowledged(report) > acknowledged(delivery.before());
  print(delivery.target(), ended ? "acknowledged the contact (phase " + report.value("phase") +
                                       ", mode " + report.value(kTorqueModeKey) + ")"
                                 : "there is no contact to acknowledge");
}

struct Kind {
  const char* name;
  const char* help;
  const char* argument;  ///< null: none
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
    {"stiffness", "Stiffness of springs in the joints", "STIFFNESS",
     "JOINT=STIFFNESS of each joint, or one number for all", kAny, nullptr, 0.0, kStiffnessFooter,
     send_stiffness},
    {"acknowledge", "End the reaction to a contact", nullptr, nullptr, 0, nullptr, 0.0,
     kAcknowledgeFooter, acknowledge},
};

}  // namespace

void add_send(CLI::App& app, const dds::RosArguments& ros, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "send", "Send a payload, gravity, reference, stiffness, ... to a running node");
  command->require_subcommand(1);
  command->footer(kSendFooter);
  for (const Kind& kind : kKinds) {
    CLI::App* const sub = command->add_subcommand(kind.name, kind.help);
    const auto options = std::make_shared<SendOptions>();
    options->seconds = kind.seconds;
    if (kind.argument != nullptr) {
      sub->add_option(kind.argument, options->texts, kind.argument_help)
          ->required()
          ->expected(1, kind.most);
    }
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
