#include "spatial_dynamics/runtime/isa_remark.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "spatial_dynamics/kernels/isa.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(IsaRemark, NamesWhatWasAskedForWhatThereIsAndWhatIsUsed) {
  const std::string used = chosen_isa();  // decided before the variable changes
  ::setenv("SPATIAL_DYNAMICS_ISA", "foo", 1);
  const std::string remark = isa_remark();
  EXPECT_EQ(remark.find("SPATIAL_DYNAMICS_ISA=foo is not one of "), 0U) << remark;
  for (const std::string& isa : available_isas()) {
    EXPECT_NE(remark.find(isa), std::string::npos) << remark;
  }
  EXPECT_NE(remark.find("; using " + used), std::string::npos) << remark;
}

TEST(IsaRemark, IsEmptyWhereTheVariableIsObeyed) {
  ::unsetenv("SPATIAL_DYNAMICS_ISA");
  EXPECT_EQ(isa_remark(), "");
  ::setenv("SPATIAL_DYNAMICS_ISA", "", 1);
  EXPECT_EQ(isa_remark(), "");
  for (const std::string& isa : available_isas()) {
    ::setenv("SPATIAL_DYNAMICS_ISA", isa.c_str(), 1);
    EXPECT_EQ(isa_remark(), "") << isa;
  }
  ::unsetenv("SPATIAL_DYNAMICS_ISA");
}

}  // namespace
}  // namespace spatial_dynamics::test
