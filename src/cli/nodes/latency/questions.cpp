#include "cli/nodes/latency/questions.hpp"

#include <algorithm>
#include <random>

#include "spatial_dynamics/dynamics/inverse_dynamics.hpp"
#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/model/coordinates.hpp"

namespace spatial_dynamics::cli {
namespace {

/// A random number within the limits and +-reach.
double within(const JointLimits& limits, double reach, std::mt19937& random) {
  const double lower = std::max(limits.lower, -reach);
  const double upper = std::min(limits.upper, reach);
  return std::uniform_real_distribution<double>(std::min(lower, upper), upper)(random);
}

}  // namespace

std::vector<Question> make_questions(const Model& model, std::size_t count) {
  constexpr double kReach = 2.0;  // rad or m, and their rates
  std::mt19937 random(1);
  Data data(model);
  VectorXd q = neutral_configuration(model);
  VectorXd v = VectorXd::Zero(model.nv());
  const VectorXd a = VectorXd::Zero(model.nv());  // the node's default without a reference
  const std::vector<ScalarCoordinate> coordinates = scalar_coordinates(model);
  std::vector<Question> questions(count);
  for (Question& question : questions) {
    for (const ScalarCoordinate& c : coordinates) {
      const JointLimits& limits = model.joint(c.joint).limits;
      q(c.q) = within(limits, kReach, random);
      const double fastest = std::min(limits.velocity, kReach);
      v(c.v) = std::uniform_real_distribution<double>(-fastest, fastest)(random);
      question.state.position.push_back(q(c.q));
      question.state.velocity.push_back(v(c.v));
    }
    const VectorXd& torque = inverse_dynamics(model, data, q, v, a);
    for (const ScalarCoordinate& c : coordinates) question.torque.push_back(torque(c.v));
    question.state.effort = question.torque;  // as an ideal robot measures
  }
  return questions;
}

}  // namespace spatial_dynamics::cli
