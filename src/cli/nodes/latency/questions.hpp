// States to send to a node, with the torques that answer them.
#pragma once

#include <cstddef>
#include <vector>

#include "cli/nodes/latency/round_trip.hpp"
#include "spatial_dynamics/model/model.hpp"

namespace spatial_dynamics::cli {

struct Question {
  AskedState state;
  std::vector<double> torque;  ///< computed by the library, per scalar coordinate
};

/// Random states within the limits of a robot with a fixed base; the same for each call. Allocates.
std::vector<Question> make_questions(const Model& model, std::size_t count);

}  // namespace spatial_dynamics::cli
