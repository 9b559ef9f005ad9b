#include "dds/yaml_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace spatial_dynamics::test {
namespace {

ParameterValue scalar(const std::string& text) { return dds::scalar_value(dds::parse_yaml(text)); }

TEST(YamlScalar, HasTypeOfRos2) {
  for (const char* word : {"y", "Yes", "true", "TRUE", "on"})
    EXPECT_EQ(scalar(word), ParameterValue(true));
  for (const char* word : {"N", "no", "False", "OFF"})
    EXPECT_EQ(scalar(word), ParameterValue(false));
  const auto integer = [](std::int64_t value) { return ParameterValue(value); };
  EXPECT_EQ(scalar("500"), integer(500));
  EXPECT_EQ(scalar("-3"), integer(-3));
  EXPECT_EQ(scalar("+3"), integer(3));
  EXPECT_EQ(scalar("0"), integer(0));
  EXPECT_EQ(scalar("0x10"), integer(16));
  EXPECT_EQ(scalar("010"), integer(8));
  EXPECT_EQ(scalar("9223372036854775807"), integer(9223372036854775807));
  EXPECT_EQ(scalar("9223372036854775808"), ParameterValue(9223372036854775808.0));
  EXPECT_EQ(scalar("0.5"), ParameterValue(0.5));
  EXPECT_EQ(scalar("+.5e1"), ParameterValue(5.0));
  EXPECT_EQ(scalar("1e3"), ParameterValue(1000.0));
  EXPECT_EQ(scalar("08"), ParameterValue(8.0));
  EXPECT_EQ(scalar("-.inf"), ParameterValue(-std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(std::isnan(std::get<double>(scalar(".nan"))));
  for (const char* word : {"timer", "1,5", "1.2.3", "--1", "+-1", "5 Nm", "1e400", "+", "0x"}) {
    EXPECT_EQ(scalar(word), ParameterValue(std::string(word)));
  }
}

TEST(YamlScalar, QuotedScalarIsText) {
  for (const char* quoted : {"'500'", "\"500\"", "!!str 500"}) {
    EXPECT_EQ(scalar(quoted), ParameterValue(std::string("500"))) << quoted;
  }
  EXPECT_EQ(scalar("\"\""), ParameterValue(std::string()));
}

}  // namespace
}  // namespace spatial_dynamics::test
