#include "runtime/parameters.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "runtime/parameters_table.hpp"
#include "runtime/parameters_text.hpp"
#include "support/german_locale.hpp"

namespace spatial_dynamics::test {
namespace {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;
using ::testing::TestWithParam;

std::int64_t integer(int value) { return value; }
std::string text(const char* value) { return value; }

/// The error of a rejected value; no value may have changed.
std::string rejection(ParameterSet& parameters, std::string_view name, const ParameterValue& value,
                      bool running = false) {
  std::vector<ParameterValue> before;
  for (const auto& row : parameters.table()) before.push_back(parameters.get(row.name));
  std::string sentence;
  try {
    running ? parameters.change(name, value) : parameters.set(name, value);
    ADD_FAILURE() << name << " was accepted";
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.parameter(), name);
    sentence = error.what();
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(parameters.get(parameters.table()[i].name), before[i]);
  }
  return sentence;
}

class EveryTable : public TestWithParam<const ParameterTable*> {};
std::string table_name(const ::testing::TestParamInfo<const ParameterTable*>& table) {
  return std::array{"Node", "Simulator", "SimulatedSystem"}[table.index];
}
INSTANTIATE_TEST_SUITE_P(Tables, EveryTable,
                         ::testing::Values(&parameter_table(), &simulator_parameter_table(),
                                           &simulated_system_parameter_table()),
                         table_name);

TEST_P(EveryTable, NamesAreUniqueWordsBetweenDots) {
  std::set<std::string> seen;
  for (const ParameterDescription& row : *GetParam()) {
    EXPECT_TRUE(seen.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_."), std::string::npos);
    EXPECT_EQ(find_parameter(*GetParam(), row.name), &row);
  }
  EXPECT_EQ(find_parameter(*GetParam(), "no_such_thing"), nullptr);
}

TEST_P(EveryTable, NoNameIsAlsoThePrefixOfAnother) {
  // gains and gains.kp could not both be keys of one YAML map.
  for (const ParameterDescription& row : *GetParam()) {
    for (const ParameterDescription& other : *GetParam()) {
      EXPECT_NE(other.name.rfind(row.name + ".", 0), 0U) << other.name;
    }
  }
}

TEST_P(EveryTable, EveryRowIsExplainedInOneLine) {
  for (const ParameterDescription& row : *GetParam()) {
    EXPECT_FALSE(row.group.empty()) << row.name;
    EXPECT_EQ(row.help.back(), '.') << row.name;
    EXPECT_EQ(row.help.find('\n'), std::string::npos) << row.name;
  }
}

TEST_P(EveryTable, DefaultsAreAllowedByTheirOwnRow) {
  ParameterSet parameters(*GetParam());
  for (const ParameterDescription& row : *GetParam()) {
    EXPECT_NO_THROW(parameters.set(row.name, row.default_value)) << row.name;
    EXPECT_EQ(parameters.get(row.name), row.default_value);
  }
}

TEST_P(EveryTable, NumbersHaveBothBounds) {
  for (const ParameterDescription& row : *GetParam()) {
    const ParameterType type = row.type();
    if (type != ParameterType::kInteger && type != ParameterType::kNumber &&
        type != ParameterType::kNumbers) {
      continue;
    }
    EXPECT_TRUE(std::isfinite(row.lower) && std::isfinite(row.upper)) << row.name;
    EXPECT_LT(row.lower, row.upper) << row.name;
  }
}

TEST_P(EveryTable, BoundsAreInclusive) {
  ParameterSet parameters(*GetParam());
  for (const ParameterDescription& row : *GetParam()) {
    if (row.type() != ParameterType::kNumber) continue;
    EXPECT_NO_THROW(parameters.set(row.name, row.lower));
    EXPECT_NO_THROW(parameters.set(row.name, row.upper));
    for (const double beyond :
         {std::nextafter(row.lower, -1e300), std::nextafter(row.upper, 1e300)}) {
      const std::string sentence = rejection(parameters, row.name, beyond);
      EXPECT_NE(sentence.find("'" + row.name + "'"), std::string::npos) << sentence;
      EXPECT_NE(sentence.find(allowed_values(row)), std::string::npos) << sentence;
    }
  }
}

TEST(Parameters, HaveDocumentedDefaults) {
  const ParameterSet p(parameter_table());
  EXPECT_EQ(p.get_number("rate_hz"), 1000.0);
  EXPECT_EQ(p.get_text("torque_mode"), "inverse_dynamics");
  EXPECT_EQ(p.get_text("trigger"), "timer");
  EXPECT_EQ(p.get_text("fallback"), "zero");
  EXPECT_EQ(p.get_text("forward.effort_source"), "auto");
  EXPECT_EQ(p.get_number("state_timeout_s"), 0.1);
  EXPECT_EQ(p.get_number("reference_timeout_s"), 0.5);
  EXPECT_EQ(p.get_number("ramp_s"), 0.3);
  EXPECT_EQ(p.get_numbers("gravity"), (Numbers{0.0, 0.0, -9.80665}));
  EXPECT_TRUE(p.get_bool("autostart"));
  EXPECT_FALSE(p.get_bool("require_realtime"));
  EXPECT_EQ(p.get_integer("realtime.cpu"), -1);
  EXPECT_EQ(p.get_texts("command_joints"), Texts{});
}

TEST(Parameters, ParametersOfFaultTableAreLive) {
  for (const char* name : {"rate_hz", "gains.kp", "gains.kd", "torque_mode"}) {
    EXPECT_TRUE(find_parameter(parameter_table(), name)->live) << name;
  }
  for (const char* name : {"robot_description", "urdf_file", "allow_unlimited_effort"}) {
    EXPECT_FALSE(find_parameter(parameter_table(), name)->live) << name;
  }
}

TEST(Parameters, AnIntegerIsANumber) {
  ParameterSet p(parameter_table());
  p.set("rate_hz", integer(500));
  EXPECT_EQ(p.get_number("rate_hz"), 500.0);
}

TEST(Parameters, OneNumberIsAnArrayOfOne) {
  ParameterSet p(parameter_table());
  p.set("gains.kp", 50.0);
  EXPECT_EQ(p.get_numbers("gains.kp"), Numbers{50.0});
  p.set("gains.kp", integer(60));
  EXPECT_EQ(p.get_numbers("gains.kp"), Numbers{60.0});
}

TEST(Parameters, OneTextIsAnArrayOfOneAndTheEmptyTextOfNone) {
  ParameterSet p(parameter_table());
  p.set("compensated_by_hardware", text("gravity"));
  EXPECT_EQ(p.get_texts("compensated_by_hardware"), Texts{"gravity"});
  p.set("compensated_by_hardware", text(""));
  EXPECT_EQ(p.get_texts("compensated_by_hardware"), Texts{});
  p.set("effort_limits", text(""));
  EXPECT_EQ(p.get_numbers("effort_limits"), Numbers{});
}

/// An empty array must not become gains of zero.
TEST(Parameters, AnArrayThatIsNeededIsNotEmpty) {
  ParameterSet p(parameter_table());
  EXPECT_EQ(
      rejection(p, "gains.kp", text("")),
      "parameter 'gains.kp' is '', but must be an array of numbers, such as [1.0, 2.0], or one "
      "number.");
  EXPECT_EQ(
      rejection(p, "gains.kd", Numbers{}),
      "parameter 'gains.kd' is [], but must be an array of numbers, such as [1.0, 2.0], or one "
      "number.");
  EXPECT_NE(rejection(p, "gravity", text("")).find("must be an array of numbers"),
            std::string::npos);
  EXPECT_NE(rejection(p, "gravity", Numbers{}).find("must have 3 values"), std::string::npos);
  EXPECT_EQ(p.get_numbers("gains.kp"), Numbers{100.0});
}

TEST(Parameters, AnEmptyArrayHasEveryType) {
  ParameterSet p(parameter_table());
  p.set("effort_limits", Texts{});
  EXPECT_EQ(p.get_numbers("effort_limits"), Numbers{});
  p.set("command_joints", Texts{"elbow"});
  p.set("command_joints", Numbers{});
  EXPECT_EQ(p.get_texts("command_joints"), Texts{});
}

TEST(Parameters, OtherTypesAreRejected) {
  ParameterSet p(parameter_table());
  EXPECT_EQ(rejection(p, "rate_hz", text("fast")),
            "parameter 'rate_hz' is 'fast', but must be a number.");
  EXPECT_EQ(rejection(p, "strict", integer(1)),
            "parameter 'strict' is 1, but must be true or false.");
  EXPECT_EQ(rejection(p, "realtime.cpu", 2.0),
            "parameter 'realtime.cpu' is 2, but must be an integer.");
  EXPECT_EQ(rejection(p, "gains.kp", true),
            "parameter 'gains.kp' is true, but must be an array of numbers, such as [1.0, 2.0], or "
            "one number.");
  EXPECT_EQ(rejection(p, "command_joints", Numbers{1.0}),
            "parameter 'command_joints' is [1], but must be an array of texts, such as ['a', 'b'], "
            "or one text.");
  EXPECT_NE(rejection(p, "urdf_file", integer(7)).find("is 7, but must be a text (in quotes"),
            std::string::npos);
  EXPECT_NE(rejection(p, "rate_hz", Numbers{500.0}).find("must be a number"), std::string::npos);
}

TEST(Parameters, OutOfRangeNamesTheRangeWithItsUnit) {
  ParameterSet p(parameter_table());
  EXPECT_EQ(rejection(p, "rate_hz", 0.0),
            "parameter 'rate_hz' is 0, but must be from 1 to 20000 Hz.");
  EXPECT_EQ(rejection(p, "rate_hz", integer(-5)),
            "parameter 'rate_hz' is -5, but must be from 1 to 20000 Hz.");
  EXPECT_EQ(rejection(p, "realtime.priority", integer(100)),
            "parameter 'realtime.priority' is 100, but must be from 0 to 99.");
  EXPECT_EQ(
      rejection(p, "gains.kd", Numbers{1.0, -2.0}),
      "parameter 'gains.kd' is [1, -2], but each of its values must be from 0 to 1000000000 1/s.");
}

TEST(Parameters, NotFiniteNumbersAreRejected) {
  ParameterSet p(parameter_table());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rejection(p, "rate_hz", nan), "parameter 'rate_hz' is nan, but must be finite.");
  EXPECT_EQ(rejection(p, "rate_hz", inf), "parameter 'rate_hz' is inf, but must be finite.");
  EXPECT_NE(rejection(p, "gravity", Numbers{0.0, 0.0, nan}).find("finite"), std::string::npos);
}

TEST(Parameters, OtherChoicesAreRejectedWithTheChoices) {
  ParameterSet p(parameter_table());
  EXPECT_EQ(rejection(p, "fallback", text("hold")),
            "parameter 'fallback' is 'hold', but must be one of 'zero', 'gravity_only', 'stop'.");
  EXPECT_EQ(rejection(p, "compensated_by_hardware", Texts{"gravity", "weather"}),
            "parameter 'compensated_by_hardware' is ['gravity', 'weather'], but each of its values "
            "must be one of 'gravity', 'coriolis', 'friction'.");
}

TEST(Parameters, GravityHasThreeNumbers) {
  ParameterSet p(parameter_table());
  EXPECT_EQ(rejection(p, "gravity", integer(-9)),
            "parameter 'gravity' is [-9], but must have 3 values, not 1.");
  EXPECT_NE(rejection(p, "gravity", Numbers{}).find("3 values, not 0"), std::string::npos);
}

TEST(Parameters, UnknownNamesAreRejectedWithTheNearest) {
  ParameterSet p(parameter_table());
  const auto suggestion = [&](const char* name) {
    const std::string sentence = rejection(p, name, 1.0);
    const std::string start = "there is no parameter '" + std::string(name) + "'";
    EXPECT_EQ(sentence.rfind(start, 0), 0U) << sentence;
    return sentence.substr(start.size());
  };
  EXPECT_EQ(suggestion("rate"), "; did you mean 'rate_hz'?");
  EXPECT_EQ(suggestion("rate_Hz"), "; did you mean 'rate_hz'?");
  EXPECT_EQ(suggestion("kp"), "; did you mean 'gains.kp'?");
  EXPECT_EQ(suggestion("gain.kp"), "; did you mean 'gains.kp'?");
  EXPECT_EQ(suggestion("state_timeout"), "; did you mean 'state_timeout_s'?");
  EXPECT_EQ(suggestion("torque_mod"), "; did you mean 'torque_mode'?");
  EXPECT_EQ(suggestion("colour"), ".");
  EXPECT_EQ(suggestion(""), ".");
  const std::string huge(1000000, 'x');
  EXPECT_LT(rejection(p, huge, 1.0).size(), 200U);
  EXPECT_THROW((void)p.get("rate"), ParameterError);
}

TEST(Parameters, AGetterOfAnotherTypeThrows) {
  const ParameterSet p(parameter_table());
  EXPECT_THROW((void)p.get_integer("rate_hz"), ParameterError);
  EXPECT_THROW((void)p.get_text("strict"), ParameterError);
}

TEST(Parameters, WhileRunningOnlyLiveOnesChange) {
  ParameterSet p(parameter_table());
  p.change("rate_hz", integer(250));
  EXPECT_EQ(p.get_number("rate_hz"), 250.0);
  const std::string sentence = rejection(p, "strict", true, true);
  EXPECT_NE(sentence.find("'strict' is false since the node started"), std::string::npos);
  EXPECT_NO_THROW(p.change("strict", false)) << "the present value is no change";
  EXPECT_NE(rejection(p, "rate_hz", 0.0, true).find("from 1 to 20000"), std::string::npos);
  EXPECT_NE(rejection(p, "rate", 1.0, true).find("rate_hz"), std::string::npos);
}

TEST(Parameters, SentencesAreShortAndSafeForATerminal) {
  ParameterSet p(parameter_table());
  EXPECT_EQ(rejection(p, "fallback", text("\x1b[31mred\xff")).find('\x1b'), std::string::npos);
  EXPECT_LT(rejection(p, "fallback", std::string(1000000, 'x')).size(), 300U);
  EXPECT_LT(rejection(p, "gains.kp", Numbers(1000000, -1.0)).size(), 300U);
}

TEST(Parameters, ValuesAreWrittenAsYaml) {
  EXPECT_EQ(to_text(true), "true");
  EXPECT_EQ(to_text(integer(-3)), "-3");
  EXPECT_EQ(to_text(1000.0), "1000.0");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1e-9), "1.0e-09");
  EXPECT_EQ(to_text(1e300), "1.0e+300");
  EXPECT_EQ(to_text(text("a \"b\"\n\\\t")), "\"a \\\"b\\\"\\n\\\\\\x09\"");
  EXPECT_EQ(to_text(Numbers{}), "[]");
  EXPECT_EQ(to_text(Numbers{1.0, -0.5}), "[1.0, -0.5]");
  EXPECT_EQ(to_text(Texts{"a", "b"}), "[\"a\", \"b\"]");
}

TEST(Parameters, SentencesAndValuesIgnoreTheLocale) {
  const auto all = [] {
    ParameterSet p(parameter_table());
    return to_text(Numbers{1234567.5, 0.1}) + rejection(p, "rate_hz", 20000.5) +
           rejection(p, "gravity", Numbers{1234.5});
  };
  const std::string expected = all();
  EXPECT_NE(expected.find("20000.5"), std::string::npos);
  {
    const CommaStreams streams;
    EXPECT_EQ(all(), expected);
  }
  const GermanLocale german;
  if (!german.is_set()) {
    GTEST_SKIP() << "no de_DE.UTF-8, and localedef cannot make it (Debian: locales)";
  }
  EXPECT_EQ(all(), expected);
}

// ---- parameters of single joints ----------------------------------------------------------------

TEST(ParameterSet, PerJointRowsTakeNumbersByJointName) {
  ParameterSet set(parameter_table());
  set.set("effort_limits.shoulder", 40.0);
  set.set("gains.kp.stage/x", std::int64_t{7});
  EXPECT_EQ(set.by_joint().at("effort_limits").at("shoulder"), 40.0);
  EXPECT_EQ(set.by_joint().at("gains.kp").at("stage/x"), 7.0);
  EXPECT_TRUE(set.get_numbers("effort_limits").empty()) << "the array is its own parameter";
  for (const ParameterTable* table :
       {&parameter_table(), &simulator_parameter_table(), &simulated_system_parameter_table()}) {
    for (const ParameterDescription& row : *table) {
      ParameterSet one(*table);
      if (row.per_joint) {
        EXPECT_NO_THROW(one.set(row.name + ".elbow", row.lower)) << row.name;
      } else {
        EXPECT_THROW(one.set(row.name + ".elbow", 1.0), ParameterError) << row.name;
      }
    }
  }
}

TEST(ParameterSet, NumbersOfJointsKeepToTheirRowsBounds) {
  ParameterSet set(parameter_table());
  EXPECT_THROW(set.set("effort_limits.shoulder", -1.0), ParameterError);
  EXPECT_THROW(set.set("effort_limits.shoulder", std::string("much")), ParameterError);
  EXPECT_THROW(set.set("effort_limits.shoulder", std::vector<double>{1.0, 2.0}), ParameterError);
  EXPECT_THROW(set.set("effort_limits.", 1.0), ParameterError);
  EXPECT_TRUE(set.by_joint().empty() || set.by_joint().at("effort_limits").empty());
}

TEST(ParameterSet, NumbersOfJointsChangeWhileRunningIfTheirRowDoes) {
  ParameterSet set(parameter_table());
  set.set("armature.elbow", 0.1);
  EXPECT_NO_THROW(set.change("armature.elbow", 0.1)) << "the present one";
  EXPECT_THROW(set.change("armature.elbow", 0.2), ParameterError);
  EXPECT_THROW(set.change("armature.wrist", 0.2), ParameterError);
  EXPECT_EQ(set.by_joint().at("armature"), (NumbersByJoint{{"elbow", 0.1}}));
  set.change("gains.kd.elbow", 3.0);
  EXPECT_EQ(set.by_joint().at("gains.kd").at("elbow"), 3.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
