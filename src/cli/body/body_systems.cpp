#include "cli/body/body_systems.hpp"

#include <array>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "bodies/body_simulations.hpp"

namespace spatial_dynamics::cli {
namespace {

std::string figure(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

}  // namespace

BodyMotion tumble(const BodySetup& setup, const ReportShare& progress) {
  TumblingBody result = simulate_tumbling_body({setup.seconds, setup.dt, progress});
  BodyMotion motion{std::move(result.history), {}, {}};
  motion.panels = {{"angular velocity along the body's axes, rad/s",
                    {{0, "smallest inertia"}, {1, "intermediate inertia"}, {2, "largest inertia"}}},
                   {"kinetic energy, J", {{3, "kinetic"}}}};
  motion.summary =
      "A free body rotates about the axis of its intermediate inertia, which is not stable.\n"
      "It flipped over " +
      std::to_string(result.reversals) + (result.reversals == 1 ? " time.\n" : " times.\n") +
      "Angular momentum changed by at most " + figure(result.error.momentum) +
      " (relative): the integrator conserves it exactly.\nKinetic energy changed by at most " +
      figure(result.error.energy) + " (relative); half the --dt halves this change.\n";
  return motion;
}

BodyMotion springs(const BodySetup& setup, const ReportShare& progress) {
  const double longest = longest_spring_step(setup.stiffness);
  if (setup.dt > longest) {
    throw std::invalid_argument("Springs of this stiffness need a --dt below " + figure(longest) +
                                " s.");
  }
  SpringBody result = simulate_spring_body(setup.stiffness, {setup.seconds, setup.dt, progress});
  BodyMotion motion{std::move(result.history), {}, {}};
  motion.panels = {{"x of the first point, m", {{3, "springs"}, {4, "rigid body", true}}},
                   {"largest distance of a point from the rigid body, m", {{0, "distance"}}},
                   {"energies, J", {{1, "kinetic"}, {2, "of the springs"}}}};
  motion.summary =
      "Five points with springs of " + figure(setup.stiffness) +
      " N/m between all of them rotate in space, compared with a rigid body.\n"
      "Angular momentum changed by at most " +
      figure(result.error.momentum) +
      " (relative): the forces of springs cancel in pairs.\nEnergy changed by at most " +
      figure(result.error.energy) + " (relative).\nThe points were at most " +
      figure(result.farthest) +
      " m from those of the rigid body: the stiffer the springs, the closer.\n";
  return motion;
}

BodyMotion two_body(const BodySetup& setup, const ReportShare& progress) {
  PushedPair result = simulate_pushed_pair({setup.seconds, setup.dt, progress});
  BodyMotion motion{std::move(result.history), {}, {}};
  motion.panels = {{"angle of the hinge, rad", {{0, "angle"}}},
                   {"y of the centres of mass, m", {{2, "first body"}, {3, "second body"}}},
                   {"kinetic energy, J", {{4, "kinetic"}}}};
  motion.summary = "Two hinged bodies float in space. The first is pushed for " +
                   figure(kPushSeconds) + " s, then no force acts.\n";
  if (!result.was_free) return motion;
  motion.summary += "After that, momentum changed by at most " + figure(result.error.momentum) +
                    " (relative) and kinetic energy by at most " + figure(result.error.energy) +
                    ".\n";
  return motion;
}

}  // namespace spatial_dynamics::cli
