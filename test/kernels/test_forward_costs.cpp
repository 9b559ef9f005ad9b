#include "kernels/forward_costs.hpp"

#include <gtest/gtest.h>

#include "kernels/kernel_table.hpp"
#include "spatial_dynamics/dynamics/isa.hpp"

namespace spatial_dynamics::test {
using namespace kernels;  // NOLINT(google-build-using-namespace): what is tested

namespace {

/// The number of joints from which on articulated bodies are faster for a chain.
int crossover(const char* isa, bool batch) {
  ForwardWork work;
  for (int joint = 0; joint < 1000; ++joint) {
    work.add_coordinate(joint);
    work.add_joint(joint > 0, 1);
    if (articulated_is_faster(work, isa, batch)) return joint + 1;
  }
  return 0;
}

// Measured: 13, 27 and 26 joints for one state; 10, 9 and 5 to 7 for a batch.
TEST(ForwardCosts, CrossoverOfChainsIsWhereItWasMeasured) {
  EXPECT_NEAR(crossover("x86-64", false), 13, 3);
  EXPECT_NEAR(crossover("x86-64-v3", false), 28, 3);
  EXPECT_NEAR(crossover("x86-64-v4", false), 26, 3);
  EXPECT_NEAR(crossover("x86-64", true), 10, 3);
  EXPECT_NEAR(crossover("x86-64-v3", true), 9, 3);
  EXPECT_NEAR(crossover("x86-64-v4", true), 6, 3);
}

TEST(ForwardCosts, BatchesUseArticulatedBodiesForShorterChains) {
  for (const std::string& isa : available_isas()) {
    EXPECT_LT(crossover(isa.c_str(), true), crossover(isa.c_str(), false)) << isa;
  }
}

TEST(ForwardCosts, OtherInstructionSetsAreAsX86WithoutAvx) {
  EXPECT_EQ(crossover("aarch64", false), crossover("x86-64", false));
  EXPECT_EQ(crossover("portable", true), crossover("x86-64", true));
}

TEST(ForwardCosts, BranchesMakeTheFactorCheaper) {
  ForwardWork chain, limbs;
  for (int joint = 0; joint < 36; ++joint) {
    chain.add_coordinate(joint);
    chain.add_joint(joint > 0, 1);
    limbs.add_coordinate(joint % 6);
    limbs.add_joint(joint % 6 > 0, 1);
  }
  EXPECT_TRUE(articulated_is_faster(chain, "x86-64-v3", false));
  EXPECT_FALSE(articulated_is_faster(limbs, "x86-64-v3", false));
}

}  // namespace
}  // namespace spatial_dynamics::test
