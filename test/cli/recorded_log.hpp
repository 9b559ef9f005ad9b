// Logs of a simulated arm that tracks a smooth motion, with whatever its model does not know.
#pragma once

#include <fstream>
#include <sstream>

#include "cli/replay_samples.hpp"
#include "model/text.hpp"
#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/runtime/simulator.hpp"
#include "spatial_dynamics/runtime/smooth_reference.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

struct Recording {
  double seconds = 12.0;
  double rate_hz = 500.0;
  SimulatorOptions sensors;
};

/// An arm that moves as the demo does. `robot` is what it is, `known` what its controller believes.
inline cli::Log record(const Model& robot, const Model& known, const Recording& recording = {}) {
  SimulatorOptions options = recording.sensors;
  options.integrator = Integrator::kRk4;
  Simulator simulator(robot, options);
  const std::vector<double> middle = middle_posture(known);
  const VectorXd start = Eigen::Map<const VectorXd>(middle.data(), known.nq());
  simulator.reset(start);
  SmoothReference reference(known, VectorXd::Constant(known.nv(), 1e3));
  reference.begin(middle);
  Data data(known);
  MotionPoint point;
  const double dt = 1.0 / recording.rate_hz;
  const auto n = static_cast<Index>(recording.seconds * recording.rate_hz);
  cli::Log log;
  log.q.resize(known.nq(), n);
  log.v.resize(known.nv(), n);
  log.effort.resize(known.nv(), n);
  log.has_effort.assign(to_size(known.nv()), true);
  VectorXd q_before = start, v_before = VectorXd::Zero(known.nv());
  for (Index i = 0; i < n; ++i) {
    reference.sample(static_cast<double>(i) * dt, point);
    const auto at = [&](const std::vector<double>& x) {
      return Eigen::Map<const VectorXd>(x.data(), known.nv());
    };
    const VectorXd a = at(point.acceleration) + 40.0 * (at(point.velocity) - simulator.v()) +
                       400.0 * (at(point.position) - simulator.q());
    const VectorXd tau = inverse_dynamics(known, data, simulator.q(), simulator.v(), a);
    if (!simulator.step(dt, tau)) throw std::runtime_error("the simulation broke down");
    // An effort was at work between two states: the middle of them is when it was measured.
    const Measurement& measured = simulator.measured();
    log.time.push_back((static_cast<double>(i) + 0.5) * dt);
    log.q.col(i) = 0.5 * (q_before + measured.q);
    log.v.col(i) = 0.5 * (v_before + measured.v);
    log.effort.col(i) = measured.effort;
    q_before = measured.q;
    v_before = measured.v;
  }
  return log;
}

inline Model arm7() { return load_urdf_file(shipped_urdf("arm7")); }
inline Model arm7_with(double mass, const Vector3& com) {
  Model model = arm7();
  model.set_payload(model.find_link("flange"), Inertia::from_com(mass, com, Matrix3::Zero()));
  return model;
}

inline std::string csv(const cli::Log& log, const std::vector<std::string>& joints,
                       bool with_velocity = true) {
  std::ostringstream out;
  out << "time";
  for (const std::string& j : joints) {
    out << ",position:" << j << (with_velocity ? ",velocity:" + j : "") << ",effort:" << j;
  }
  out << '\n';
  for (Index i = 0; i < log.size(); ++i) {
    out << number_text(log.time[to_size(i)]);
    for (Index k = 0; k < log.q.rows(); ++k) {
      out << ',' << number_text(log.q(k, i));
      if (with_velocity) out << ',' << number_text(log.v(k, i));
      out << ',' << number_text(log.effort(k, i));
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace spatial_dynamics::test
