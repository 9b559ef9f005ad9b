#include "cli/simulate/summary_text.hpp"

#include <algorithm>
#include <cmath>

#include "support/text.hpp"

namespace spatial_dynamics::cli {
namespace {

// dt times the velocity gain of computed_torque.
constexpr double kPoorlySampled = 1.0, kUnstable = 2.0;
constexpr double kRoundingJ = 1e-9;  // relative to 1 J plus the energy at the start

bool moved(const SimulationSummary& summary) {
  return summary.largest_kinetic > 1e-12 * (1.0 + std::abs(summary.energy_at_start));
}

void print_energy(const SimulationSummary& summary, bool motors, std::FILE* out) {
  const auto joules = [](double energy) { return rounded_text(energy, 6) + " J"; };
  (void)std::fprintf(out, "energy: %s at the start, %s at the end",
                     joules(summary.energy_at_start).c_str(),
                     joules(summary.energy_at_end).c_str());
  if (motors) (void)std::fprintf(out, "; the motors did %s of work", joules(summary.work).c_str());
  if (summary.loses_energy) {
    const double lost = summary.energy_at_start + summary.work - summary.energy_at_end;
    if (lost < -kRoundingJ * (1.0 + std::abs(summary.energy_at_start))) {
      (void)std::fprintf(out, "; integration errors added %s.\n", joules(-lost).c_str());
    } else {
      (void)std::fprintf(out, "; friction, stops and integration errors dissipated %s.\n",
                         joules(std::max(lost, 0.0)).c_str());
    }
    return;
  }
  (void)std::fprintf(out, ".\nenergy drift: at most %.2g J", summary.largest_drift);
  if (moved(summary)) {
    (void)std::fprintf(out, ", %.2g of the largest kinetic energy",
                       summary.largest_drift / summary.largest_kinetic);
  }
  (void)std::fprintf(out, ".\n");
}

}  // namespace

void print_joints_at_rest(const ModelReport& report, std::FILE* out) {
  for (const Finding& finding : report.findings) {
    if (finding.code != FindingCode::kZeroVelocityLimit) continue;
    (void)std::fprintf(out, "%s was not moved: its velocity limit in the URDF is 0.\n",
                       finding.element.c_str());
  }
}

void print_summary(const SimulationSummary& summary, ControllerKind controller, std::FILE* out) {
  (void)std::fprintf(out, "simulated %.6g s in %s.\n", summary.time_s,
                     count_text(summary.steps, "step").c_str());
  if (std::isfinite(summary.energy_at_end)) {
    print_energy(summary, controller != ControllerKind::kNone, out);
  }
  if (summary.steps_too_long && !summary.diverged) {
    (void)std::fprintf(
        out,
        "Integration errors changed the energy by up to %s J; a smaller --dt is more accurate.\n",
        rounded_text(summary.energy_error, 3).c_str());
  }
  if (controller == ControllerKind::kNone && !moved(summary)) {
    (void)std::fprintf(
        out,
        "Nothing moved: the robot starts at rest in equilibrium; give --position or --velocity.\n");
  }
  if (summary.rms_joint.empty() || controller == ControllerKind::kNone) return;
  if (controller == ControllerKind::kComputedTorque && !summary.reference_moves) {
    (void)std::fprintf(out, "tracking error: not measured: no joint was moved.\n");
    return;
  }
  (void)std::fprintf(
      out, "%s: rms %.3g %s (%s), at most %.3g %s (%s).\n",
      controller == ControllerKind::kComputedTorque ? "tracking error" : "distance from the start",
      summary.tracking_rms, summary.rms_unit.c_str(), summary.rms_joint.c_str(),
      summary.tracking_max, summary.max_unit.c_str(), summary.max_joint.c_str());
  if (summary.largest_effort_share > 0.0) {
    (void)std::fprintf(out, "largest effort: %.0f %% of its limit.\n",
                       100.0 * summary.largest_effort_share);
  }
  if (summary.damping_per_step >= kPoorlySampled && summary.damping_per_step < kUnstable) {
    (void)std::fprintf(out,
                       "The steps are long for the controller, which is unstable from %g s on; a "
                       "smaller --dt follows the reference better.\n",
                       kUnstable / JointController::kKd);
  }
}

std::string simulation_failure(const SimulationSummary& summary, double dt) {
  const std::string step = rounded_text(dt) + " s.";
  if (summary.broke_off) {
    return "The motion diverged at " + rounded_text(summary.time_s, 6) +
           " s: the next state is not finite; give a smaller --dt than " + step;
  }
  if (summary.damping_per_step >= kUnstable) {
    return "The result is wrong: computed_torque is unstable if the steps are " +
           rounded_text(kUnstable / JointController::kKd) +
           " s or longer; give a smaller --dt than " + step;
  }
  if (summary.diverged) {
    return "The result is wrong: integration errors changed the energy by up to " +
           rounded_text(summary.energy_error, 3) +
           " J, because the steps are too long; give a smaller --dt than " + step;
  }
  if (summary.lost_reference) {
    return "The motion does not follow the reference: an effort is at its limit, and the tracking "
           "error of " +
           summary.max_joint + " exceeds the reference's amplitude; give a smaller --dt than " +
           rounded_text(dt) + " s, or correct the effort limits and masses in the URDF.";
  }
  return {};
}

}  // namespace spatial_dynamics::cli
