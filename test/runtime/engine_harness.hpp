// An engine with a made-up clock and no middleware.
#pragma once

#include <gtest/gtest.h>

#include "spatial_dynamics/algorithms/forward_dynamics.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/runtime/engine.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

constexpr std::int64_t kMillisecond = 1'000'000;

/// A reference with positions, velocities and accelerations that starts when it is received.
inline JointReference full_reference(std::uint64_t generation, std::int64_t received,
                                     bool immediate, std::vector<Knot> knots) {
  JointReference r;
  r.generation = generation;
  r.received = r.start = received;
  r.immediate = immediate;
  r.has_position = r.has_velocity = r.has_acceleration = true;
  r.knots = std::move(knots);
  return r;
}

/// The shipped 7-DoF arm at 1 kHz, its states known and fresh unless a test says otherwise.
class EngineTest : public ::testing::Test {
 protected:
  EngineTest() : EngineTest(load_urdf_file(shipped_urdf("arm7"))) {}
  explicit EngineTest(const Model& robot)
      : model(robot),
        data(model),
        engine(robot),
        out(engine.make_outputs()),
        states(engine.make_states()),
        references(engine.make_references()),
        effort_command(engine.make_effort_command()) {
    settings.config.gravity = model.gravity();
    resolve();
    states.q = random_configuration(random, model);
    see_states();
  }

  /// After settings.config was changed.
  void resolve() { settings.joints = resolve_joint_settings(settings.config, model); }

  /// All states are as of now.
  void see_states() {
    std::fill(states.received.begin(), states.received.end(), now);
    states.base_received = states.newest = now;
    states.stamp = now + 5;
    ++states.sequence;
  }
  /// A setpoint for every coordinate that counts from now.
  void set_reference(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    ++generation;
    for (std::size_t k = 0; k < references.joints.size(); ++k) {
      const auto i = static_cast<Index>(k);
      references.joints[k] = full_reference(generation, now, true, {{0.0, q(i), v(i), a(i), 0.0}});
    }
  }
  void step() {
    engine.step(now,
                {settings, states, references, effort_command, wrenches, payloads, gravity, active},
                out);
  }
  /// One cycle of a millisecond with fresh states.
  void cycle() {
    now += kMillisecond;
    see_states();
    step();
  }
  /// One cycle of a millisecond in which no state arrives.
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
  Data data;
  Engine engine;
  EngineOutputs out;
  Settings settings;
  JointStates states;
  References references;
  EffortCommand effort_command;
  Wrenches wrenches;
  Payloads payloads;
  Gravity gravity;
  bool active = true;
  std::int64_t now = 1000 * kMillisecond;
  std::uint64_t generation = 0;
};

}  // namespace spatial_dynamics::test
