// The fixture of the tests of laws: one robot, and random states of it.
#pragma once

#include <gtest/gtest.h>

#include "spatial_dynamics/model/configuration.hpp"
#include "spatial_dynamics/textbook/data.hpp"
#include "support/random_tree.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {

/// Rounding error of one operation, and of a recursion over a tree of this size: every level of a
/// tree adds a few roundings.
inline constexpr double kEpsilon = 2.3e-16;

class LawTest : public ::testing::TestWithParam<NamedRobot> {
 protected:
  LawTest() : model(GetParam().make()), data(model) {}

  struct State {
    VectorXd q, v, a, tau;
  };
  State random_state() {
    State s;
    s.q = random_configuration(random, model);
    s.v = random_vector(random, model.nv());
    s.a = random_vector(random, model.nv());
    s.tau = 10.0 * random_vector(random, model.nv());
    return s;
  }
  /// Wrenches of about 10 N on a third of the links.
  ExternalForces random_wrenches() {
    ExternalForces forces(model);
    for (Index l = 0; l < model.link_count(); l += 3) {
      forces.add(model, l, 10.0 * random_force(random));
    }
    return forces;
  }
  VectorXd moved(const VectorXd& q, const VectorXd& v, double dt) const {
    VectorXd result(model.nq());
    integrate(model, q, v, dt, result);
    return result;
  }
  /// The rounding error of a number of size `scale` after the recursions over the tree, with a
  /// margin of 100.
  double rounding(double scale) const {
    return 100.0 * kEpsilon * static_cast<double>(model.body_count()) * (1.0 + scale);
  }

  Model model;
  textbook::Data data;
  Random random{20240619};
};

inline std::string robot_name(const ::testing::TestParamInfo<NamedRobot>& info) {
  return info.param.name;
}

inline double largest(const MatrixXd& m) { return m.size() == 0 ? 0.0 : m.cwiseAbs().maxCoeff(); }

}  // namespace spatial_dynamics::test
