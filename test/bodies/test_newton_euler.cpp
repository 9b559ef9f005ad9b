// [L4]: momentum, Steiner's theorem, the equation of motion in any frame, and recursive
// Newton-Euler in both notations.
#include "spatial_dynamics/bodies/newton_euler.hpp"

#include <gtest/gtest.h>

#include "bodies/counted.hpp"
#include "spatial_dynamics/spatial/inertia.hpp"
#include "spatial_dynamics/spatial/rotation.hpp"
#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "support/constants.hpp"
#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(L4, MomentumTransformsLikeAForceAndInertiaByItsTwoTransforms) {
  Random random(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    const MassProperties p = random_mass_properties(random);
    const Inertia at_c = Inertia::from_com(p.mass, Vector3::Zero(), p.inertia_about_com);
    const Transform X = random_transform(random);  // from C to A
    const Motion v = random_motion(random);        // in C
    const Force h = at_c * v;
    EXPECT_LT((h.moment - p.inertia_about_com * v.angular).norm(), kRounding);
    EXPECT_LT((h.force - p.mass * v.linear).norm(), kRounding);
    const Matrix6 at_a = X.force_matrix() * at_c.matrix() * X.inverse().motion_matrix();
    EXPECT_LT((at_a - to_child(X, at_c).matrix()).norm(), kRounding);
    EXPECT_LT((at_a * (X * v).vector() - X.apply_star(h).vector()).norm(), kRounding);
  }
}

TEST(L4, SteinersTheoremIsTheAngularBlockOfAMovedInertia) {
  Random random(2);
  for (int trial = 0; trial < kTrials; ++trial) {
    const MassProperties p = random_mass_properties(random);
    const Inertia at_c = Inertia::from_com(p.mass, Vector3::Zero(), p.inertia_about_com);
    const Matrix6 at_a = to_child(Transform::translation(-p.com), at_c).matrix();
    const Matrix3 S = skew(p.com);
    Matrix6 expected;
    expected << p.inertia_about_com + p.mass * S * S.transpose(), p.mass * S,
        p.mass * S.transpose(), p.mass * Matrix3::Identity();
    EXPECT_LT((at_a - expected).norm(), kRounding);
  }
}

TEST(L4, TheEquationOfMotionHoldsInAnyFrame) {
  // Newton and Euler at the centre of mass, transformed to any frame, give I a + v x* I v there.
  Random random(3);
  for (int trial = 0; trial < kTrials; ++trial) {
    const MassProperties p = random_mass_properties(random);
    const Inertia at_c = Inertia::from_com(p.mass, Vector3::Zero(), p.inertia_about_com);
    const Motion v = random_motion(random), a = random_motion(random);
    const Vector3 acceleration = a.linear + v.angular.cross(v.linear);  // of the point C
    const Force f(
        p.inertia_about_com * a.angular + v.angular.cross(p.inertia_about_com * v.angular),
        p.mass * acceleration);
    const Transform X = random_transform(random);
    const Inertia I = to_child(X, at_c);
    const Force in_a = I * (X * a) + cross_star(X * v, I * (X * v));
    EXPECT_LT((in_a - X.apply_star(f)).vector().norm(), kRounding);
  }
}

TEST(L4, TheForceIsTheRateOfMomentumSeenFromTheGround) {
  Random random(4);
  constexpr double kStep = 1e-5;
  for (int trial = 0; trial < kTrials; ++trial) {
    const MassProperties p = random_mass_properties(random);
    const Inertia body = Inertia::from_com(p.mass, p.com, p.inertia_about_com);
    const Transform X = random_transform(random);  // from the ground to the body
    const Motion v = random_motion(random), a = random_motion(random);
    // Along the path X(t), exact to second order: v(t) = v + a t in the body's frame.
    const auto momentum = [&](double t) {
      const Transform at = exp_motion(t * v + (0.5 * t * t) * a) * X;
      return at.apply_transpose(body * (v + t * a)).vector();
    };
    const Vector6 rate = (momentum(kStep) - momentum(-kStep)) / (2 * kStep);
    const Force f = X.apply_transpose(body * a + cross_star(v, body * v));
    EXPECT_LT((rate - f.vector()).norm(), 1e-8);  // of a central difference
  }
}

/// A random tree of single joints, as a model and in the numbering of the lecture.
struct Tree {
  Model model;
  std::vector<TreeBody> bodies;
};
Tree random_tree_of(Random& random, int joints, bool revolute_chain = false) {
  ModelBuilder builder("tree");
  builder.add_link("link0");
  std::vector<TreeBody> bodies;
  for (int i = 0; i < joints; ++i) {
    const int parent = revolute_chain || i == 0
                           ? i - 1
                           : std::uniform_int_distribution<int>(std::max(-1, i - 4), i - 1)(random);
    const bool prismatic = !revolute_chain && uniform(random, 0, 1) < 0.3;
    const MassProperties mass = random_mass_properties(random);
    const Transform placement = random_transform(random);
    const Vector3 axis = random_unit_vector(random);
    bodies.push_back(
        {parent, prismatic, placement, axis, mass.mass, mass.com, mass.inertia_about_com});
    JointDescription joint;
    joint.name = "joint" + std::to_string(i + 1);
    joint.type = prismatic ? JointType::kPrismatic : JointType::kContinuous;
    joint.parent = "link" + std::to_string(parent + 1);
    joint.child = "link" + std::to_string(i + 1);
    joint.origin = placement;
    joint.axis = axis;
    builder.add_link(joint.child, mass).add_joint(joint);
  }
  return {builder.build(), bodies};
}

std::vector<double> random_numbers(Random& random, std::size_t n) {
  std::vector<double> numbers(n);
  for (double& x : numbers) x = uniform(random, -1, 1);
  return numbers;
}

/// Numbers by body, in the model's order: depth first, by the joint's name.
VectorXd in_order_of(const Model& model, const std::vector<double>& by_body) {
  VectorXd x(model.nv());
  for (std::size_t i = 0; i < by_body.size(); ++i) {
    x(model.joint(model.find_joint("joint" + std::to_string(i + 1))).v_index) = by_body[i];
  }
  return x;
}

TEST(L4, BothTreatmentsOfGravityGiveTheSameTorques) {
  Random random(5);
  for (const int joints : {1, 2, 6, 15}) {
    const Tree tree = random_tree_of(random, joints);
    const auto n = static_cast<std::size_t>(joints);
    const std::vector<double> q = random_numbers(random, n), v = random_numbers(random, n),
                              a = random_numbers(random, n);
    const Vector3 gravity(1.0, -2.0, -9.0);
    const auto shifted =
        newton_euler_6d(tree.bodies, q, v, a, gravity, GravityTreatment::kAsBaseAcceleration);
    const auto real = newton_euler_6d(tree.bodies, q, v, a, gravity, GravityTreatment::kAsForce);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(shifted.tau[i], real.tau[i],
                  1e-11);  // of weights of up to 400 N on arms of metres
    }
  }
}

TEST(L4, BaseAccelerationShiftsAllAccelerationsByGravity) {
  Random random(6);
  Tree tree = random_tree_of(random, 8);
  const std::vector<double> q = random_numbers(random, 8), v = random_numbers(random, 8),
                            a = random_numbers(random, 8);
  const Vector3 gravity(1.0, -2.0, -9.0);
  const auto shifted =
      newton_euler_6d(tree.bodies, q, v, a, gravity, GravityTreatment::kAsBaseAcceleration);
  const auto real = newton_euler_6d(tree.bodies, q, v, a, gravity, GravityTreatment::kAsForce);
  textbook::Data data(tree.model);
  forward_kinematics(tree.model, data, in_order_of(tree.model, q), in_order_of(tree.model, v),
                     in_order_of(tree.model, a));
  for (std::size_t i = 0; i < 8; ++i) {
    const Index link = tree.model.find_link("link" + std::to_string(i + 1));
    const Transform X = link_transform(tree.model, data, link);
    // a_i = a_i,true - iX0 a_g, and a_i,true = [w'; r'' - w x r'] in the body's frame.
    const Vector6 shift = shifted.acceleration[i] - real.acceleration[i];
    EXPECT_LT((shift + (X * Motion(Vector3::Zero(), gravity)).vector()).norm(), 1e-12);
    const Motion classical = link_classical_acceleration(tree.model, data, link);
    const Motion velocity = link_velocity(tree.model, data, link, Frame::kLocalWorldAligned);
    const Motion expected(X.E * classical.angular,
                          X.E * (classical.linear - velocity.angular.cross(velocity.linear)));
    EXPECT_LT((real.acceleration[i] - expected.vector()).norm(), 1e-11);
  }
}

TEST(L4, OrdinaryVectorsSpatialVectorsAndTheLibraryAgree) {
  Random random(7);
  for (const int joints : {1, 2, 3, 6, 12, 30}) {
    Tree tree = random_tree_of(random, joints);
    const auto n = static_cast<std::size_t>(joints);
    const std::vector<double> q = random_numbers(random, n), v = random_numbers(random, n),
                              a = random_numbers(random, n);
    const Vector3 gravity(0.5, 0.2, -9.8);
    tree.model.set_gravity(gravity);
    textbook::Data data(tree.model);
    const VectorXd tau = inverse_dynamics(tree.model, data, in_order_of(tree.model, q),
                                          in_order_of(tree.model, v), in_order_of(tree.model, a));
    const std::vector<double> plain = newton_euler_3d(tree.bodies, q, v, a, gravity);
    const std::vector<double> spatial =
        newton_euler_6d(tree.bodies, q, v, a, gravity, GravityTreatment::kAsBaseAcceleration).tau;
    // Each level of the tree adds a few rounding errors.
    const double tolerance = 1e-15 * 10 * joints * (1.0 + tau.cwiseAbs().maxCoeff());
    EXPECT_LT((in_order_of(tree.model, plain) - tau).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LT((in_order_of(tree.model, spatial) - tau).cwiseAbs().maxCoeff(), tolerance);
  }
}

/// Operations of one call on a chain of n revolute joints.
template <typename Call>
long operations(int n, Call&& call) {
  Random random(8);
  const Tree tree = random_tree_of(random, n, true);
  const std::vector<Counted> x(static_cast<std::size_t>(n), Counted(0.3));
  Counted::operations = 0;
  call(tree.bodies, x);
  return Counted::operations;
}

TEST(L4, OperationsGrowLinearlyWithTheNumberOfBodies) {
  const Vector3 gravity(0, 0, -9.8);
  const auto spatial = [&](const std::vector<TreeBody>& bodies, const std::vector<Counted>& x) {
    newton_euler_6d(bodies, x, x, x, gravity, GravityTreatment::kAsBaseAcceleration);
  };
  const auto plain = [&](const std::vector<TreeBody>& bodies, const std::vector<Counted>& x) {
    newton_euler_3d(bodies, x, x, x, gravity);
  };
  const long spatial_step = operations(2, spatial) - operations(1, spatial);
  const long plain_step = operations(2, plain) - operations(1, plain);
  EXPECT_GT(plain_step, 100);
  EXPECT_GT(spatial_step, plain_step);  // dense matrices: more operations, less code
  for (const int n : {3, 7, 20, 100}) {
    // Exactly: every further body has the same number of operations.
    EXPECT_EQ(operations(n, spatial), operations(1, spatial) + (n - 1) * spatial_step);
    EXPECT_EQ(operations(n, plain), operations(1, plain) + (n - 1) * plain_step);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
