// Kinematics and energies of batches; the contract of all batch functions is in test_batch.cpp.
#include "dynamics/every_batch_function.hpp"

namespace spatial_dynamics::test {
namespace {

class BatchKinematics : public BatchTest {};
INSTANTIATE_TEST_SUITE_P(Robots, BatchKinematics, ::testing::ValuesIn(small_robots()), robot_name);

TEST_P(BatchKinematics, AndEnergiesMatchSingleState) {
  const Index link = model.link_count() - 1;
  for (Index i = 0; i < kStates; ++i) {
    const auto qi = q.col(i), vi = v.col(i), ai = a.col(i);
    const Transform pose = link_pose(model, fast, qi, link);
    const VectorXd seven = link_pose(model, batch, q, link).col(i);
    EXPECT_EQ(seven.head<3>(), pose.position());
    const Quaternion turn(seven(6), seven(3), seven(4), seven(5));
    EXPECT_LT(largest(turn.toRotationMatrix() - pose.rotation()), 1e-14);
    for (const Frame frame : {Frame::kLocal, Frame::kWorld, Frame::kLocalWorldAligned}) {
      EXPECT_EQ(link_velocity(model, batch, q, v, link, frame).col(i),
                link_velocity(model, fast, qi, vi, link, frame).vector());
      EXPECT_EQ(link_acceleration(model, batch, q, v, a, link, frame).col(i),
                link_acceleration(model, fast, qi, vi, ai, link, frame).vector());
    }
    EXPECT_EQ(link_classical_acceleration(model, batch, q, v, a, link).col(i),
              link_classical_acceleration(model, fast, qi, vi, ai, link).vector());
    EXPECT_EQ(kinetic_energy(model, batch, q, v)(i), kinetic_energy(model, fast, qi, vi));
    EXPECT_EQ(potential_energy(model, batch, q)(i), potential_energy(model, fast, qi));
    EXPECT_EQ(center_of_mass(model, batch, q).col(i), center_of_mass(model, fast, qi));
    EXPECT_EQ(centroidal_momentum(model, batch, q, v).col(i),
              centroidal_momentum(model, fast, qi, vi).vector());
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
