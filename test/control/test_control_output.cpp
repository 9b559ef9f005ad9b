#include "spatial_dynamics/control/control_output.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace spatial_dynamics::test {
namespace {

TEST(Outputs, EveryPhaseAndFaultHasUniqueText) {
  std::set<std::string> words;
  for (int phase = 0; phase <= static_cast<int>(Phase::kRampingDown); ++phase) {
    words.insert(to_string(static_cast<Phase>(phase)));
  }
  for (int bit = 0; bit < 12; ++bit) words.insert(to_string(static_cast<Fault>(1u << bit)));
  EXPECT_EQ(words.size(), 18u);
  EXPECT_EQ(words.count("unknown"), 0u);
}

TEST(Outputs, FaultsAreBits) {
  const Faults faults =
      static_cast<Faults>(Fault::kSaturated) | static_cast<Faults>(Fault::kSingular);
  EXPECT_TRUE(has(faults, Fault::kSaturated));
  EXPECT_TRUE(has(faults, Fault::kSingular));
  EXPECT_FALSE(has(faults, Fault::kNonFinite));
}

}  // namespace
}  // namespace spatial_dynamics::test
