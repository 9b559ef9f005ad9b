#include "spatial_dynamics/dynamics/energy.hpp"

#include "dynamics/textbook_comparison.hpp"
#include "spatial_dynamics/textbook/energy.hpp"

namespace spatial_dynamics::test {
namespace {

class Energy : public TextbookComparison {};
INSTANTIATE_TEST_SUITE_P(Robots, Energy, ::testing::ValuesIn(all_robots()), robot_name);

TEST_P(Energy, MatchesTextbook) {
  const State s = random_state();
  EXPECT_EQ(kinetic_energy(model, fast, s.q, s.v), kinetic_energy(model, data, s.q, s.v));
  EXPECT_EQ(potential_energy(model, fast, s.q), potential_energy(model, data, s.q));
  EXPECT_EQ(center_of_mass(model, fast, s.q), center_of_mass(model, data, s.q));
  EXPECT_EQ(centroidal_momentum(model, fast, s.q, s.v).vector(),
            centroidal_momentum(model, data, s.q, s.v).vector());
}

TEST_P(Energy, KineticEnergyIsHalfOfVelocityTimesMassMatrixTimesVelocity) {
  const State s = random_state();
  const double expected = 0.5 * s.v.dot(mass_matrix(model, fast, s.q) * s.v);
  EXPECT_NEAR(kinetic_energy(model, fast, s.q, s.v), expected, rounding(expected));
}

}  // namespace
}  // namespace spatial_dynamics::test
