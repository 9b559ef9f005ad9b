// Small simulations of systems of docs/mathematics.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/common/plot.hpp"
#include "support/history.hpp"

namespace spatial_dynamics::cli {

struct BodySetup {
  double seconds = 0.0;
  double dt = 0.0;
  double stiffness = 2000.0;  ///< N/m, of each spring
};

/// Result of a simulation.
struct BodyMotion {
  History history;
  std::vector<Panel> panels;
  std::string summary;  ///< conserved quantities and their errors, in words
};

using ReportShare = std::function<void(double share)>;

/// A free body with three different inertias that rotates about the intermediate axis. [PES eq. 37
/// to 41, 52, 62] Allocates.
BodyMotion tumble(const BodySetup& setup, const ReportShare& progress);

/// Five points with springs between all of them, rotating in space, compared with a rigid body.
/// [PES eq. 1 to 3] Allocates; throws std::invalid_argument if dt is too long for the springs.
BodyMotion springs(const BodySetup& setup, const ReportShare& progress);

/// Two hinged bodies in space. The first is pushed for half a second, then left alone. [F3D, F6D]
/// Allocates.
BodyMotion two_body(const BodySetup& setup, const ReportShare& progress);

}  // namespace spatial_dynamics::cli
