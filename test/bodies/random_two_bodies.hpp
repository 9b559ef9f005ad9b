// Random pairs of hinged bodies, and the same pairs as robots.
#pragma once

#include <Eigen/Eigenvalues>

#include "spatial_dynamics/bodies/two_bodies.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {

inline TwoBodies random_two_bodies(Random& random) {
  const MassProperties first = random_mass_properties(random),
                       second = random_mass_properties(random);
  const Vector3 p = random_vector3(random);
  return {first.mass,
          first.com,
          first.inertia_about_com,
          second.mass,
          second.com,
          second.inertia_about_com,
          p,
          random_unit_vector(random)};
}

inline double condition(const Matrix6& m) {
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(m, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().maxCoeff() / solver.eigenvalues().minCoeff();
}

/// A floating tree of two links without gravity; the first link's frame is that of the pair, s must
/// be a unit vector.
inline Model as_floating_tree(const TwoBodies& b) {
  JointDescription hinge;
  hinge.name = "hinge";
  hinge.type = JointType::kContinuous;
  hinge.parent = "first";
  hinge.child = "second";
  hinge.origin = Transform::translation(b.p);
  hinge.axis = b.s;
  BuildOptions options;
  options.floating_base = true;
  options.gravity = Vector3::Zero();
  return ModelBuilder("two_bodies")
      .add_link("first", {b.m1, b.c1, b.I1})
      .add_link("second", {b.m2, b.c2 - b.p, b.I2})
      .add_joint(hinge)
      .build(options);
}

}  // namespace spatial_dynamics::test
