#include "simulation/sensor_log.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace spatial_dynamics {
namespace {

/// Where the numbers of a coordinate are in the history.
struct RunColumns {
  std::size_t q = 0, v = 0, effort = 0;
};

}  // namespace

History sensor_log(const std::vector<ScalarCoordinate>& coordinates, const History& run,
                   const SensorErrors& errors) {
  std::vector<std::string> names;
  std::vector<RunColumns> columns;
  for (const ScalarCoordinate& c : coordinates) {
    columns.push_back(
        {run.find("q:" + c.name), run.find("v:" + c.name), run.find("effort:" + c.name)});
    names.push_back("position:" + c.name);
    if (errors.velocities) names.push_back("velocity:" + c.name);
    names.push_back("effort:" + c.name);
  }
  std::mt19937_64 random(errors.seed);
  std::normal_distribution<double> normal;
  const auto noise = [&](const std::vector<double>& deviations, std::size_t k) {
    return deviations.empty() || deviations[k] == 0.0 ? 0.0 : deviations[k] * normal(random);
  };
  History log(std::move(names));
  std::vector<double> row;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    row.clear();
    const std::size_t before = std::max<std::size_t>(i, 1) - 1;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const RunColumns& c = columns[k];
      double q = run.value(i, c.q) + noise(errors.position, k);
      if (errors.position_quantum > 0.0) {
        q = errors.position_quantum * std::round(q / errors.position_quantum);
      }
      row.push_back(q);
      if (errors.velocities) row.push_back(run.value(i, c.v) + noise(errors.velocity, k));
      const double effort = 0.5 * (run.value(before, c.effort) + run.value(i, c.effort));
      row.push_back(effort + noise(errors.effort, k));
    }
    log.add(run.time(i), row);
  }
  return log;
}

}  // namespace spatial_dynamics
