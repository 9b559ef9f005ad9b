// The systems of docs/mathematics.md that move through time, each with figures of its own, as small simulations.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "history.hpp"
#include "plot.hpp"

namespace spatial_dynamics::cli {

struct BodySetup {
  double seconds = 0.0;
  double dt = 0.0;
  double stiffness = 2000.0;  ///< N/m, of each spring
};

/// What was seen.
struct BodyMotion {
  History history;
  std::vector<Panel> panels;
  std::string words;  ///< lines that say what the laws promise and what came of it
};

using ReportShare = std::function<void(double share)>;

/// A free body of three different inertias that spins about the middle one. [PES eq. 37 to 41, 52, 62] Allocates.
BodyMotion tumble(const BodySetup& setup, const ReportShare& progress);

/// Five points, springs between all of them, turning in space beside the rigid body that they would be. [PES eq. 1 to 3]
/// Allocates; throws std::invalid_argument if dt is too long for the springs.
BodyMotion springs(const BodySetup& setup, const ReportShare& progress);

/// Two hinged bodies in space. The first is pushed for half a second, then left alone. [F3D, F6D] Allocates.
BodyMotion two_body(const BodySetup& setup, const ReportShare& progress);

}  // namespace spatial_dynamics::cli
