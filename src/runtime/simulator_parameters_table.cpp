// The rows of the simulated robot: of the node and of the ros2_control hardware. A new row needs a
// member of SimulatorConfig; the tests compare them.
#include "runtime/parameter_rows.hpp"
#include "runtime/parameters_table.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

ParameterTable make_simulator_table() {
  ParameterRows rows;
  add_robot_rows(rows, kAtStart);
  rows.per_joint("initial_position", {}, -kHuge, kHuge, "rad or m", kAtStart,
                 "Initial joint positions: one for all, or one per joint; if empty: 0, or the "
                 "nearest position within the soft limits.");
  rows.flag("joint_stops", true, kAtStart, "Joints stop at the URDF's position limits.");

  rows.group("The simulation");
  rows.number("rate_hz", 1000.0, 1.0, 20000.0, "Hz", kAtStart, "Rate of joint_states.");
  rows.choice("integrator", {"semi_implicit", "rk4"}, kAtStart,
              "semi_implicit is robust; rk4 is accurate for smooth motions.");
  rows.integer("substeps", 4, 1.0, 1000.0, kAtStart, "Integration steps between two states.");
  rows.number("real_time_factor", 1.0, 0.001, 1000.0, "", kAtStart,
              "Ratio of simulated time to real time.");
  rows.flag("publish_clock", false, kAtStart,
            "Publish the simulated time on /clock and stamp states with it.");
  rows.flag("use_sim_time", false, kAtStart,
            "Has no effect on the simulator: stamps are the system time, or the simulated time "
            "with publish_clock.");
  rows.number("effort_timeout_s", 0.1, 0.001, 3600.0, "s", kAtStart,
              "Age at which an effort command is stale; the effort is then 0.");
  rows.number("wrench_timeout_s", 0.5, 0.001, 3600.0, "s", kAtStart,
              "Age at which a wrench is stale and no longer acts.");

  rows.group("Sensors");
  rows.number("noise.position", 0.0, 0.0, 1000.0, "rad or m", kAtStart,
              "Standard deviation of measured positions.");
  rows.number("noise.velocity", 0.0, 0.0, 1000.0, "rad/s or m/s", kAtStart,
              "Standard deviation of measured velocities.");
  rows.number("noise.effort", 0.0, 0.0, kHuge, "N m or N", kAtStart,
              "Standard deviation of measured efforts.");
  rows.number("delay_s", 0.0, 0.0, 1.0, "s", kAtStart, "Delay of measured states.");
  rows.integer("seed", 1, 0.0, 4294967295.0, kAtStart,
               "Seed of the noise: the same seed gives the same noise.");
  return rows.take();
}

/// Those of the simulator that a controller manager does not decide, and more.
ParameterTable make_simulated_system_table() {
  ParameterRows rows;
  rows.group("Commands and faults");
  rows.flag("brake_unclaimed", true, kAtStart,
            "Brakes hold a joint while no controller claims it; false: only until its first "
            "command, after which it falls.");
  rows.texts("nan_states", {}, kLive,
             "Joints whose states are NaN, as of a broken sensor: a parameter of the hardware's "
             "node.");
  const ParameterTable own = rows.take();
  ParameterTable table;
  for (const ParameterDescription& row : simulator_parameter_table()) {
    const bool other = is_one_of(
        row.name, {"robot_description", "urdf_file", "floating_base", "rate_hz", "real_time_factor",
                   "publish_clock", "use_sim_time", "effort_timeout_s"});
    if (!other) table.push_back(row);
  }
  table.insert(table.end(), own.begin(), own.end());
  return table;
}

}  // namespace

const ParameterTable& simulator_parameter_table() {
  static const ParameterTable table = make_simulator_table();
  return table;
}

const ParameterTable& simulated_system_parameter_table() {
  static const ParameterTable table = make_simulated_system_table();
  return table;
}

}  // namespace spatial_dynamics
