// The same answers whichever implementation computes them.
#include <gtest/gtest.h>

#include "arm_state.hpp"

namespace spatial_dynamics::test {
namespace {

/// Largest difference of two arrays (of arrays) of numbers, over the largest number.
double difference(const Json& a, const Json& b) {
  double worst = 0.0, size = 0.0;
  const Json left = a.flatten(), right = b.flatten();
  EXPECT_EQ(left.size(), right.size());
  for (auto it = left.begin(); it != left.end(); ++it) {
    const double x = it.value().get<double>(), y = right.at(it.key()).get<double>();
    worst = std::max(worst, std::abs(x - y));
    size = std::max(size, std::abs(y));
  }
  return worst / size;
}

class BackendTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backends, BackendTest, ::testing::Values("kernel", "batch", "generated"));

TEST_P(BackendTest, AnswersAsTheTextbookDoes) {
  ArmState s;
  Json line = s.line();
  line["want"] = Json::parse(R"(["id","fd","mass_matrix","gravity"])");
  const Json expected = answer({shipped_urdf("arm7")}, line);
  const Json got = answer({shipped_urdf("arm7"), "--backend", GetParam()}, line);
  for (const char* want : {"id", "fd", "mass_matrix", "gravity"}) {
    EXPECT_LT(difference(got.at(want), expected.at(want)), 1e-11) << want;
  }
}

TEST_P(BackendTest, TakesWrenches) {
  ArmState s;
  Json line = s.line();
  line["want"] = Json::parse(R"(["id","fd"])");
  const Json alone = answer({shipped_urdf("arm7")}, line);
  line["wrenches"] = Json{{"flange", {1.0, 2.0, 3.0, 0.1, 0.2, 0.3}}};
  const Json expected = answer({shipped_urdf("arm7")}, line);
  const Json got = answer({shipped_urdf("arm7"), "--backend", GetParam()}, line);
  for (const char* want : {"id", "fd"}) {
    EXPECT_GT(difference(alone.at(want), expected.at(want)), 1e-3) << want;
    EXPECT_LT(difference(got.at(want), expected.at(want)), 1e-11) << want;
  }
}

TEST(Generate, AFolderThatCantBeMadeIsNamedWithTheRemedy) {
  const Outcome result = run_cli({"generate", shipped_urdf("arm7"), "-o", "/proc/nowhere"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.errors.find("'/proc/nowhere'"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("-o"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test
