// What `spatial_dynamics bench` asks of another library. Each is a shared object of its own, so that none is compiled with
// another's options, and is looked for when the benchmark starts.
#pragma once

#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics::bench {

/// A robot in the other library. States are in Model's order; a function that it does not have for this robot is null.
struct Peer {
  const char* name;
  void* (*open)(const Model& model);  ///< null if it can't represent the robot
  void (*close)(void* robot);
  void (*inverse_dynamics)(void* robot, const double* q, const double* v, const double* a,
                           double* tau);
  void (*mass_matrix)(void* robot, const double* q, double* M);
  void (*forward_dynamics)(void* robot, const double* q, const double* v, const double* tau,
                           double* a);
};

/// The one function of the shared object, with C linkage.
using FindPeer = const Peer* (*)();
inline constexpr const char* kFindPeer = "spatial_dynamics_bench_peer";

}  // namespace spatial_dynamics::bench
