#include "cli/bench/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "cli/common/plot.hpp"
#include "spatial_dynamics/dynamics/forward_dynamics.hpp"
#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/model_builder.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"
#include "support/stopwatch.hpp"

namespace spatial_dynamics::cli {
namespace {

/// A chain of equal links with changing directions of axes.
Model chain(int joints) {
  ModelBuilder builder("chain");
  builder.add_link("link0");
  for (int i = 1; i <= joints; ++i) {
    JointDescription joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::kRevolute;
    joint.parent = "link" + std::to_string(i - 1);
    joint.child = "link" + std::to_string(i);
    joint.axis = Vector3::UnitZ();
    joint.origin = Transform::from_pose(rpy_rotation(1.0, 0.3, -0.2), {0.01, 0.02, 0.1});
    builder.add_link(joint.child, {1.0, {0.01, 0.0, 0.05}, 0.01 * Matrix3::Identity()});
    builder.add_joint(joint);
  }
  return builder.build();
}

double per_joint(int joints, int rounds, bool forward) {
  const Model model = chain(joints);
  Data data(model);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  VectorXd q(joints), v(joints), x(joints);
  for (VectorXd* vector : {&q, &v, &x}) {
    for (double& entry : *vector) entry = uniform(random);
  }
  v *= 1e-3;  // a long chain in fast motion has very large numbers
  const int repeats = std::max(1, 20000 / joints);
  std::vector<double> times;
  for (int round = -2; round < rounds; ++round) {
    const double time = time_of([&] {
      for (int i = 0; i < repeats; ++i) {
        const VectorXd& result = forward ? forward_dynamics(model, data, q, v, x)
                                         : inverse_dynamics(model, data, q, v, x);
        q(0) += 1e-300 * result(0);
      }
    });
    if (round >= 0) times.push_back(time / repeats / joints);
  }
  return quantile(times, 0.1);
}

std::string bar(double ns) {
  return std::string(static_cast<std::size_t>(std::min(ns, 160.0) / 2.0), '#');
}

}  // namespace

History measure_scaling(int rounds) {
  History times({"inverse dynamics", "forward dynamics"});
  for (const int joints : {7, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}) {
    times.add(joints, {per_joint(joints, rounds, false), per_joint(joints, rounds, true)});
  }
  return times;
}

std::string scaling_text(const History& times) {
  std::string out = "ns per joint (10 % quantile)\n  joints  inverse  forward\n";
  for (std::size_t row = 0; row < times.rows(); ++row) {
    const double inverse = times.value(row, 0), forward = times.value(row, 1);
    char line[80];
    std::snprintf(line, sizeof line, "%8.0f%9.1f%9.1f  ", times.time(row), inverse, forward);
    out += line + bar(inverse) + '\n' + std::string(28, ' ') + bar(forward) + '\n';
  }
  return out;
}

std::string scaling_svg(const History& times) {
  History logarithmic(times.columns());
  for (std::size_t row = 0; row < times.rows(); ++row) {
    logarithmic.add(std::log10(times.time(row)), {times.value(row, 0), times.value(row, 1)});
  }
  return to_svg("Chains of 7 to 10000 joints", logarithmic,
                {{"time per joint, ns", {{0, times.columns()[0]}, {1, times.columns()[1]}}}},
                "joints, power of ten");
}

}  // namespace spatial_dynamics::cli
