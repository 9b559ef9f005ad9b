#include "spatial_dynamics/dynamics/kinematics.hpp"

#include "dynamics/textbook_comparison.hpp"
#include "spatial_dynamics/textbook/kinematics.hpp"

namespace spatial_dynamics::test {
namespace {

class Kinematics : public TextbookComparison {};
INSTANTIATE_TEST_SUITE_P(Robots, Kinematics, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Kinematics, MatchTextbook) {
  const State s = random_state();
  forward_kinematics(model, data, s.q, s.v, s.a);
  Matrix6X J(6, model.nv());
  for (Index l = 0; l < model.link_count(); l += 1 + model.link_count() / 4) {
    EXPECT_EQ(link_pose(model, fast, s.q, l).r, link_transform(model, data, l).r);
    for (const Frame frame : {Frame::kLocal, Frame::kWorld, Frame::kLocalWorldAligned}) {
      EXPECT_EQ(link_velocity(model, fast, s.q, s.v, l, frame).vector(),
                link_velocity(model, data, l, frame).vector());
      EXPECT_EQ(link_acceleration(model, fast, s.q, s.v, s.a, l, frame).vector(),
                link_acceleration(model, data, l, frame).vector());
      link_jacobian(model, data, l, frame, J);
      expect_near(jacobian(model, fast, s.q, l, frame), J);
      link_jacobian_derivative(model, data, l, frame, J);
      expect_near(jacobian_rate(model, fast, s.q, s.v, l, frame), J);
    }
    EXPECT_EQ(link_classical_acceleration(model, fast, s.q, s.v, s.a, l).vector(),
              link_classical_acceleration(model, data, l).vector());
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
