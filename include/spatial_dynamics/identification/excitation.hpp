// A motion that makes a robot's parameters observable.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spatial_dynamics/identification/base_parameters.hpp"
#include "spatial_dynamics/identification/motion.hpp"

namespace spatial_dynamics {

/// Joints are named as in ScalarCoordinate. Angles in rad, lengths in m.
struct ExcitationOptions {
  double period_s = 10.0;
  int periods = 3;
  int harmonics = 6;  ///< the fastest sine has harmonics / period_s Hz
  double rate_hz = 100.0;
  /// Shares of the limits that the motion uses at most. Both ends of each position range keep half
  /// of the rest free.
  double position_share = 0.9, velocity_share = 0.7, acceleration_share = 0.8, effort_share = 0.7;
  std::map<std::string, double> still;  ///< joints that do not move, and where they are
  /// Ranges to keep instead of those of the model; used completely.
  std::map<std::string, std::pair<double, double>> ranges;
  std::map<std::string, double> accelerations;  ///< limits instead of those of the model
  ParameterOptions parameters;
  int evaluations = 8000;  ///< motions that the search compares
  std::uint64_t seed = 1;
};

/// One coordinate of the motion.
struct ExcitedJoint {
  std::string name;
  bool moves = false;
  double lower = 0.0, upper = 0.0;                          ///< the positions that the motion uses
  double velocity = 0.0, acceleration = 0.0, effort = 0.0;  ///< largest magnitudes
  double velocity_limit = 0.0, acceleration_limit = 0.0, effort_limit = 0.0;
};

struct Excitation {
  JointMotion motion;
  std::vector<ExcitedJoint> joints;
  BaseParameters base;  ///< of the joints that move
  /// Logarithm of the determinant of the information about the base parameters, divided by their
  /// number: 1 more means deviations that are smaller by the factor 1.65. Only differences between
  /// motions of the same robot have a meaning.
  double criterion = 0.0;
  double first_criterion = 0.0;  ///< of the best motion before the search
  double condition = 0.0;        ///< of the equations with columns of unit length
};

/// Searches for the periodic motion, a Fourier series per joint, with the largest criterion
/// (D-optimality; efforts weighted by their limits). Velocity and acceleration are zero at the
/// start and at the end. Positions, velocities and accelerations stay within the limits, and so do
/// the efforts as this model predicts them. Collisions of the robot with itself or its surroundings
/// are not known here: bound the ranges. Joints without position limits move by half a turn; planar
/// joints stand still. Deterministic for a seed. Allocates. Throws std::invalid_argument for
/// options that name no joint or leave no motion.
Excitation optimise_excitation(
    const Model& model, const ExcitationOptions& options = {},
    const std::function<void(double share)>& progress = [](double) {});

}  // namespace spatial_dynamics
