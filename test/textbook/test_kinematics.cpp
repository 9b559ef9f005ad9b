#include "spatial_dynamics/textbook/kinematics.hpp"

#include "spatial_dynamics/spatial/rotation.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

constexpr double kPoseStep = 1e-4;
constexpr double kPoseTolerance = 1e-5;  // h^2 = 1e-8 times third derivatives along a deep tree
constexpr Frame kFrames[] = {Frame::kLocal, Frame::kWorld, Frame::kLocalWorldAligned};

class Kinematics : public LawTest {
 protected:
  std::vector<Index> some_links() const {
    std::vector<Index> links;
    for (Index l = 0; l < model.link_count(); l += 1 + model.link_count() / 8) links.push_back(l);
    links.push_back(model.link_count() - 1);
    return links;
  }
  Matrix6X jacobian(Index link, Frame frame) {
    Matrix6X J(6, model.nv());
    link_jacobian(model, data, link, frame, J);
    return J;
  }
};
INSTANTIATE_TEST_SUITE_P(Robots, Kinematics, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Kinematics, VelocityIsTheRateOfPose) {
  const State s = random_state();
  for (const Index link : some_links()) {
    const auto pose = [&](double t) {
      forward_kinematics(model, data, moved(s.q, s.v, t));
      return link_transform(model, data, link);
    };
    const Transform before = pose(-kPoseStep), after = pose(kPoseStep);
    // The motion from one pose to the other in the local frame, halfway between them.
    const Motion mean = (1.0 / (2 * kPoseStep)) * log_motion(after * before.inverse());
    forward_kinematics(model, data, s.q, s.v);
    const Motion v = link_velocity(model, data, link, Frame::kLocal);
    EXPECT_LT((v - mean).vector().norm(), kPoseTolerance * (1.0 + v.vector().norm()));
  }
}

TEST_P(Kinematics, JacobianTimesJointVelocityIsLinkVelocity) {
  const State s = random_state();
  forward_kinematics(model, data, s.q, s.v);
  for (const Index link : some_links()) {
    for (const Frame frame : kFrames) {
      const Vector6 v = link_velocity(model, data, link, frame).vector();
      EXPECT_LT((jacobian(link, frame) * s.v - v).norm(), rounding(10 * v.norm()));
    }
  }
}

TEST_P(Kinematics, LocalWorldAlignedIsTheMotionInWorldAxes) {
  const State s = random_state();
  const Index link = model.link_count() - 1;
  const auto position = [&](double t) {
    forward_kinematics(model, data, moved(s.q, s.v, t));
    return link_transform(model, data, link).position();
  };
  const Vector3 rate = (position(kPoseStep) - position(-kPoseStep)) / (2 * kPoseStep);
  forward_kinematics(model, data, s.q, s.v);
  const Motion v = link_velocity(model, data, link, Frame::kLocalWorldAligned);
  EXPECT_LT((v.linear - rate).norm(), kPoseTolerance * (1.0 + rate.norm()));
}

TEST_P(Kinematics, JacobianDerivativeIsItsRate) {
  const State s = random_state();
  for (const Index link : some_links()) {
    for (const Frame frame : kFrames) {
      forward_kinematics(model, data, moved(s.q, s.v, kPoseStep));
      const Matrix6X ahead = jacobian(link, frame);
      forward_kinematics(model, data, moved(s.q, s.v, -kPoseStep));
      const Matrix6X behind = jacobian(link, frame);
      const Matrix6X rate = (ahead - behind) / (2 * kPoseStep);
      forward_kinematics(model, data, s.q, s.v);
      Matrix6X J_dot(6, model.nv());
      link_jacobian_derivative(model, data, link, frame, J_dot);
      EXPECT_LT(largest(J_dot - rate), kPoseTolerance * (1.0 + largest(rate)));
    }
  }
}

TEST_P(Kinematics, AccelerationIsJacobianTimesAccelerationPlusItsRateTimesVelocity) {
  const State s = random_state();
  forward_kinematics(model, data, s.q, s.v, s.a);
  Matrix6X J_dot(6, model.nv());
  for (const Index link : some_links()) {
    for (const Frame frame : kFrames) {
      link_jacobian_derivative(model, data, link, frame, J_dot);
      // In axes that do not rotate with the link, the rate of its velocity is the classical
      // acceleration.
      const Motion a = frame == Frame::kLocalWorldAligned
                           ? link_classical_acceleration(model, data, link)
                           : link_acceleration(model, data, link, frame);
      const Vector6 expected = jacobian(link, frame) * s.a + J_dot * s.v;
      EXPECT_LT((a.vector() - expected).norm(), rounding(100 * expected.norm()));
    }
  }
}

TEST_P(Kinematics, BaseLinksDoNotMove) {
  const State s = random_state();
  forward_kinematics(model, data, s.q, s.v, s.a);
  for (Index l = 0; l < model.link_count(); ++l) {
    if (model.link(l).body != 0) continue;
    EXPECT_EQ(link_velocity(model, data, l, Frame::kLocal).vector().norm(), 0.0);
    EXPECT_EQ(largest(jacobian(l, Frame::kWorld)), 0.0);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
