// Prints the figures of docs/compliance.md: the time to the detection of a push, and false alarms.
// Usage: contact_figures [HOURS]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "control/contact_scene.hpp"

namespace {

using namespace spatial_dynamics;
using test::ContactScene;

constexpr double kModelError = 0.1;

ControlSettings settings() {
  ControlSettings settings;
  settings.torque_mode = TorqueMode::kComputedTorque;
  settings.contact.reaction = ContactReaction::kHold;
  return settings;
}

/// Pushes at 60 times and poses, along each axis of the last link in both directions.
void print_detection(const Model& model, double force) {
  constexpr int kPushes = 60;
  std::vector<double> times;
  for (int i = 0; i < kPushes; ++i) {
    ContactScene scene(model, settings(), i % 2 == 0 ? kModelError : -kModelError,
                       static_cast<std::uint64_t>(i) + 1);
    scene.run(2.0 + 0.3 * i);
    Vector3 push = Vector3::Zero();
    push(i % 3) = i / 3 % 2 == 0 ? force : -force;
    const auto time = scene.time_to_detection(push, 1.0);
    if (time) times.push_back(1e3 * *time);
  }
  std::sort(times.begin(), times.end());
  std::printf("| %g N | %zu of %d |", force, times.size(), kPushes);
  if (times.empty()) {
    std::printf(" | |\n");
  } else {
    std::printf(" %.0f ms | %.0f ms |\n", times[times.size() / 2], times.back());
  }
}

void print_false_alarms(const Model& model, double error, double hours) {
  ContactScene scene(model, settings(), error, 3);
  int alarms = 0;
  for (double t = 0.0; t < 3600.0 * hours; t += ContactScene::kPeriod_s) {
    scene.step();
    if (!scene.touched()) continue;
    ++alarms;
    scene.acknowledge();
  }
  std::printf("model error %+g %%: %d false alarms in %g h\n", 100.0 * error, alarms, hours);
}

}  // namespace

int main(int argc, char** argv) {
  const double hours = argc > 1 ? std::atof(argv[1]) : 1.0;
  const Model model = load_urdf_file(SPATIAL_DYNAMICS_SOURCE_DIR "/urdf/arm7.urdf");
  std::printf("| push | detected | median time | slowest |\n|---|---|---|---|\n");
  for (const double force : {5.0, 10.0, 20.0, 30.0, 50.0}) print_detection(model, force);
  for (const double error : {kModelError, -kModelError}) print_false_alarms(model, error, hours);
}
