#include "spatial_dynamics/textbook/operator_factorisation.hpp"

#include <Eigen/Cholesky>

#include "spatial_dynamics/textbook/body_inertias.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"
#include "spatial_dynamics/textbook/mass_matrix.hpp"
#include "textbook/free_of_mimic.hpp"

namespace spatial_dynamics::test {
namespace {

MatrixXd one(Index n) { return MatrixXd::Identity(n, n); }

/// Tests of dense operators, which would take minutes for hundreds of bodies.
class SOAOperators : public LawTest {
 protected:
  SOAOperators() : q(random_configuration(random, model)), o(spatial_operators(model, data, q)) {}
  /// The rounding error of sums over all bodies of numbers of this size.
  double tolerance(double scale) const {
    return rounding(scale) * static_cast<double>(model.body_count());
  }
  VectorXd q;
  textbook::SpatialOperators o;
};
INSTANTIATE_TEST_SUITE_P(Robots, SOAOperators, ::testing::ValuesIn(small_robots_free_of_mimic()),
                         robot_name);

TEST_P(SOAOperators, PhiTransformsVelocitiesOutwardAndForcesInward) {
  const VectorXd v = random_vector(random, model.nv());
  const VectorXd V = o.phi.transpose() * (o.H.transpose() * v);
  forward_kinematics(model, data, q, v);
  for (Index i = 1; i < model.body_count(); ++i) {
    const Vector6 expected = data.v[to_size(i)].vector();
    EXPECT_LT((V.segment<6>(6 * (i - 1)) - expected).norm(), tolerance(expected.norm()));
  }
  EXPECT_LT(largest(o.phi * (one(o.E.rows()) - o.E) - one(o.E.rows())), tolerance(largest(o.phi)));
}

TEST_P(SOAOperators, TheMassMatrixIsHPhiMPhiH) {
  // Track 4, the Newton-Euler factorisation; the rotors' inertia is a separate term.
  const MatrixXd M = mass_matrix(model, data, q);
  const MatrixXd A = o.H * o.phi;
  EXPECT_LT(largest(A * o.inertia * A.transpose() + o.armature - M), tolerance(largest(M)));
}

TEST_P(SOAOperators, CompositeInertiasSolveLyapunovsEquationAndDecomposeTheMassMatrix) {
  // Track 5: M = R - E R E*, and M(q) = H (R + phi~ R + R phi~*) H* with phi~ = phi - 1.
  composite_inertias(model, data, q);
  MatrixXd R = MatrixXd::Zero(o.E.rows(), o.E.cols());
  for (Index i = 1; i < model.body_count(); ++i) {
    R.block<6, 6>(6 * (i - 1), 6 * (i - 1)) = data.Ic[to_size(i)].matrix();
  }
  // E R E* has blocks between siblings too; only its block diagonal is the sum over children.
  MatrixXd carried = o.E * R * o.E.transpose();
  const MatrixXd rest = R - o.inertia - carried;
  for (Index i = 1; i < model.body_count(); ++i) {
    const Matrix6 block = rest.block<6, 6>(6 * (i - 1), 6 * (i - 1));
    EXPECT_LT(largest(block), tolerance(largest(R)));
  }
  const MatrixXd phi_rest = o.phi - one(o.E.rows());
  const MatrixXd M = mass_matrix(model, data, q);
  const MatrixXd sum = R + phi_rest * R + R * phi_rest.transpose();
  EXPECT_LT(largest(o.H * sum * o.H.transpose() + o.armature - M), tolerance(largest(M)));
}

TEST_P(SOAOperators, ArticulatedInertiasSolveRiccatisEquation) {
  // Track 6: P = M + E (P - P H* D^-1 H P) E*, on the block diagonal.
  const MatrixXd PH = o.P * o.H.transpose();
  const MatrixXd felt = o.P - PH * o.D.llt().solve(PH.transpose());
  const MatrixXd rest = o.P - o.inertia - o.E * felt * o.E.transpose();
  for (Index i = 1; i < model.body_count(); ++i) {
    const Matrix6 block = rest.block<6, 6>(6 * (i - 1), 6 * (i - 1));
    EXPECT_LT(largest(block), tolerance(largest(o.P)));
  }
  EXPECT_LT(largest(o.D - o.H * o.P * o.H.transpose() - o.armature), tolerance(largest(o.P)));
}

TEST_P(SOAOperators, PhiAndPsiAreRelatedByTheGain) {
  // Track 7: psi^-1 = phi^-1 + K H, so that phi - psi = psi K H phi and (1 - H psi K) H phi = H
  // psi.
  const double scale = largest(o.phi) * (1.0 + largest(o.psi)) * (1.0 + largest(o.K));
  EXPECT_LT(largest(o.phi - o.psi - o.psi * o.K * (o.H * o.phi)), tolerance(scale));
  const MatrixXd N = one(model.nv()) - o.H * o.psi * o.K;
  EXPECT_LT(largest(N * o.H * o.phi - o.H * o.psi), tolerance(scale));
}

TEST_P(SOAOperators, EqualTheRecursions) {
  const textbook::MassMatrixFactors f = factorise_mass_matrix(model, data, q);
  const MatrixXd L = one(model.nv()) + o.H * o.phi * o.K;
  const MatrixXd N = one(model.nv()) - o.H * o.psi * o.K;
  EXPECT_LT(largest(f.L - L), tolerance(largest(L)));
  EXPECT_LT(largest(f.L_inverse - N), tolerance(largest(N)));
  EXPECT_EQ(largest(f.D - o.D), 0.0);
}

class SOAFactorisation : public LawTest {
 protected:
  SOAFactorisation() : q(random_configuration(random, model)), M(mass_matrix(model, data, q)) {}
  VectorXd q;
  MatrixXd M;
};
INSTANTIATE_TEST_SUITE_P(Robots, SOAFactorisation, ::testing::ValuesIn(robots_free_of_mimic()),
                         robot_name);

TEST_P(SOAFactorisation, TheMassMatrixIsTheProductOfItsFactors) {
  const textbook::MassMatrixFactors f = factorise_mass_matrix(model, data, q);
  EXPECT_LT(largest(f.L * f.D * f.L.transpose() - M), rounding(largest(M)));
  EXPECT_EQ(f.D.llt().info(), Eigen::Success);
}

TEST_P(SOAFactorisation, TheInverseFactorIsTheInverseOfTheFactor) {
  const textbook::MassMatrixFactors f = factorise_mass_matrix(model, data, q);
  // The product's terms are as large as both factors together.
  const double scale = largest(f.L.cwiseAbs() * f.L_inverse.cwiseAbs());
  EXPECT_LT(largest(f.L * f.L_inverse - one(model.nv())), rounding(scale));
}

TEST_P(SOAFactorisation, TheInverseOfTheMassMatrixEqualsTheCholeskySolution) {
  const textbook::MassMatrixFactors f = factorise_mass_matrix(model, data, q);
  const MatrixXd expected = M.llt().solve(one(model.nv()));
  const double tolerance =
      100.0 * kEpsilon * static_cast<double>(model.nv()) * condition_number(M) * largest(expected);
  const MatrixXd by_factors = f.L_inverse.transpose() * f.D.llt().solve(f.L_inverse);
  EXPECT_LT(largest(by_factors - expected), tolerance);
}

TEST(SOAFactorisation, IsRejectedForMimicJoints) {
  RandomTreeOptions options;
  options.mimic = true;
  Random random(3);
  Model model = random_tree(random, options);
  while (!model.has_mimic()) model = random_tree(random, options);
  textbook::Data data(model);
  const VectorXd q = random_configuration(random, model);
  for (const bool factors : {true, false}) {
    try {
      if (factors) {
        factorise_mass_matrix(model, data, q);
      } else {
        spatial_operators(model, data, q);
      }
      FAIL();
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("mimic"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find(model.name()), std::string::npos);
    }
  }
}

TEST(SOAFactorisation, IsRejectedWhereAJointMovesNoInertia) {
  const Model model = massless_hinge();
  textbook::Data data(model);
  EXPECT_THROW(factorise_mass_matrix(model, data, VectorXd::Zero(1)), std::invalid_argument);
  EXPECT_THROW(factorise_mass_matrix(model, data, VectorXd::Zero(2)), std::invalid_argument);
}

}  // namespace
}  // namespace spatial_dynamics::test
