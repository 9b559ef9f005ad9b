#include "spatial_dynamics/textbook/regressor.hpp"

#include "spatial_dynamics/textbook/inverse_dynamics.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

class Regressor : public LawTest {
 protected:
  MatrixXd compute(const State& s) {
    MatrixXd Y(model.nv(), kInertialParameters * model.link_count());
    regressor(model, data, s.q, s.v, s.a, Y);
    return Y;
  }
  /// Inverse dynamics of the links only.
  VectorXd rigid_torque(const State& s) {
    VectorXd tau = inverse_dynamics(model, data, s.q, s.v, s.a) - friction_torque(model, data, s.v);
    for (Index i = 1; i < model.body_count(); ++i) {
      const Joint& joint = model.joint(i);
      tau.segment(joint.v_index, joint.nv) -=
          joint.armature * joint.ratio * joint.ratio * s.a.segment(joint.v_index, joint.nv);
    }
    return tau;
  }
};
INSTANTIATE_TEST_SUITE_P(Robots, Regressor, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Regressor, TimesTheParametersIsInverseDynamics) {
  for (int trial = 0; trial < 3; ++trial) {
    const State s = random_state();
    const VectorXd tau = rigid_torque(s);
    EXPECT_LT(largest(compute(s) * link_parameters(model) - tau),
              rounding(largest(tau) + 10.0 * model.total_mass()));
  }
}

TEST_P(Regressor, HoldsForAnyParameters) {
  // Payloads change only the parameters.
  const State s = random_state();
  VectorXd p = link_parameters(model);
  const MatrixXd before = compute(s);
  for (Index l = 0; l < model.link_count(); l += 2) {
    const MassProperties mass = random_mass_properties(random);
    const Inertia payload = Inertia::from_com(mass.mass, mass.com, mass.inertia_about_com);
    model.set_payload(l, payload);
    p.segment<kInertialParameters>(kInertialParameters * l) += inertial_parameters(payload);
  }
  const MatrixXd Y = compute(s);
  EXPECT_EQ(largest(Y - before), 0.0);
  const VectorXd tau = rigid_torque(s);
  EXPECT_LT(largest(Y * p - tau), rounding(largest(tau) + 10.0 * model.total_mass()));
}

TEST(RegressorParameters, AreInTheDocumentedOrder) {
  Matrix3 I;
  I << 5, 6, 7, 6, 8, 9, 7, 9, 10;
  const Inertia inertia(1.0, {2, 3, 4}, I);
  InertialParameters expected;
  expected << 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
  EXPECT_EQ(inertial_parameters(inertia), expected);
  const Inertia back = inertia_from_parameters(expected);
  EXPECT_EQ(back.mass, 1.0);
  EXPECT_EQ(back.h, inertia.h);
  EXPECT_EQ(back.I, I);
}

TEST(RegressorParameters, OfALinkAreAboutItsOriginNotItsCentre) {
  const Model model =
      ModelBuilder("link").add_link("link", {2.0, {0, 0, 3}, Matrix3::Identity()}).build();
  const VectorXd p = link_parameters(model);
  EXPECT_EQ(p(3), 6.0);   // hz = m c
  EXPECT_EQ(p(4), 19.0);  // Ixx = 1 + m c^2
  EXPECT_EQ(p(9), 1.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
