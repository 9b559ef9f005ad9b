#include "support/random_tree.hpp"

#include <Eigen/Eigenvalues>

#include "spatial_dynamics/model/configuration.hpp"

namespace spatial_dynamics::test {

double uniform(Random& random, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(random);
}

Vector3 random_vector3(Random& random) {
  const double x = uniform(random, -1, 1), y = uniform(random, -1, 1), z = uniform(random, -1, 1);
  return {x, y, z};
}

Vector3 random_unit_vector(Random& random) {
  Vector3 v = random_vector3(random);
  while (v.norm() < 0.1 || v.norm() > 1.0) v = random_vector3(random);
  return v.normalized();
}

VectorXd random_vector(Random& random, Index size) {
  VectorXd v(size);
  for (Index i = 0; i < size; ++i) v(i) = uniform(random, -1, 1);
  return v;
}

Matrix3 random_rotation(Random& random) {
  const double angle = uniform(random, -3.0, 3.0);
  return Eigen::AngleAxisd(angle, random_unit_vector(random)).toRotationMatrix();
}

MassProperties random_mass_properties(Random& random) {
  const double mass = uniform(random, 0.1, 3.0);
  const double x = uniform(random, 0.05, 0.5), y = uniform(random, 0.05, 0.5),
               z = uniform(random, 0.05, 0.5);
  const Vector3 moments = mass / 12.0 * Vector3(y * y + z * z, z * z + x * x, x * x + y * y);
  const Matrix3 R = random_rotation(random);
  return {mass, 0.3 * random_vector3(random), R * moments.asDiagonal() * R.transpose()};
}

Motion random_motion(Random& random) {
  const Vector3 angular = random_vector3(random);
  return {angular, random_vector3(random)};
}

Force random_force(Random& random) {
  const Vector3 moment = random_vector3(random);
  return {moment, random_vector3(random)};
}

Transform random_transform(Random& random) {
  const Matrix3 rotation = random_rotation(random);
  return Transform::from_pose(rotation, random_vector3(random));
}

namespace {

JointType random_type(Random& random, bool multi_dof) {
  const int kind = std::uniform_int_distribution<int>(0, multi_dof ? 7 : 5)(random);
  if (kind <= 2) return JointType::kRevolute;
  if (kind == 3) return JointType::kContinuous;
  if (kind <= 5) return JointType::kPrismatic;
  return kind == 6 ? JointType::kPlanar : JointType::kFloating;
}

bool chance(Random& random, double probability) { return uniform(random, 0, 1) < probability; }

void add_dissipation(Random& random, JointDescription& joint) {
  joint.damping = uniform(random, 0.0, 0.5);
  joint.friction = uniform(random, 0.0, 0.3);
  joint.armature = uniform(random, 0.0, 0.1);
}

}  // namespace

ModelBuilder random_tree_builder(Random& random, const RandomTreeOptions& options) {
  ModelBuilder builder("random");
  builder.add_link("link0", random_mass_properties(random));
  std::vector<std::string> links{"link0"};
  std::vector<std::string> single_dof;  // candidates for a leader
  int moving = 0;
  while (moving < options.joints) {
    const std::string number = std::to_string(links.size());
    JointDescription joint;
    joint.name = "joint" + number;
    joint.child = "link" + number;
    // Mostly one of the last few links, so that trees are deep as well as wide.
    const int newest = static_cast<int>(links.size()) - 1;
    const int oldest = std::max(0, newest - 4);
    joint.parent =
        links[static_cast<std::size_t>(std::uniform_int_distribution<int>(oldest, newest)(random))];
    joint.origin = random_transform(random);
    joint.axis = random_unit_vector(random);
    if (options.fixed && chance(random, 0.2)) {
      joint.type = JointType::kFixed;
    } else {
      joint.type = random_type(random, options.multi_dof);
      if (options.dissipation) add_dissipation(random, joint);
      const bool single = velocity_count(joint.type) == 1;
      if (options.mimic && single && !single_dof.empty() && chance(random, 0.4)) {
        const auto last = static_cast<int>(single_dof.size()) - 1;
        const int leader = std::uniform_int_distribution<int>(0, last)(random);
        joint.mimic = MimicDescription{single_dof[static_cast<std::size_t>(leader)],
                                       uniform(random, 0.3, 1.5), uniform(random, -0.5, 0.5)};
      }
      if (single) single_dof.push_back(joint.name);
      ++moving;
    }
    builder.add_link(joint.child, random_mass_properties(random));
    links.push_back(joint.child);
    builder.add_joint(joint);
  }
  return builder;
}

Model random_tree(Random& random, const RandomTreeOptions& options) {
  BuildOptions build;
  build.floating_base = options.floating_base;
  return random_tree_builder(random, options).build(build);
}

VectorXd random_configuration(Random& random, const Model& model) {
  // From the neutral one along a random velocity: stays on the space of configurations.
  const VectorXd v = random_vector(random, model.nv());
  VectorXd q = neutral_configuration(model);
  integrate(model, q, v, 2.0, q);
  return q;
}

double condition_number(const MatrixXd& M) {
  if (M.rows() == 0) return 1.0;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(M, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().maxCoeff() / solver.eigenvalues().minCoeff();
}

}  // namespace spatial_dynamics::test
