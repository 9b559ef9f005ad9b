#include "spatial_dynamics/dynamics/isa.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace spatial_dynamics::test {
namespace {

TEST(Isa, TheBestAvailableIsChosenUnlessTheEnvironmentNamesAnother) {
  const std::vector<std::string> isas = available_isas();
  const char* wanted = std::getenv("SPATIAL_DYNAMICS_ISA");
  bool known = false;
  for (const std::string& isa : isas) known = known || (wanted != nullptr && isa == wanted);
  EXPECT_EQ(chosen_isa(), known ? std::string(wanted) : isas.back());
}

/// Restores the environment.
class IsaRemark : public ::testing::Test {
 protected:
  IsaRemark() {
    if (const char* const set = std::getenv(kVariable)) before_ = set;
  }
  ~IsaRemark() override {
    if (before_) {
      ::setenv(kVariable, before_->c_str(), 1);
    } else {
      ::unsetenv(kVariable);
    }
  }
  static constexpr const char* kVariable = "SPATIAL_DYNAMICS_ISA";

 private:
  std::optional<std::string> before_;
};

TEST_F(IsaRemark, NamesTheRequestedTheAvailableAndTheUsedSets) {
  const std::string used = chosen_isa();  // decided before the variable changes
  ::setenv(kVariable, "foo", 1);
  const std::string remark = isa_remark();
  EXPECT_EQ(remark.find("SPATIAL_DYNAMICS_ISA=foo is not one of "), 0U) << remark;
  for (const std::string& isa : available_isas()) {
    EXPECT_NE(remark.find(isa), std::string::npos) << remark;
  }
  EXPECT_NE(remark.find("; using " + used), std::string::npos) << remark;
}

TEST_F(IsaRemark, IsEmptyIfTheRequestedSetIsUsed) {
  ::unsetenv(kVariable);
  EXPECT_EQ(isa_remark(), "");
  ::setenv(kVariable, "", 1);
  EXPECT_EQ(isa_remark(), "");
  for (const std::string& isa : available_isas()) {
    ::setenv(kVariable, isa.c_str(), 1);
    EXPECT_EQ(isa_remark(), "") << isa;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
