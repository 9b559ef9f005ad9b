#include "runtime/parameters_table.hpp"

#include <gtest/gtest.h>

#include "runtime/parameters_text.hpp"

namespace spatial_dynamics {
namespace {

ParameterValue parsed(const char* name, const char* text) {
  return parse_value(simulated_system_parameter_table(), name, text);
}

TEST(ParseValue, ReadsEachTypeAsAUrdfWritesIt) {
  EXPECT_EQ(parsed("joint_stops", " false\n"), ParameterValue(false));
  EXPECT_EQ(parsed("joint_stops", "True"), ParameterValue(true));
  EXPECT_EQ(parsed("substeps", "8"), ParameterValue(std::int64_t{8}));
  EXPECT_EQ(parsed("delay_s", "2e-3"), ParameterValue(2e-3));
  EXPECT_EQ(parsed("integrator", " rk4 "), ParameterValue(std::string("rk4")));
  const ParameterValue three(std::vector<double>{0.0, 0.5, -9.81});
  for (const char* text : {"0 0.5 -9.81", "[0, 0.5, -9.81]", "0,0.5,\n -9.81"}) {
    EXPECT_EQ(parsed("gravity", text), three) << text;
  }
  EXPECT_EQ(parsed("initial_position.elbow", "0.5"), ParameterValue(0.5));
  EXPECT_EQ(parsed("nan_states", "a, b"), ParameterValue(std::vector<std::string>{"a", "b"}));
}

TEST(ParseValue, WhatIsNotOfTheTypeIsRejectedByTheSet) {
  ParameterSet set(simulated_system_parameter_table());
  for (const auto& [name, text] :
       std::vector<std::pair<const char*, const char*>>{{"joint_stops", "maybe"},
                                                        {"substeps", "2.5"},
                                                        {"delay_s", "1 ms"},
                                                        {"delay_s", ""},
                                                        {"gravity", "0 0"},
                                                        {"gravity", "0 0 down"},
                                                        {"integrator", "euler"}}) {
    EXPECT_THROW(set.set(name, parsed(name, text)), ParameterError) << name << " " << text;
  }
}

}  // namespace
}  // namespace spatial_dynamics
