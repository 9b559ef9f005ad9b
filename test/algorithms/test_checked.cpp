#include "spatial_dynamics/algorithms/checked.hpp"

#include <stdexcept>

#include "spatial_dynamics/algorithms/inverse_dynamics.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
namespace {

class Checked : public ::testing::Test {
 protected:
  Random random{1};
  Model model = random_tree(random, {3});
  Data data{model};
  VectorXd good = VectorXd::Zero(3), wrong = VectorXd::Zero(2);
};

TEST_F(Checked, AnswersAsTheUncheckedFunction) {
  const VectorXd expected = inverse_dynamics(model, data, good, good, good);
  EXPECT_EQ(checked::inverse_dynamics(model, data, good, good, good), expected);
  EXPECT_NO_THROW(checked::forward_dynamics(model, data, good, good, good));
  EXPECT_NO_THROW(checked::bias_torque(model, data, good, good));
  EXPECT_NO_THROW(checked::gravity_torque(model, data, good));
  EXPECT_NO_THROW(checked::mass_matrix(model, data, good));
  EXPECT_NO_THROW(checked::coriolis_matrix(model, data, good, good));
}

TEST_F(Checked, RefusesEveryArgumentOfTheWrongSize) {
  EXPECT_THROW(checked::inverse_dynamics(model, data, wrong, good, good), std::invalid_argument);
  EXPECT_THROW(checked::inverse_dynamics(model, data, good, wrong, good), std::invalid_argument);
  EXPECT_THROW(checked::inverse_dynamics(model, data, good, good, wrong), std::invalid_argument);
  EXPECT_THROW(checked::forward_dynamics(model, data, wrong, good, good), std::invalid_argument);
  EXPECT_THROW(checked::forward_dynamics(model, data, good, wrong, good), std::invalid_argument);
  EXPECT_THROW(checked::forward_dynamics(model, data, good, good, wrong), std::invalid_argument);
  EXPECT_THROW(checked::bias_torque(model, data, good, wrong), std::invalid_argument);
  EXPECT_THROW(checked::gravity_torque(model, data, wrong), std::invalid_argument);
  EXPECT_THROW(checked::mass_matrix(model, data, wrong), std::invalid_argument);
  EXPECT_THROW(checked::coriolis_matrix(model, data, good, wrong), std::invalid_argument);
}

TEST_F(Checked, RefusesWorkspaceOfAnotherModel) {
  const Model other = random_tree(random, {4});
  Data other_data(other);
  EXPECT_THROW(checked::gravity_torque(model, other_data, good), std::invalid_argument);
  const ExternalForces forces(other);
  EXPECT_THROW(checked::inverse_dynamics(model, data, good, good, good, forces),
               std::invalid_argument);
}

TEST_F(Checked, SentenceNamesModelArgumentAndSizes) {
  try {
    checked::inverse_dynamics(model, data, good, wrong, good);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "model 'random': v has 2 numbers but needs 3.");
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
