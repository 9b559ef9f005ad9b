// Runs of the shipped robots with arbitrary torques, in which the laws of the envelope must hold.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "control/envelope_rig.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

struct EnvelopeRobot {
  const char* name;
  bool floating_base;
};
inline constexpr EnvelopeRobot kEnvelopeRobots[] = {
    {"arm6", false},     {"arm7", false},     {"double_pendulum", false},
    {"gantry", false},   {"gripper", false},  {"quadruped", false},
    {"quadruped", true}, {"humanoid", false}, {"humanoid", true}};

inline Model load(const EnvelopeRobot& robot, bool weightless = false) {
  LoadOptions options;
  if (weightless) options.gravity = Vector3::Zero();
  options.floating_base = robot.floating_base;
  return load_urdf_file(shipped_urdf(robot.name), options);
}

/// A state within all limits. `fastest`: speeds, as a share of their caps.
inline void start_inside(Random& random, const Model& model, EnvelopeRig& rig,
                         double fastest = 0.3) {
  VectorXd q = neutral_configuration(model), v = VectorXd::Zero(model.nv());
  for (const ScalarCoordinate& c : rig.coordinates()) {
    const EnvelopeLimits& limits = rig.limits();
    q(c.q) = uniform(random, std::max(limits.soft_lower(c.v), -3.0),
                     std::min(limits.soft_upper(c.v), 3.0));
    v(c.v) = uniform(random, -fastest, fastest) * std::min(limits.velocity(c.v), 10.0);
  }
  rig.start(q, v);
}

/// Torques within the effort limits that change at random times: `style` 0 fast, 1 slowly, 2 only
/// between the limits.
class RandomTorques {
 public:
  RandomTorques(Random& random, const EnvelopeRig& rig, int style)
      : random_(random), style_(style), torque_(VectorXd::Zero(rig.highest().size())) {
    left_.assign(to_size(torque_.size()), 0);
  }
  const VectorXd& next(const EnvelopeRig& rig) {
    for (const ScalarCoordinate& c : rig.coordinates()) {
      if (left_[to_size(c.v)]-- > 0) continue;
      left_[to_size(c.v)] = static_cast<int>(uniform(random_, 1.0, style_ == 0 ? 20.0 : 400.0));
      const double share = uniform(random_, -1.0, 1.0);
      torque_(c.v) = rig.highest()(c.v) * (style_ == 2 ? std::copysign(1.0, share) : share);
    }
    return torque_;
  }

 private:
  Random& random_;
  int style_;
  VectorXd torque_;
  std::vector<int> left_;
};

/// Torques that follow random positions, some beyond the stops, at random speeds, some above the
/// caps: those of a controller, with which a robot runs on where random torques soon exceed what
/// its motors can brake.
class RandomReferences {
 public:
  RandomReferences(Random& random, const Model& model)
      : random_(random), model_(model), data_(model), acceleration_(VectorXd::Zero(model.nv())) {
    targets_.resize(to_size(model.nv()));
  }
  VectorXd next(const EnvelopeRig& rig) {
    constexpr double kApproach = 4.0, kFollow = 20.0;  // 1/s
    constexpr double kStrongest = 50.0;                // rad/s^2 or m/s^2
    for (const ScalarCoordinate& c : rig.coordinates()) {
      Target& target = targets_[to_size(c.v)];
      if (target.left-- <= 0) target = choose(rig, c);
      const double wanted =
          std::clamp(kApproach * (target.position - rig.q()(c.q)), -target.speed, target.speed);
      acceleration_(c.v) = std::clamp(kFollow * (wanted - rig.v()(c.v)), -kStrongest, kStrongest);
    }
    const VectorXd torque =
        textbook::inverse_dynamics(model_, data_, rig.q(), rig.v(), acceleration_);
    return torque.cwiseMax(-rig.highest()).cwiseMin(rig.highest());
  }

 private:
  struct Target {
    int left = 0;
    double position = 0.0, speed = 0.0;
  };
  Target choose(const EnvelopeRig& rig, const ScalarCoordinate& c) {
    const double lower = std::max(rig.limits().hard_lower(c.v), -3.0);
    const double upper = std::min(rig.limits().hard_upper(c.v), 3.0);
    const double beyond = 0.3 * (upper - lower);
    Target target;
    target.left = static_cast<int>(uniform(random_, 50.0, 800.0));
    target.position = uniform(random_, lower - beyond, upper + beyond);
    target.speed = uniform(random_, 0.2, 1.2) * std::min(rig.limits().velocity(c.v), 10.0);
    return target;
  }

  Random& random_;
  const Model& model_;
  textbook::Data data_;
  VectorXd acceleration_;
  std::vector<Target> targets_;
};

/// At most `cycles` of 1 ms with random torques.
inline EnvelopeFigures run_random_torques(const Model& model, unsigned seed, int cycles) {
  Random random(seed);
  EnvelopeRig rig(model, {});
  start_inside(random, model, rig);
  RandomTorques torques(random, rig, static_cast<int>((seed - 1000) % 3));
  EnvelopeFigures figures;
  for (int k = 0; k < cycles && rig.step(torques.next(rig), figures); ++k) {
  }
  return figures;
}

/// The same with torques that follow random references. A floating robot is weightless: with
/// gravity, it would fall in the same way.
inline EnvelopeFigures run_random_references(const Model& model, unsigned seed, int cycles) {
  Random random(seed);
  EnvelopeRig rig(model, {});
  start_inside(random, model, rig, 0.1);
  RandomReferences references(random, model);
  EnvelopeFigures figures;
  for (int k = 0; k < cycles && rig.step(references.next(rig), figures); ++k) {
  }
  return figures;
}

}  // namespace spatial_dynamics::test
