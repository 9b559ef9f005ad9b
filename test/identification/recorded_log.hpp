// Logs of a simulated arm that tracks a smooth motion, recorded with a model that may differ from
// it.
#pragma once

#include <fstream>
#include <sstream>

#include "spatial_dynamics/identification/log_fit.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "spatial_dynamics/simulation/simulator.hpp"
#include "spatial_dynamics/simulation/smooth_reference.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/robots.hpp"
#include "support/text.hpp"

namespace spatial_dynamics::test {

struct Recording {
  double seconds = 12.0;
  double rate_hz = 500.0;
  SimulatorOptions sensors;
};

/// Moves an arm as the demo does. `robot` is simulated; the controller uses the model `known`.
inline RobotLog record(const Model& robot, const Model& known, const Recording& recording = {}) {
  SimulatorOptions options = recording.sensors;
  options.integrator = Integrator::kRk4;
  Simulator simulator(robot, options);
  const std::vector<double> middle = middle_posture(known);
  const VectorXd start = Eigen::Map<const VectorXd>(middle.data(), known.nq());
  simulator.reset(start);
  SmoothReference reference(known, VectorXd::Constant(known.nv(), 1e3));
  reference.begin(middle);
  textbook::Data data(known);
  MotionPoint point;
  const double dt = 1.0 / recording.rate_hz;
  const auto n = static_cast<Index>(recording.seconds * recording.rate_hz);
  RobotLog log;
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
    if (!simulator.step(dt, tau)) throw std::runtime_error("the simulation failed");
    // An effort acts between two states, so the log has it at the middle of them.
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

/// A rod on a hinge about y, with friction: one degree of freedom.
inline std::string pendulum_urdf() {
  return R"(<robot name="pendulum"><link name="base"/><link name="rod"><inertial>
    <origin xyz="0 0 -0.5"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
    <dynamics damping="0.1" friction="0.2"/></joint></robot>)";
}
inline Model pendulum() { return load_urdf(pendulum_urdf()); }
inline Model pendulum_with(double mass, const Vector3& com) {
  Model model = pendulum();
  model.set_payload(model.find_link("rod"), Inertia::from_com(mass, com, Matrix3::Zero()));
  return model;
}
/// The pendulum follows a sum of two sines. Efforts have no noise and lag states by `lag_s`.
inline RobotLog swing(const Model& robot, double lag_s = 0.0) {
  constexpr Index kSamples = 4000;
  RobotLog log;
  log.q.resize(1, kSamples);
  log.v = log.effort = log.q;
  log.has_effort = {true};
  textbook::Data data(robot);
  const auto sines = [](double t, double slow, double fast, double phase) {
    return VectorXd::Constant(1,
                              slow * std::sin(1.3 * t + phase) + fast * std::sin(3.1 * t + phase))
        .eval();
  };
  const auto position = [&](double t) { return sines(t, 1.2, 0.3, 0.0); };
  const auto velocity = [&](double t) { return sines(t, 1.2 * 1.3, 0.3 * 3.1, 0.5 * M_PI); };
  const auto acceleration = [&](double t) { return sines(t, 1.2 * 1.69, 0.3 * 9.61, M_PI); };
  for (Index i = 0; i < kSamples; ++i) {
    const double t = 0.005 * static_cast<double>(i), before = t - lag_s;
    log.time.push_back(t);
    log.q.col(i) = position(t);
    log.v.col(i) = velocity(t);
    log.effort.col(i) =
        inverse_dynamics(robot, data, position(before), velocity(before), acceleration(before));
  }
  return log;
}

inline std::string csv(const RobotLog& log, const std::vector<std::string>& joints,
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

inline Recording noisy_sensors(std::uint64_t seed) {
  Recording recording;
  recording.sensors.position_noise = 1e-5;
  recording.sensors.velocity_noise = 1e-3;
  recording.sensors.effort_noise = 0.2;
  recording.sensors.seed = seed;
  return recording;
}

inline LogFitOptions payload_on_flange() {
  LogFitOptions options;
  options.link = arm7().find_link("flange");
  return options;
}

}  // namespace spatial_dynamics::test
