// Seeded random robots and states.
#pragma once

#include <random>
#include <string>

#include "spatial_dynamics/model/model_builder.hpp"

namespace spatial_dynamics::test {

using Random = std::mt19937_64;

struct RandomTreeOptions {
  int joints = 7;              ///< moving joints, mimic ones included
  bool multi_dof = false;      ///< planar and floating joints too
  bool fixed = true;           ///< some fixed joints between
  bool mimic = false;          ///< some joints follow others, in chains
  bool floating_base = false;  ///< the root floats
  bool dissipation = true;     ///< damping, Coulomb friction and armature
};

double uniform(Random& random, double lower, double upper);
Vector3 random_vector3(Random& random);
Vector3 random_unit_vector(Random& random);
VectorXd random_vector(Random& random, Index size);
Matrix3 random_rotation(Random& random);
/// Of a random box of 0.1 to 3 kg: always physical.
MassProperties random_mass_properties(Random& random);
Motion random_motion(Random& random);
Force random_force(Random& random);
Transform random_transform(Random& random);

/// A description of a random tree; the same seed gives the same tree.
ModelBuilder random_tree_builder(Random& random, const RandomTreeOptions& options);
Model random_tree(Random& random, const RandomTreeOptions& options);
/// A configuration with unit quaternions where joints float.
VectorXd random_configuration(Random& random, const Model& model);

/// Ratio of largest to smallest eigenvalue of a symmetric matrix.
double condition_number(const MatrixXd& M);

}  // namespace spatial_dynamics::test
