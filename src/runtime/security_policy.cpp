#include "runtime/security_policy.hpp"

#include <array>
#include <set>
#include <string>
#include <vector>

#include "runtime/topics.hpp"

namespace spatial_dynamics {
namespace {

using Direction = TopicDescription::Direction;
using Names = std::set<std::string>;

constexpr std::array kParameterServices{"~/describe_parameters",      "~/get_parameter_types",
                                        "~/get_parameters",           "~/get_type_description",
                                        "~/list_parameters",          "~/set_parameters",
                                        "~/set_parameters_atomically"};
constexpr std::array kLifecycleServices{"~/change_state", "~/get_available_states",
                                        "~/get_available_transitions", "~/get_state",
                                        "~/get_transition_graph"};

void write_list(std::ostream& out, const char* element, const char* permission,
                const Names& names) {
  out << "          <" << element << "s " << permission << "=\"ALLOW\">\n";
  for (const std::string& name : names) {
    out << "            <" << element << '>' << name << "</" << element << ">\n";
  }
  out << "          </" << element << "s>\n";
}

/// What the process of one enclave may do as this node.
struct Profile {
  const char* node;
  Names publish{"/parameter_events", "/rosout"};
  Names subscribe{"/clock", "/parameter_events"};
  Names serve{kParameterServices.begin(), kParameterServices.end()};

  void add(const TopicTable& table) {
    for (const TopicDescription& topic : table) {
      (topic.direction == Direction::kOut ? publish : subscribe).insert(topic.name);
    }
  }
  void write(std::ostream& out) const {
    out << "        <profile ns=\"/\" node=\"" << node << "\">\n";
    write_list(out, "topic", "publish", publish);
    write_list(out, "topic", "subscribe", subscribe);
    if (!serve.empty()) write_list(out, "service", "reply", serve);
    out << "        </profile>\n";
  }
};

void write_enclave(std::ostream& out, const char* name, const std::vector<Profile>& profiles) {
  out << "    <enclave path=\"/" << name << "\">\n      <profiles>\n";
  for (const Profile& profile : profiles) profile.write(out);
  out << "      </profiles>\n    </enclave>\n";
}

/// The plug-ins of ros2_control, whose nodes are in the process of the controller manager. The
/// torque controller's states come from the hardware, and its robot from the manager.
std::vector<Profile> plug_ins() {
  Profile controller{"torque_controller"};
  controller.add(topic_table());
  for (const Topic not_read : {Topic::kJointStates, Topic::kRobotDescription}) {
    controller.subscribe.erase(find_topic(topic_table(), not_read).name);
  }
  controller.serve.insert({"~/acknowledge", "~/release", "~/set_active"});
  Profile hardware{"simulated_robot"};
  hardware.add(simulated_system_topic_table());
  return {controller, hardware};
}

}  // namespace

void write_security_policy(std::ostream& out) {
  Profile dynamics{"dynamics"};
  dynamics.add(topic_table());
  dynamics.publish.insert("~/transition_event");
  // Heard while another node publishes them.
  dynamics.subscribe.insert({"~/torque", "~/torque_array"});
  dynamics.serve.insert(kLifecycleServices.begin(), kLifecycleServices.end());
  dynamics.serve.insert({"~/acknowledge", "~/set_active"});
  Profile simulator{"robot_simulator"};
  simulator.add(simulator_topic_table());
  simulator.serve.insert({"~/pause", "~/reset"});
  // `spatial_dynamics activate` and `deactivate`.
  Profile commander{"activation_command", {"/dynamics/set_active"}, {"/diagnostics"}, {}};
  // `spatial_dynamics send`.
  Profile sender{"sender", {}, {"/diagnostics"}, {}};
  for (const Topic topic :
       {Topic::kReference, Topic::kEffortCommand, Topic::kStiffness, Topic::kAcknowledge,
        Topic::kExternalWrench, Topic::kPayload, Topic::kGravity}) {
    sender.publish.insert("/dynamics" + find_topic(topic_table(), topic).name.substr(1));
  }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<!-- Generated from the tables of topics. docs/node.md, Security, describes its use. "
         "-->\n"
         "<policy version=\"0.2.0\">\n  <enclaves>\n";
  for (const Profile& profile : {dynamics, simulator, commander, sender}) {
    write_enclave(out, profile.node, {profile});
  }
  write_enclave(out, "controller_manager", plug_ins());
  out << "  </enclaves>\n</policy>\n";
}

}  // namespace spatial_dynamics
