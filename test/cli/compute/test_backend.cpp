// All backends compute the same numbers.
#include <gtest/gtest.h>

#include <set>

#include "arm_state.hpp"

namespace spatial_dynamics::test {
namespace {

/// Largest difference of two values, divided by the largest number. Texts must be equal.
double difference(const Json& a, const Json& b) {
  double worst = 0.0, size = 0.0;
  const Json left = a.flatten(), right = b.flatten();
  EXPECT_EQ(left.size(), right.size());
  for (auto it = left.begin(); it != left.end(); ++it) {
    if (!it.value().is_number()) {  // names of links
      EXPECT_EQ(it.value(), right.at(it.key()));
      continue;
    }
    const double x = it.value().get<double>(), y = right.at(it.key()).get<double>();
    worst = std::max(worst, std::abs(x - y));
    size = std::max(size, std::abs(y));
  }
  return worst / size;
}

struct BackendCase {
  const char* name;
  std::set<std::string> computes;  ///< empty: everything
};

class BackendTest : public ::testing::TestWithParam<BackendCase> {};
INSTANTIATE_TEST_SUITE_P(Backends, BackendTest,
                         ::testing::Values(BackendCase{"kernel", {}},
                                           BackendCase{"batch",
                                                       {"id", "fd", "bias", "gravity",
                                                        "mass_matrix", "mass_matrix_inverse"}},
                                           BackendCase{"generated", {"id", "fd", "mass_matrix"}}),
                         [](const auto& backend) { return std::string(backend.param.name); });

TEST_P(BackendTest, ComputesTheNumbersOfTheTextbookOrNamesTheQuantity) {
  const auto& [backend, computes] = GetParam();
  Json line = ArmState().line();
  const Json all = Json::parse(kEverything);
  line["want"] = all;
  const Json expected = answer({shipped_urdf("arm7")}, line);
  std::string lines;
  for (const Json& quantity : all) {
    line["want"] = Json::array({quantity});
    lines += line.dump() + "\n";
  }
  const std::vector<Json> got =
      run_cli({"compute", shipped_urdf("arm7"), "--backend", backend}, lines).lines();
  ASSERT_EQ(got.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string quantity = all[i];
    if (computes.empty() || computes.count(quantity) == 1) {
      EXPECT_LT(difference(got[i].at(quantity), expected.at(quantity)), 1e-10) << quantity;
    } else {
      EXPECT_EQ(got[i].at("error"), "backend " + std::string(backend) + " does not compute " +
                                        quantity + "; use --backend textbook or kernel");
    }
  }
}

TEST_P(BackendTest, IncludesWrenches) {
  ArmState s;
  Json line = s.line();
  line["want"] = Json::parse(R"(["id","fd"])");
  const Json alone = answer({shipped_urdf("arm7")}, line);
  line["wrenches"] = Json{{"flange", {1.0, 2.0, 3.0, 0.1, 0.2, 0.3}}};
  const Json expected = answer({shipped_urdf("arm7")}, line);
  const Json got = answer({shipped_urdf("arm7"), "--backend", GetParam().name}, line);
  for (const char* want : {"id", "fd"}) {
    EXPECT_GT(difference(alone.at(want), expected.at(want)), 1e-3) << want;
    EXPECT_LT(difference(got.at(want), expected.at(want)), 1e-11) << want;
  }
}

TEST(Generate, ErrorNamesUncreatableFolder) {
  const Outcome result = run_cli({"generate", shipped_urdf("arm7"), "-o", "/proc/nowhere"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.errors.find("'/proc/nowhere'"), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find("-o"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace spatial_dynamics::test
