// Every number on which dynamics depends is parsed strictly and independently of the locale.
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

#include "model/rejections.hpp"
#include "support/german_locale.hpp"

namespace spatial_dynamics::test {
namespace {

/// An attribute with one number: its place in kPendulum, and the element that a rejection must
/// name.
struct NumberCase {
  const char* name;
  const char* text;  ///< with the number in it
  const char* number;
  const char* element;
};
void PrintTo(const NumberCase& c, std::ostream* os) { *os << c.name; }

const NumberCase kNumbers[] = {
    {"Mass", "value=\"1.5\"", "1.5", "link 'rod'"},
    {"Inertia", "ixx=\"0.1\"", "0.1", "link 'rod'"},
    {"ProductOfInertia", "ixy=\"0\"", "0", "link 'rod'"},
    {"CentreOfMass", "xyz=\"0 0 -0.5\"", "-0.5", "link 'rod'"},
    {"Origin", "xyz=\"0 0 1\"", "1", "joint 'hinge'"},
    {"Axis", "xyz=\"0 1 0\"", "1", "joint 'hinge'"},
    {"Lower", "lower=\"-3\"", "-3", "joint 'hinge'"},
    {"Upper", "upper=\"2\"", "2", "joint 'hinge'"},
    {"Effort", "effort=\"10\"", "10", "joint 'hinge'"},
    {"Velocity", "velocity=\"5\"", "5", "joint 'hinge'"},
    {"Damping", "damping=\"0.25\"", "0.25", "joint 'hinge'"},
    {"Friction", "friction=\"0.5\"", "0.5", "joint 'hinge'"},
};

class EveryNumber : public ::testing::TestWithParam<NumberCase> {
 protected:
  static std::string with(const std::string& number) {
    const NumberCase& c = GetParam();
    return replaced(kPendulum, c.text, replaced(c.text, c.number, number));
  }
  static bool is_limit() {
    const std::string name = GetParam().name;
    return name == "Lower" || name == "Upper" || name == "Effort" || name == "Velocity";
  }
  static void expect_number_rejected(const std::string& number) {
    SCOPED_TRACE(number);
    expect_urdf_rejected(with(number), GetParam().element, {number});
  }
};

TEST_P(EveryNumber, IsRejectedWhenItIsNotANumber) { expect_number_rejected("nan"); }
TEST_P(EveryNumber, IsRejectedWhenItIsText) { expect_number_rejected("abc"); }
TEST_P(EveryNumber, IsRejectedWhenItIsHexadecimal) { expect_number_rejected("0x1p3"); }
TEST_P(EveryNumber, IsRejectedWithADecimalComma) { expect_number_rejected("1,5"); }
TEST_P(EveryNumber, IsRejectedWithAUnit) { expect_number_rejected("1.5kg"); }
TEST_P(EveryNumber, IsRejectedWithTwoSigns) { expect_number_rejected("+-1"); }
TEST_P(EveryNumber, IsRejectedWithXacroInIt) { expect_number_rejected("${2*pi}"); }
TEST_P(EveryNumber, IsRejectedWhenEmpty) {
  expect_urdf_rejected(with(""), GetParam().element);
  expect_urdf_rejected(with(" "), GetParam().element);
}

TEST_P(EveryNumber, IsRejectedWhenInfiniteUnlessItIsALimit) {
  const std::string sign = GetParam().name == std::string("Lower") ? "-" : "";
  for (const char* number : {"inf", "1e400", "1e16"}) {
    SCOPED_TRACE(number);
    if (is_limit()) {
      EXPECT_EQ(load_urdf(with(sign + number)).nv(), 1);
    } else {
      expect_urdf_rejected(with(number), GetParam().element);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Urdf, EveryNumber, ::testing::ValuesIn(kNumbers),
                         [](const auto& c) { return std::string(c.param.name); });

const Joint& hinge(const Model& model) { return model.joint(model.find_joint("hinge")); }

TEST(UrdfNumber, ForeignNotationsOfOneNumberAreRead) {
  for (const char* number : {"1.5", "+1.5", " 1.5\t", "15e-1", "0.15E1", "1.50", "\n1.5 "}) {
    SCOPED_TRACE(number);
    EXPECT_EQ(
        load_urdf(replaced(kPendulum, "value=\"1.5\"", std::string("value=\"") + number + "\""))
            .total_mass(),
        1.5);
  }
}

TEST(UrdfNumber, SeventeenDigitsAreKept) {
  const Model model =
      load_urdf(replaced(kPendulum, "value=\"1.5\"", "value=\"0.10000000000000002\""));
  EXPECT_EQ(model.total_mass(), 0.10000000000000002);
  EXPECT_NE(model.total_mass(), 0.1);
}

TEST(UrdfNumber, NumbersTooSmallForADoubleAreZero) {
  EXPECT_EQ(hinge(load_urdf(replaced(kPendulum, "damping=\"0.25\"", "damping=\"1e-400\""))).damping,
            0.0);
  EXPECT_EQ(hinge(load_urdf(replaced(kPendulum, "damping=\"0.25\"", "damping=\"1e-310\""))).damping,
            1e-310);
}

TEST(UrdfNumber, VectorsNeedThreeNumbers) {
  for (const char* vector : {"0 1", "0 1 0 0", "", "0;1;0", "0, 1, 0"}) {
    SCOPED_TRACE(vector);
    expect_urdf_rejected(
        replaced(kPendulum, "xyz=\"0 1 0\"", std::string("xyz=\"") + vector + "\""),
        "joint 'hinge'", {"xyz", "<axis>"});
  }
}

TEST(UrdfNumber, VectorsMayBeSeparatedByAnyWhiteSpace) {
  const Model model = load_urdf(replaced(kPendulum, "xyz=\"0 1 0\"", "xyz=\" 0\t1\n  0 \""));
  EXPECT_EQ(hinge(model).axis, Vector3::UnitY());
}

TEST(UrdfNumber, LimitsWithoutBoundAreUnlimitedAndReported) {
  for (const char* bound : {"inf", "1e15", "1e400", "Infinity"}) {
    SCOPED_TRACE(bound);
    std::string urdf = replaced(kPendulum, "lower=\"-3\"", std::string("lower=\"-") + bound + "\"");
    for (const char* limit : {"upper=\"2\"", "velocity=\"5\""}) {
      const std::string name = std::string(limit).substr(0, std::string(limit).find('"') + 1);
      urdf = replaced(urdf, limit, name + bound + "\"");
    }
    ModelReport report;
    const Model model = load_urdf(urdf, {}, &report);
    EXPECT_EQ(hinge(model).limits.lower, -kUnlimited);
    EXPECT_EQ(hinge(model).limits.upper, kUnlimited);
    EXPECT_EQ(hinge(model).limits.velocity, kUnlimited);
    EXPECT_EQ(hinge(model).limits.effort, 10.0);
    EXPECT_TRUE(has_finding(report, Severity::kInfo, "joint 'hinge'", "lower, upper, velocity"));
  }
}

TEST(UrdfNumber, NumbersOfVisualsAndPluginsAreIgnored) {
  const std::string urdf = replaced(
      kPendulum, "<link name=\"base\"/>",
      "<link name=\"base\"><visual><origin xyz=\"a b\"/><geometry><box size=\"nan\"/></geometry>"
      "</visual><collision><geometry><sphere radius=\"x\"/></geometry></collision></link>"
      "<gazebo><mu1>many</mu1></gazebo><transmission name=\"t\"><joint name=\"hinge\"/>"
      "<mechanicalReduction>one</mechanicalReduction></transmission>");
  EXPECT_EQ(load_urdf(urdf).nv(), 1);
}

void expect_same_numbers_as(const Model& expected, const Model& model) {
  EXPECT_EQ(model.total_mass(), expected.total_mass());
  EXPECT_EQ(model.inertia(1).I, expected.inertia(1).I);
  EXPECT_EQ(hinge(model).placement.r, hinge(expected).placement.r);
  EXPECT_EQ(hinge(model).placement.E, hinge(expected).placement.E);
  EXPECT_EQ(hinge(model).limits.upper, hinge(expected).limits.upper);
  EXPECT_EQ(hinge(model).damping, hinge(expected).damping);
}

TEST(UrdfNumber, CommaLocaleOfCppChangesNothing) {
  const std::string urdf = replaced(kPendulum, "xyz=\"0 0 1\" rpy=\"0 0 0\"",
                                    "xyz=\"1234.5 0.1 1e-3\" rpy=\"0.1 0.2 0.3\"");
  const Model expected = load_urdf(urdf);
  const CommaStreams commas;
  const Model model = load_urdf(urdf);
  expect_same_numbers_as(expected, model);
}

TEST(UrdfNumber, GermanLocaleChangesNothing) {
  const std::string urdf = replaced(kPendulum, "xyz=\"0 0 1\" rpy=\"0 0 0\"",
                                    "xyz=\"1234.5 0.1 1e-3\" rpy=\"0.1 0.2 0.3\"");
  const Model expected = load_urdf(urdf);
  const GermanLocale german;
  if (!german.is_set()) {
    GTEST_SKIP() << "no de_DE.UTF-8, and localedef cannot make it (Debian: locales)";
  }
  ASSERT_EQ(std::strtod("1,5", nullptr), 1.5) << "the locale does not use a decimal comma";
  expect_same_numbers_as(expected, load_urdf(urdf));
  expect_urdf_rejected(replaced(kPendulum, "value=\"1.5\"", "value=\"1,5\""), "link 'rod'",
                       {"1,5"});
}

}  // namespace
}  // namespace spatial_dynamics::test
