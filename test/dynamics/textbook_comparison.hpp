// The functions give the same results as the textbook functions, on every robot.
#pragma once

#include "dynamics/every_function.hpp"

namespace spatial_dynamics::test {

/// `fast` is tested; `data` is the textbook's.
class TextbookComparison : public LawTest {
 protected:
  TextbookComparison() : fast(model, Dense::kAll) { model.set_friction_speed(0.5); }

  /// Relative to the largest number, as in the tests of the kernels.
  static void expect_near(const MatrixXd& value, const MatrixXd& expected, double factor = 1.0) {
    constexpr double kTolerance = 1e-12;
    ASSERT_EQ(value.rows(), expected.rows());
    ASSERT_EQ(value.cols(), expected.cols());
    EXPECT_LE(largest(value - expected), factor * kTolerance * (1e-3 + largest(expected)));
  }
  Data fast;
};

}  // namespace spatial_dynamics::test
