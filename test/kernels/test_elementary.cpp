// The vector sin, cos and tanh against the C library's long double functions.
#include <cmath>
#include <limits>

#include "kernels/kernel_table.hpp"
#include "spatial_dynamics/dynamics/isa.hpp"
#include "support/law_test.hpp"

namespace spatial_dynamics::test {
using namespace kernels;  // NOLINT(google-build-using-namespace): what is tested

namespace {

class Elementary : public ::testing::TestWithParam<const KernelTable*> {
 protected:
  struct Errors {
    double absolute = 0.0;
    double relative = 0.0;
  };
  /// The largest errors of sin and cos over these angles, four at a time.
  Errors errors_at(std::vector<double> angles) const {
    while (angles.size() % 4 != 0) angles.push_back(0.0);
    std::vector<double> s(angles.size()), c(angles.size());
    GetParam()->sine_cosine(static_cast<int>(angles.size()), angles.data(), s.data(), c.data());
    Errors worst;
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const auto x = static_cast<long double>(angles[i]);
      note(s[i], std::sin(x), worst);
      note(c[i], std::cos(x), worst);
    }
    return worst;
  }
  static void note(double got, long double exact, Errors& worst) {
    const double error = static_cast<double>(std::abs(static_cast<long double>(got) - exact));
    worst.absolute = std::max(worst.absolute, error);
    if (exact != 0.0L) {
      worst.relative = std::max(worst.relative, error / static_cast<double>(std::abs(exact)));
    }
  }
  static constexpr double kSineBound = 2.3e-16;
  static constexpr double kTangentBound = 4e-16;
};
std::vector<const KernelTable*> tables() {
  std::vector<const KernelTable*> list;
  for (const std::string& isa : available_isas()) list.push_back(kernels_named(isa.c_str()));
  return list;
}
INSTANTIATE_TEST_SUITE_P(Isas, Elementary, ::testing::ValuesIn(tables()), [](const auto& isa) {
  std::string name = isa.param->name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST_P(Elementary, SineAndCosineKeepTheirErrorBoundAroundTheCircle) {
  std::vector<double> angles;
  for (int i = -400000; i <= 400000; ++i) angles.push_back(i * 1.7e-5);
  const Errors worst = errors_at(angles);
  EXPECT_LT(worst.absolute, kSineBound);
  RecordProperty("absolute", std::to_string(worst.absolute * 1e16) + "e-16");
}

TEST_P(Elementary, SineAndCosineKeepTheirErrorBoundFarFromZero) {
  Random random(5);
  std::vector<double> angles;
  for (int i = 0; i < 400000; ++i) {
    angles.push_back(std::exp(uniform(random, 0.0, std::log(1e5))) * (i % 2 == 0 ? 1.0 : -1.0));
  }
  EXPECT_LT(errors_at(angles).absolute, kSineBound);
}

TEST_P(Elementary, SineAndCosineHaveSmallRelativeErrorNearMultiplesOfAQuarterTurn) {
  std::vector<double> angles;
  for (int k = -63661; k <= 63661; k += k < -1000 || k > 1000 ? 17 : 1) {
    double x = static_cast<double>(k * 1.57079632679489661923132169163975144L);
    for (int step = 0; step < 2; ++step) {
      angles.push_back(x);
      angles.push_back(std::nextafter(x, -1e9));
      x = std::nextafter(x, 1e9);
    }
  }
  const Errors worst = errors_at(angles);
  EXPECT_LT(worst.absolute, kSineBound);
  // Where the result is tiny it is r itself, rounded twice.
  EXPECT_LT(worst.relative, 4.5e-16);
}

TEST_P(Elementary, BeyondTheirRangeSineAndCosineEqualTheCLibrary) {
  const double angles[4] = {1.0000001e5, -3e7, 1e22, 1.7e308};
  double s[4], c[4];
  GetParam()->sine_cosine(4, angles, s, c);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(s[i], std::sin(angles[i]));
    EXPECT_EQ(c[i], std::cos(angles[i]));
  }
}

TEST_P(Elementary, OneLargeAngleDoesNotChangeItsNeighbours) {
  const double near[4] = {0.1, 0.2, 0.3, 0.4}, mixed[4] = {0.1, 1e9, 0.3, 0.4};
  double s[4], c[4], s2[4], c2[4];
  GetParam()->sine_cosine(4, near, s, c);
  GetParam()->sine_cosine(4, mixed, s2, c2);
  for (const int i : {0, 2, 3}) {
    EXPECT_EQ(s[i], s2[i]);
    EXPECT_EQ(c[i], c2[i]);
  }
}

TEST_P(Elementary, NaNAndInfinityGiveNaN) {
  const double inf = std::numeric_limits<double>::infinity();
  const double x[4] = {std::numeric_limits<double>::quiet_NaN(), inf, -inf, 0.0};
  double s[4], c[4];
  GetParam()->sine_cosine(4, x, s, c);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(s[i]) && std::isnan(c[i]));
  EXPECT_EQ(s[3], 0.0);
  EXPECT_EQ(c[3], 1.0);
  double t[4];
  GetParam()->hyperbolic_tangent(4, x, t);
  EXPECT_TRUE(std::isnan(t[0]));
  EXPECT_EQ(t[1], 1.0);
  EXPECT_EQ(t[2], -1.0);
  EXPECT_EQ(t[3], 0.0);
}

TEST_P(Elementary, HyperbolicTangentKeepsItsErrorBound) {
  std::vector<double> x;
  for (int i = -400000; i < 400000; ++i) x.push_back(i * 6e-5);
  for (int i = 0; i < 2000; ++i) x.push_back(std::pow(10.0, -0.01 * i));
  for (int i = 0; i < 300; i += 2) x.push_back(-std::pow(10.0, i));
  while (x.size() % 4 != 0) x.push_back(0.0);
  std::vector<double> t(x.size());
  GetParam()->hyperbolic_tangent(static_cast<int>(x.size()), x.data(), t.data());
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double exact = std::tanh(static_cast<long double>(x[i]));
    worst = std::max(worst, static_cast<double>(std::abs(static_cast<long double>(t[i]) - exact)));
  }
  EXPECT_LT(worst, kTangentBound);
}

}  // namespace
}  // namespace spatial_dynamics::test
