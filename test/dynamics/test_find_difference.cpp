#include <limits>

#include "kernels/kernel_test.hpp"
#include "spatial_dynamics/dynamics/generated_library.hpp"

namespace spatial_dynamics::test {
namespace {

class FindDifference : public ::testing::Test {
 protected:
  static std::string folder() { return ::testing::TempDir() + "generated"; }

  Random random{3};
  Model model = random_tree(random, {3});
  GeneratedLibrary library = GeneratedLibrary::build(model, {}, folder());
  GeneratedFunctions functions = library.functions();
};

TEST_F(FindDifference, FindsNoneInTheCodeOfTheSameRobot) {
  EXPECT_EQ(find_difference(functions, model), "");
}

TEST_F(FindDifference, RejectsTheCodeOfAnotherRobot) {
  const Model other = random_tree(random, {3});
  EXPECT_NE(find_difference(functions, other).find("differs from the loop kernel"),
            std::string::npos);
}

TEST_F(FindDifference, RejectsTheCodeOfARobotOfAnotherSize) {
  const Model larger = random_tree(random, {5});
  EXPECT_NE(find_difference(functions, larger).find("degrees of freedom"), std::string::npos);
}

TEST_F(FindDifference, DetectsAChangedMass) {
  Model heavier = model;
  heavier.set_payload(model.link_count() - 1,
                      Inertia(1e-6, Vector3::Zero(), 1e-6 * Matrix3::Identity()));
  EXPECT_NE(find_difference(functions, heavier), "");
}

/// Each function is replaced by a function that computes nothing, and its name must be in the
/// message.
TEST_F(FindDifference, DetectsAnySingleWrongFunction) {
  const auto expect_named = [this](const GeneratedFunctions& wrong, const std::string& name) {
    const std::string found = find_difference(wrong, model);
    EXPECT_EQ(found.find("generated " + name + " differs"), 0u) << found;
  };
  GeneratedFunctions wrong = functions;
  wrong.inverse_dynamics = [](const double*, const double*, const double*, const double*,
                              const double*, const double*, double* tau) noexcept { *tau = 0.0; };
  expect_named(wrong, "inverse dynamics");
  wrong = functions;
  wrong.mass_matrix = [](const double*, const double*, double* M) noexcept { *M = 0.0; };
  expect_named(wrong, "mass matrix");
  wrong = functions;
  wrong.forward_dynamics = [](const double*, const double*, const double*, const double*,
                              const double*, const double*, double* a) noexcept {
    *a = std::numeric_limits<double>::quiet_NaN();
    return 1;
  };
  expect_named(wrong, "forward dynamics");
  wrong = functions;
  wrong.inverse_dynamics_batch = [](int, const double*, const double*, const double*, const double*,
                                    const double*, const double*,
                                    double* tau) noexcept { *tau = 0.0; };
  expect_named(wrong, "inverse dynamics of a batch");
  wrong = functions;
  wrong.mass_matrix_batch = [](int, const double*, const double*, double* M) noexcept { *M = 0.0; };
  expect_named(wrong, "mass matrix of a batch");
  wrong = functions;
  wrong.forward_dynamics_batch = [](int, const double*, const double*, const double*, const double*,
                                    const double*, const double*, double* a) noexcept {
    *a = 0.0;
    return 0;
  };
  expect_named(wrong, "forward dynamics of a batch");
}

TEST_F(FindDifference, DetectsIgnoredWrenches) {
  static GeneratedFunctions right;
  right = functions;
  GeneratedFunctions wrong = functions;
  wrong.inverse_dynamics = [](const double* q, const double* v, const double* a, const double* g,
                              const double* payload, const double*, double* tau) noexcept {
    right.inverse_dynamics(q, v, a, g, payload, nullptr, tau);
  };
  EXPECT_NE(find_difference(wrong, model).find("inverse dynamics with external wrenches"),
            std::string::npos);
}

TEST_F(FindDifference, DetectsAnIgnoredPayload) {
  static GeneratedFunctions right;
  right = functions;
  GeneratedFunctions wrong = functions;
  wrong.mass_matrix_batch = [](int states, const double* q, const double*, double* M) noexcept {
    right.mass_matrix_batch(states, q, nullptr, M);
  };
  EXPECT_NE(find_difference(wrong, model)
                .find("mass matrix of a batch with external wrenches and a payload"),
            std::string::npos);
}

TEST_F(FindDifference, DetectsAPayloadOnAnotherLink) {
  const std::string first = model.link(1).name;
  ASSERT_NE(last_moving_link(model), 1);
  const GeneratedLibrary of_first = GeneratedLibrary::build(model, {"", first}, folder());
  EXPECT_EQ(find_difference(of_first.functions(), model, first), "");
  EXPECT_NE(find_difference(of_first.functions(), model).find("and a payload"), std::string::npos);
}

TEST_F(FindDifference, OfARobotWithPayloadIncludesIt) {
  Model loaded = model;
  loaded.set_payload(last_moving_link(model), Inertia(1.0, Vector3::Zero(), Matrix3::Identity()));
  const GeneratedLibrary of_loaded = GeneratedLibrary::build(loaded, {}, folder());
  EXPECT_EQ(find_difference(of_loaded.functions(), loaded), "");
}

}  // namespace
}  // namespace spatial_dynamics::test
