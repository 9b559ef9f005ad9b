// The rows of the node `dynamics` and of the torque controller plug-in. A new row needs a member of
// Config; the tests compare them.
#include "runtime/parameters_table.hpp"

#include "runtime/parameter_rows.hpp"

namespace spatial_dynamics {
namespace {

void add_deadline(ParameterRows& rows) {
  rows.number("deadline_s", 0.0, 0.0, 3600.0, "s", kAtStart,
              "DEADLINE offered on ~/torque and ~/torque_array, and lease of their LIVELINESS; 0: "
              "five periods of the loop, none with trigger: state.");
}

void add_loop(ParameterRows& rows) {
  rows.group("The loop");
  rows.number("rate_hz", 1000.0, 1.0, 20000.0, "Hz", kLive,
              "Rate of the loop, and of the torques and accelerations that it sends.");
  rows.choice("trigger", {"timer", "state"}, kAtStart,
              "What starts a cycle: timer, at rate_hz; or state, when a state arrives, at most at "
              "rate_hz.");
  add_deadline(rows);
  rows.flag("autostart", true, kAtStart,
            "Configure and activate at start; otherwise wait for lifecycle transitions (ROS 2 "
            "node) or for true on `~/set_active`.");
  rows.flag("use_sim_time", false, kAtStart, "Stamps follow the topic /clock.");
  rows.flag("yield_to_active_node", true, kAtStart,
            "Delay the first torque while another spatial_dynamics node sends on the same torque "
            "topic; a node that has been active alone for 2 s never yields.");
}

void add_torque(ParameterRows& rows) {
  rows.group("Torques and accelerations");
  rows.choice(
      "torque_mode",
      {"inverse_dynamics", "gravity_compensation", "computed_torque", "joint_impedance",
       "hand_guiding"},
      kLive,
      "gravity_compensation balances gravity, inverse_dynamics produces the reference's "
      "acceleration, computed_torque adds feedback of position and velocity, joint_impedance holds "
      "or tracks with springs and dampers in the joints, hand_guiding lets a hand move the robot.");
  rows.per_joint("gains.kp", {100.0}, 0.0, kHuge, "1/s^2", kLive,
                 "Position gains of computed_torque: one for all, or one per joint.");
  rows.per_joint("gains.kd", {20.0}, 0.0, kHuge, "1/s", kLive,
                 "Velocity gains of computed_torque: one for all, or one per joint.");
  rows.texts("compensated_by_hardware", {"gravity", "coriolis", "friction"}, kLive,
             "Terms that the robot's own controller adds; torques do not contain them.");
  rows.flag("friction_compensation", true, kLive, "Torques compensate the URDF's joint friction.");
  rows.choice(
      "forward.effort_source", {"auto", "measured", "command", "own"}, kLive,
      "The efforts from which accelerations are computed; auto: measured if states have them, "
      "else the node's own torques.");
  rows.choice("missing_velocity", {"zero", "differentiate"}, kAtStart,
              "Velocity of a joint whose states never contain one; if only some states lack it, "
              "positions are differentiated.");
  rows.number("observer_gain", 50.0, 0.1, 10000.0, "1/s", kLive,
              "Bandwidth of the momentum observer that computes ~/external_torque.");
}

void add_compliance(ParameterRows& rows) {
  rows.group("Compliance");
  rows.per_joint("impedance.stiffness", {10.0}, 0.0, kHuge, "N m/rad or N/m", kLive,
                 "Stiffness of joint_impedance: one for all, or one per joint.");
  rows.per_joint("impedance.damping", {}, 0.0, kHuge, "N m s/rad or N s/m", kLive,
                 "Damping of joint_impedance: one for all, or one per joint. If empty, it follows "
                 "from impedance.damping_ratio.");
  rows.per_joint("impedance.damping_ratio", {0.7}, 0.0, kHighestDampingRatio, "", kLive,
                 "Damping of joint_impedance relative to critical damping of the joint alone, with "
                 "its inertia at the present position; not used where a damping is given.");
  rows.number("hand_guiding.friction_share", 0.5, 0.0, kHighestFrictionShare, "", kLive,
              "Share of the URDF's joint friction that hand_guiding compensates.");
  rows.number("hand_guiding.damping", 10.0, 0.0, 1000.0, "1/s", kLive,
              "Rate at which motions decay in hand_guiding; 0: only friction stops the robot.");
  rows.texts("hand_guiding.locked_joints", {}, kLive,
             "Joints that hand_guiding holds where they are, with the stiffness and damping of "
             "joint_impedance.");
}

void add_contact(ParameterRows& rows) {
  rows.choice("contact.reaction", {"none", "hold", "float", "retreat", "fallback"}, kLive,
              "On contact: nothing; hold the position; let the robot be guided by hand; go back "
              "along the last path, then hold; or start the fallback. It lasts until a message on "
              "~/acknowledge. Not in hand_guiding.");
  rows.per_joint("contact.threshold", {}, 0.0, kHuge, "N m or N", kLive,
                 "External torque that counts as a contact: one for all, or one per joint; 0 "
                 "leaves a joint out; if empty, 10 % of the effort limit. At least 1 % of it.");
}

void add_envelope(ParameterRows& rows) {
  rows.flag("envelope.enabled", true, kLive,
            "Stop joints at their soft position limits and keep their velocity limits, by changing "
            "torques with the model (docs/envelope.md).");
  rows.per_joint("envelope.margin", {}, 0.0, kHuge, "rad or m", kLive,
                 "Distance from a position limit at which a joint stops if the URDF has no "
                 "safety_controller: one for all, or one per joint; if empty: 1 % of the range, at "
                 "most 0.02. At most a quarter of the range.");
  rows.number("envelope.velocity_scale", 1.0, 0.01, 1.0, "", kLive,
              "Factor on the URDF's velocity limits; a limit of 0 is none.");
  rows.number("envelope.power_limit", 0.0, 0.0, kHuge, "W", kLive,
              "Limit on the mechanical power of all driving motors together; 0 means no limit.");
}

void add_safety(ParameterRows& rows) {
  rows.group("Safety");
  add_contact(rows);
  rows.number("state_timeout_s", 0.1, 0.001, 3600.0, "s", kLive,
              "Age at which a joint's state is stale and the fallback begins.");
  rows.number("reference_timeout_s", 0.5, 0.001, 3600.0, "s", kLive,
              "Age at which a one-point reference, an effort command or a wrench is stale; a "
              "trajectory's last point is held.");
  rows.choice("on_reference_timeout", {"hold", "fallback"}, kLive,
              "On a stale reference: hold its last position (computed_torque) or use acceleration "
              "0 (inverse_dynamics), or start the fallback.");
  rows.choice("fallback", {"zero", "gravity_only", "stop"}, kLive,
              "On stale states and faults: ramp to zero; compensate gravity for gravity_only_s, "
              "then ramp to zero; or ramp to zero, then send nothing.");
  rows.number("gravity_only_s", 5.0, 0.0, 3600.0, "s", kLive,
              "How long the fallback gravity_only compensates gravity before it ramps to zero.");
  rows.number("ramp_s", 0.3, 0.01, 10.0, "s", kLive,
              "Duration of ramps: fallbacks, changes of parameters, payloads and gravity, and "
              "timeouts.");
  rows.per_joint("effort_limits", {}, 0.0, kHuge, "N m or N", kLive,
                 "Effort limits: none, one for all, or one per joint; 0 means the URDF's. The "
                 "smaller of this and the URDF's limit applies.");
  rows.flag("allow_effort_above_urdf", false, kAtStart,
            "effort_limits may exceed the URDF's limits.");
  rows.number("effort_limit_scale", 1.0, 0.0, 1.0, "", kLive, "Factor on all effort limits.");
  rows.flag("allow_unlimited_effort", false, kAtStart,
            "Send ~/torque_array even if a joint has no effort limit.");
  rows.per_joint("torque_rate_limit", {}, 0.0, kHuge, "N m/s or N/s", kLive,
                 "Limit on the rate of change of efforts: one for all, or one per joint; 0 means "
                 "no limit. If empty: from zero to the effort limit in 20 ms, except for the first "
                 "torque after activation, for braking and for ramps to zero.");
  rows.number("state_jump_factor", 3.0, 0.0, 1000.0, "", kLive,
              "States in which a joint moves faster than this factor times its velocity limit are "
              "dropped, unless five in a row agree; 0 means that no state is dropped.");
  rows.per_joint("following_error_limit", {}, 0.0, kHuge, "rad or m", kLive,
                 "Position error at which computed_torque drops the reference and holds the "
                 "present position until a new reference arrives; empty or 0 means no limit.");
  rows.flag("reset_world_on_activation", false, kLive,
            "Activation discards payloads and gravity that messages have set.");
  add_envelope(rows);
}

void add_publish(ParameterRows& rows) {
  rows.flag("publish.torque_terms", false, kAtStart,
            "Publish ~/torque/gravity, coriolis, inertial, friction and external.");
  rows.flag("publish.external_torque", false, kAtStart,
            "Publish ~/external_torque, the torque that the model does not explain.");
  rows.flag("publish.mass_matrix", false, kAtStart, "Publish ~/mass_matrix.");
  rows.flag("publish.torque_array", true, kAtStart,
            "Publish ~/torque_array, for controllers that subscribe to arrays.");
}

void add_output(ParameterRows& rows) {
  rows.group("Outputs");
  rows.texts("command_joints", {}, kAtStart,
             "Joints of ~/torque_array, in its order; empty: all, in the model's order.");
  add_publish(rows);
}

void add_realtime(ParameterRows& rows) {
  rows.group("Real time");
  rows.integer("realtime.priority", 80, 0.0, 99.0, kAtStart,
               "SCHED_FIFO priority of the loop; 0: the default scheduler.");
  rows.integer("realtime.cpu", -1, -1.0, 1023.0, kAtStart,
               "Processor on which the loop runs; -1: any.");
  rows.flag("realtime.lock_memory", true, kAtStart,
            "Lock the process's memory, so that it is not paged out.");
  rows.flag(
      "require_realtime", false, kAtStart,
      "If one of these three settings is not granted, end with an error instead of a warning.");
}

ParameterTable make_table() {
  ParameterRows rows;
  add_robot_rows(rows, kLive);
  add_loop(rows);
  add_torque(rows);
  add_compliance(rows);
  add_safety(rows);
  add_output(rows);
  add_realtime(rows);
  return rows.take();
}

/// What the controller manager decides is left out: the description, the rate, the threads.
ParameterTable make_controller_table() {
  ParameterRows rows;
  rows.group("The robot");
  rows.texts("joints", {}, kAtStart,
             "Joints whose effort the controller commands, and that have reference interfaces; "
             "empty: all that move, without mimic joints.");
  rows.per_joint("held_position", {}, -kHuge, kHuge, "rad or m", kAtStart,
                 "Positions of joints that are not in `joints` and have no position interface: one "
                 "for all, or one per joint; if empty: 0, or the nearest position within the "
                 "soft limits.");
  add_model_rows(rows, kLive);
  add_torque(rows);
  add_compliance(rows);
  add_safety(rows);
  rows.group("Outputs");
  add_deadline(rows);
  add_publish(rows);
  return rows.take();
}

}  // namespace

const ParameterTable& parameter_table() {
  static const ParameterTable table = make_table();
  return table;
}

const ParameterTable& controller_parameter_table() {
  static const ParameterTable table = make_controller_table();
  return table;
}

}  // namespace spatial_dynamics
