// Prints the figures of docs/envelope.md: runs with random torques and with random references.
// Usage: envelope_figures [ROBOT]
// ROBOT ends with _floating for a floating base; all robots without it.
#include <cstdio>
#include <string>

#include "control/envelope_runs.hpp"

namespace {

using namespace spatial_dynamics;
using namespace spatial_dynamics::test;

constexpr unsigned kTorqueRuns = 60, kReferenceRuns = 10;

/// Returns the number of runs that break a law.
int print(const char* what, const std::string& robot, unsigned first, unsigned runs, int cycles,
          EnvelopeFigures (*run)(const Model&, unsigned, int), const Model& model) {
  EnvelopeFigures all;
  int broken = 0;
  for (unsigned seed = first; seed < first + runs; ++seed) {
    EnvelopeFigures figures = run(model, seed, cycles);
    if (figures.broken.empty() && figures.work > 0.0) figures.broken = "changes add energy";
    if (!figures.broken.empty()) {
      ++broken;
      std::printf("%s %s, seed %u: %s\n", robot.c_str(), what, seed, figures.broken.c_str());
    }
    all.add(figures);
  }
  std::printf(
      "%s %s: %u runs, %ld cycles, %ld changed, %ld runs end without a braking torque, "
      "overshoot %.2f mm or mrad, overspeed %.2f %%, %d runs break a law\n",
      robot.c_str(), what, runs, all.cycles, all.changed, all.excused, 1e3 * all.overshoot,
      1e2 * all.overspeed, broken);
  std::fflush(stdout);
  return broken;
}

}  // namespace

int main(int argc, char** argv) {
  int broken = 0;
  for (const EnvelopeRobot& robot : kEnvelopeRobots) {
    const std::string name = std::string(robot.name) + (robot.floating_base ? "_floating" : "");
    if (argc > 1 && name != argv[1]) continue;
    broken +=
        print("random torques", name, 1000, kTorqueRuns, 1000, run_random_torques, load(robot));
    broken += print("random references", name, 2000, kReferenceRuns, 5000, run_random_references,
                    load(robot, robot.floating_base));
  }
  return broken == 0 ? 0 : 1;
}
