// Generated code that is compiled for several instruction sets and chooses one at start.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "generated_arm7.hpp"
#include "generated_quadruped.hpp"
#include "spatial_dynamics/dynamics/generated_library.hpp"
#include "spatial_dynamics/dynamics/isa.hpp"
#include "spatial_dynamics/model/load_urdf.hpp"

namespace spatial_dynamics::test {
namespace {

Model robot(const std::string& name, bool floating_base) {
  LoadOptions options;
  options.floating_base = floating_base;
  return load_urdf_file(SPATIAL_DYNAMICS_SOURCE_DIR "/urdf/" + name + ".urdf", options);
}

// Run with SPATIAL_DYNAMICS_ISA=x86-64, too.
TEST(GeneratedInstructionSets, TheFastestSetOfThisMachineRuns) {
#if defined(__x86_64__) && !defined(__AVX__)
  const bool is_smallest = std::string(chosen_isa()) == "x86-64";
  EXPECT_STREQ(generated_arm7_isa(), is_smallest ? "x86-64" : "x86-64-v3");
#else
  EXPECT_STREQ(generated_arm7_isa(), "compiled");
#endif
}

TEST(GeneratedInstructionSets, AnArmEqualsTheKernels) {
  EXPECT_EQ(find_difference(SPATIAL_DYNAMICS_GENERATED(generated_arm7), robot("arm7", false)), "");
}

TEST(GeneratedInstructionSets, AFloatingRobotEqualsTheKernels) {
  EXPECT_EQ(
      find_difference(SPATIAL_DYNAMICS_GENERATED(generated_quadruped), robot("quadruped", true)),
      "");
}

}  // namespace
}  // namespace spatial_dynamics::test
