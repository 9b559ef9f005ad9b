// The interface of other libraries for `spatial_dynamics bench`. Each is a separate shared object,
// so that each has its own compiler options, and is loaded when the benchmark starts. The interface
// consists of plain numbers, because the layout of Eigen's types depends on the compiler's options.
#pragma once

namespace spatial_dynamics::bench {

/// A joint with the link it carries.
struct PeerJoint {
  enum class Kind { kRevolute, kPrismatic, kPlanar, kFloating };

  const char* name;
  Kind kind;
  bool is_mimic;
  int parent;          ///< the joint of its parent link, earlier in the array; -1 is the base
  int v_index, nv;     ///< its coordinates in v
  double position[3];  ///< of its frame in its parent's
  double rotation[9];  ///< axes of its frame in its parent's, row by row
  double axis[3];      ///< in its frame
  double armature;
  double mass;
  double com[3];      ///< centre of mass in the link's frame
  double inertia[9];  ///< about the centre of mass, along the link's axes
};

struct PeerModel {
  int joint_count;
  const PeerJoint* joints;
  int nq, nv;
  double gravity[3];
};

/// A robot in the other library. States are in Model's order; a function that it does not have for
/// this robot is null.
struct Peer {
  /// x is an acceleration, or a torque for forward dynamics; functions of q alone read neither v
  /// nor x. Matrices are written column by column. Returns a number of the result. `result` is null
  /// while times are measured: then nothing is copied, and the result stays where the library
  /// leaves it for its users, in the library's own form (one half of a symmetric matrix, for
  /// example).
  using Function = double (*)(void* robot, const double* q, const double* v, const double* x,
                              double* result);

  const char* name = nullptr;
  void* (*open)(const PeerModel& model) = nullptr;  ///< null if it can't represent the robot
  void (*close)(void* robot) = nullptr;
  Function inverse_dynamics = nullptr;
  Function mass_matrix = nullptr;
  Function forward_dynamics = nullptr;
  Function inverse_mass_matrix = nullptr;
  /// d tau / d(q, v, a), one matrix behind the other, by q in the tangent space.
  Function inverse_dynamics_derivatives = nullptr;
  /// d a / d(q, v, tau), likewise.
  Function forward_dynamics_derivatives = nullptr;
};

/// The one function of the shared object, with C linkage.
using FindPeer = const Peer* (*)();
inline constexpr const char* kFindPeer = "spatial_dynamics_bench_peer";

}  // namespace spatial_dynamics::bench
