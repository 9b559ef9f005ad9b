// A torque controller with a simulated clock and no middleware.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "spatial_dynamics/control/torque_controller.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/textbook/forward_dynamics.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/constants.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

/// A reference with positions, velocities and accelerations that starts when it is received.
inline JointReference full_reference(std::uint64_t generation, std::int64_t received,
                                     bool immediate, std::vector<Knot> knots) {
  JointReference r;
  r.generation = generation;
  r.received = r.start = received;
  r.immediate = immediate;
  r.has_position = r.has_velocity = r.has_acceleration = true;
  if (immediate) {
    r.setpoint = knots.front();
  } else {
    r.knots = std::move(knots);
  }
  return r;
}

/// Sets the feed-forward effort of a setpoint.
inline void set_effort(JointReference& reference, double effort) {
  reference.setpoint.effort = effort;
}

/// The shipped 7-DoF arm at 1 kHz. Its states are known and fresh unless a test changes them.
class TorqueControllerTest : public ::testing::Test {
 protected:
  TorqueControllerTest() : TorqueControllerTest(load_urdf_file(shipped_urdf("arm7"))) {}
  explicit TorqueControllerTest(const Model& robot)
      : model(robot),
        data(model),
        controller(robot),
        out(controller.make_output()),
        blank(controller.make_input()),
        states(blank.states),
        references(blank.references),
        effort_command(blank.effort_command) {
    out.mass_matrix = MatrixXd::Zero(model.nv(), model.nv());
    settings.config.gravity = model.gravity();
    resolve();
    states.q = random_configuration(random, model);
    for (const ScalarCoordinate& c : controller.coordinates()) {  // in the middle of the range
      const JointLimits& limits = model.joint(c.joint).limits;
      const double middle = 0.5 * (limits.lower + limits.upper);
      if (std::isfinite(middle)) {
        states.q(c.q) =
            middle + 0.05 * std::remainder(states.q(c.q), 2.0) * (limits.upper - limits.lower);
      }
    }
    see_states();
  }

  /// Call it after a change of settings.config.
  void resolve() { settings.joints = resolve_joint_settings(settings.config, model); }

  /// All states are received now.
  void see_states() {
    std::fill(states.received.begin(), states.received.end(), now);
    states.base_received = states.newest = now;
    states.stamp = now + 5;
    ++states.sequence;
  }
  /// Sets a setpoint for every coordinate, received now.
  void set_reference(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    ++generation;
    for (std::size_t k = 0; k < references.joints.size(); ++k) {
      const auto i = static_cast<Index>(k);
      references.joints[k] = full_reference(generation, now, true, {{0.0, q(i), v(i), a(i), 0.0}});
    }
  }
  [[nodiscard]] ControlView view() const {
    return {settings.config, settings.joints, settings.config.gravity,
            states,          references,      effort_command,
            wrenches,        payloads,        gravity,
            active,          activation};
  }
  void step() { controller.step(now, view(), out); }
  /// One cycle of 1 ms with fresh states.
  void cycle() {
    now += kMillisecond;
    see_states();
    step();
  }
  /// One cycle of 1 ms in which no state arrives.
  void silent_cycle() {
    now += kMillisecond;
    step();
  }
  template <typename Cycle>
  void repeat(int times, Cycle&& one) {
    for (int i = 0; i < times; ++i) one();
  }

  Random random{7};
  Model model;
  textbook::Data data;
  TorqueController controller;
  ControlOutput out;
  ControlInput blank;
  struct {
    struct : ControlSettings {
      Vector3 gravity = kStandardGravity;
    } config;
    JointSettings joints;
  } settings;
  JointStates states;
  References references;
  EffortCommand effort_command;
  Wrenches wrenches;
  Payloads payloads;
  Gravity gravity;
  bool active = true;
  std::uint64_t activation = 0;
  std::int64_t now = 1000 * kMillisecond;
  std::uint64_t generation = 0;
};

}  // namespace spatial_dynamics::test
