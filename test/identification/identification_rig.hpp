// Robots whose URDF was falsified, and logs of what the real robot would have recorded.
#pragma once

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/identification/excitation.hpp"
#include "spatial_dynamics/identification/identify_robot.hpp"
#include "spatial_dynamics/model/edit_urdf.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

/// The text of a robot of test/identification/robots, or of a shipped one.
inline std::string rig_urdf(const std::string& name) {
  std::ifstream file(std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/test/identification/robots/" +
                     name + ".urdf");
  if (!file) return urdf_text(name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Seeds of the tests of reach: 3, or as many as scripts/soak asks for.
inline std::uint64_t reach_seeds() {
  const char* const text = std::getenv("SPATIAL_DYNAMICS_IDENTIFICATION_SEEDS");
  return text == nullptr ? 3 : std::strtoull(text, nullptr, 10);
}

/// Friction of every joint that is a coordinate; none of mimic joints, which are not estimated.
inline std::string with_friction(const std::string& urdf, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> share(0.2, 1.0);
  const Model model = load_urdf(urdf);
  UrdfChanges changes;
  for (Index j = 1; j < model.body_count(); ++j) {
    const Joint& joint = model.joint(j);
    const double size = std::isfinite(joint.limits.effort) ? 0.03 * joint.limits.effort : 0.1;
    changes.joints.push_back({joint.name, joint.is_mimic() ? 0.0 : share(random) * size,
                              joint.is_mimic() ? 0.0 : share(random) * size});
  }
  return edit_urdf(urdf, changes);
}

/// Every mass, centre of mass and inertia 30 % too large or too small, and no friction.
inline std::string falsified(const std::string& urdf, std::uint64_t seed) {
  std::mt19937_64 random(1000 + seed);
  std::bernoulli_distribution coin;
  const auto factor = [&] { return coin(random) ? 1.3 : 0.7; };
  const Model model = load_urdf(urdf);
  UrdfChanges changes;
  for (Index l = 0; l < model.link_count(); ++l) {
    const Inertia& inertia = model.link(l).inertia;
    if (!(inertia.mass > 0.0)) continue;
    MassProperties wrong{factor() * inertia.mass, inertia.com(), inertia.inertia_about_com()};
    for (Index i = 0; i < 3; ++i) wrong.com(i) *= factor();
    Matrix3 scaled;
    do {  // signs that leave a possible inertia
      for (Index i = 0; i < 3; ++i) {
        for (Index j = i; j < 3; ++j) {
          scaled(i, j) = scaled(j, i) = factor() * wrong.inertia_about_com(i, j);
        }
      }
    } while (!is_physical(Inertia::from_com(wrong.mass, wrong.com, scaled)));
    wrong.inertia_about_com = scaled;
    changes.links.push_back({model.link(l).name, wrong});
  }
  for (Index j = 1; j < model.body_count(); ++j) changes.joints.push_back({model.joint(j).name});
  return edit_urdf(urdf, changes);
}

struct LogSettings {
  double seconds = 30.0;
  double rate_hz = 500.0;
  double effort_noise = 0.02;  ///< of the peak
  std::uint64_t seed = 1;
};

/// The efforts of a robot on a motion, without noise, and the deviation of the noise.
struct TrueEfforts {
  MatrixXd effort;
  VectorXd noise;
};

/// What a robot records that follows the motion exactly: positions of a 19-bit encoder (prismatic
/// joints: 63 mm per turn) and efforts with noise.
inline RobotLog recorded_log(const Model& robot, const JointMotion& motion,
                             const LogSettings& settings, TrueEfforts* truth = nullptr) {
  std::mt19937_64 random(settings.seed);
  std::normal_distribution<double> normal;
  Data data(robot);
  RobotLog log;
  const auto count = static_cast<Index>(settings.seconds * settings.rate_hz);
  log.q.resize(robot.nv(), count);
  log.effort.resize(robot.nv(), count);
  log.has_effort.assign(to_size(robot.nv()), true);
  VectorXd q, v, a;
  for (Index i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / settings.rate_hz;
    sample(motion, t, q, v, a);
    log.time.push_back(t);
    log.q.col(i) = q;
    log.effort.col(i) = inverse_dynamics(robot, data, q, v, a);
  }
  const VectorXd noise = settings.effort_noise * log.effort.rowwise().lpNorm<Eigen::Infinity>();
  if (truth != nullptr) *truth = {log.effort, noise};
  for (Index k = 0; k < robot.nv(); ++k) {
    const Joint& joint = robot.joint(robot.coordinate_joints()[to_size(k)]);
    const double unit = 2.0 * M_PI / 524288.0 * (joint.type == JointType::kPrismatic ? 0.01 : 1.0);
    for (Index i = 0; i < count; ++i) {
      log.q(k, i) = std::round(log.q(k, i) / unit) * unit;
      log.effort(k, i) += noise(k) * normal(random);
    }
  }
  return log;
}

/// A motion for tests: a short search.
inline JointMotion test_motion(const Model& model, std::uint64_t seed, int evaluations = 120) {
  ExcitationOptions options;
  options.seed = seed;
  options.evaluations = evaluations;
  return optimise_excitation(model, options).motion;
}

/// The values of base parameters for another model of the same structure.
inline VectorXd base_values(const BaseParameters& base, const Model& model,
                            const ParameterOptions& options = {}) {
  const std::vector<RobotParameter> parameters = robot_parameters(model, options);
  VectorXd values(static_cast<Index>(parameters.size()));
  for (Index i = 0; i < values.size(); ++i) values(i) = parameters[to_size(i)].in_model;
  return base.combination * values;
}

}  // namespace spatial_dynamics::test
