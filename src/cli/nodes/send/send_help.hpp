// The texts of `send --help`.
#pragma once

namespace spatial_dynamics::cli {

inline constexpr const char* kSendFooter = R"(Example:
  spatial_dynamics send payload tool0=1.5,0,0,0.05
  spatial_dynamics send gravity 9.80665,0,0 --node /left/dynamics
  spatial_dynamics send reference shoulder=0.5 elbow=-1 --seconds 3
  spatial_dynamics send stiffness 50
  spatial_dynamics send acknowledge

Sends messages to a running node, `spatial_dynamics run` or the ROS 2 node, and
waits for its diagnostics, which show whether it accepted them. `spatial_dynamics
send payload --help` and so on describe each kind.

Exit code: 0; 1 if no such node was found, it did not answer in time, or it
rejected the message; 2 if the command line is wrong.
)";

inline constexpr const char* kPayloadFooter = R"(Example:
  spatial_dynamics send payload tool0=1.5,0,0,0.05
  spatial_dynamics send payload tool0=0

The link's payload: mass, kg; centre of mass in the link's frame, m; inertia about
it, kg m^2. It replaces the present one, also a configured one, and stays until
the next message or until the node ends. Mass 0 removes it. For a payload from the
start of the node on: run --payload, or the parameters payloads.*.
)";

inline constexpr const char* kGravityFooter = R"(Example:
  spatial_dynamics send gravity 0,0,9.80665

Gravity in the root link's frame, m/s^2, for inclined and moving mounts; this
example is for a ceiling. It stays until the next message or until the node ends.
From the start of the node on: run --gravity, or the parameter gravity.
)";

inline constexpr const char* kWrenchFooter = R"(Example:
  spatial_dynamics send wrench tool0=0,0,-20 --seconds 5

A known wrench on the link: force, N, and torque, N m, in the link's frame at its
origin. Sent 20 times a second until --seconds have passed or Ctrl-C; then zero is
sent.
)";

inline constexpr const char* kReferenceFooter = R"(Example:
  spatial_dynamics send reference shoulder=0.5 elbow=-1 --seconds 3

A trajectory from the present reference to these positions, rad or m, where the
joints are at rest after --seconds. Other joints keep their reference. The mode
gravity_compensation does not use references.
)";

inline constexpr const char* kEffortFooter = R"(Example:
  spatial_dynamics send effort shoulder=2 elbow=0.5 --seconds 5

Efforts, N m or N, from which the node computes accelerations if its parameter
forward.effort_source is command. They change no torque. Sent 20 times a second
until --seconds have passed or Ctrl-C.
)";

inline constexpr const char* kStiffnessFooter = R"(Example:
  spatial_dynamics send stiffness 50
  spatial_dynamics send stiffness elbow=50 wrist_roll=5

Stiffness of the springs of joint_impedance, and of the locked joints of
hand_guiding, N m/rad or N/m: one number for all joints, or one per named joint.
Others keep theirs. The change is ramped over ramp_s and stays until the next
message or until the node ends. The damping follows from impedance.damping_ratio,
unless impedance.damping is set. A stiffness that is not stable at the rate of the
node is reported. From the start of the node on: the parameter
impedance.stiffness.
)";

inline constexpr const char* kAcknowledgeFooter = R"(Example:
  spatial_dynamics send acknowledge
  spatial_dynamics send acknowledge --node /left/dynamics

Ends the reaction to a contact (parameter contact.reaction). The robot then holds
its position, and references that arrived meanwhile are discarded. Remove what the
robot touches first: if it still touches, the next contact begins. Without a
contact nothing changes.
)";

}  // namespace spatial_dynamics::cli
