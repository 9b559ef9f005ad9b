#include "support/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace spatial_dynamics::test {
namespace {

TEST(Text, CharactersHaveTheLengthOfTheirUtf8) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\xA4\x96";
  EXPECT_EQ(character_length(text, 0), 1U);
  EXPECT_EQ(character_length(text, 1), 2U);
  EXPECT_EQ(character_length(text, 3), 3U);
  EXPECT_EQ(character_length(text, 6), 4U);
  EXPECT_EQ(character_length(text, 2), 0U) << "in the middle of one";
  EXPECT_EQ(character_length(text.substr(0, 8), 6), 0U) << "cut";
}

TEST(Text, ValidatesTheBoundariesOfUtf8) {
  for (const char* good :
       {"", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(good)) << in_quotes(good);
  }
  for (const char* bad :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x20", "\xE0\x9F\xBF", "\xE1\x80",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF1\x80\x80", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xFE", "\xFF", "good \xC3\xA9 and \xE9"}) {
    EXPECT_FALSE(is_utf8(bad)) << in_quotes(bad);
  }
}

TEST(Text, ControlCharactersAreC0DelAndC1) {
  for (const char* text : {"a\nb", "\t", "\x1B[31m", "\x7F", "\xC2\x80", "\xC2\x9F"}) {
    EXPECT_TRUE(has_control_character(text)) << in_quotes(text);
  }
  EXPECT_TRUE(has_control_character(std::string(1, '\0')));
  for (const char* text : {"", " ", "~", "\xC2\xA0", "\xC3\x80", "\xE2\x82\xAC"}) {
    EXPECT_FALSE(has_control_character(text)) << in_quotes(text);
  }
}

TEST(Text, QuotesEscapeControlCharacters) {
  EXPECT_EQ(in_quotes("elbow"), "'elbow'");
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes("caf\xC3\xA9"), "'caf\xC3\xA9'");
  EXPECT_EQ(in_quotes("a\nb\x1B\x7F"), "'a\\x0ab\\x1b\\x7f'");
  EXPECT_EQ(in_quotes("\xE9t\xE9"), "'\\xe9t\\xe9'");
  EXPECT_EQ(in_quotes("\xC2\x85"), "'\\xc2\\x85'");
}

TEST(Text, QuotesOfLongTextsAreCutBetweenCharacters) {
  std::string euros;
  for (int i = 0; i < 1000; ++i) {
    euros += "\xE2\x82\xAC";
  }
  const std::string shown = in_quotes(euros);
  EXPECT_LT(shown.size(), 100U);
  EXPECT_TRUE(is_utf8(shown));
  EXPECT_EQ(shown.substr(shown.size() - 4), "...'");
  EXPECT_EQ(in_quotes(std::string(80, 'x')), "'" + std::string(80, 'x') + "'");
}

TEST(Text, ElementsAreNamedAsInErrors) {
  EXPECT_EQ(link_element("forearm"), "link 'forearm'");
  EXPECT_EQ(joint_element("el\nbow"), "joint 'el\\x0abow'");
}

TEST(Text, NumbersAreShortestWithExactRoundTrip) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-2.0), "-2");
  EXPECT_EQ(number_text(1e15), "1e+15");
  EXPECT_EQ(number_text(100000.0), "100000");
  EXPECT_EQ(number_text(-1e9), "-1000000000");
  EXPECT_EQ(number_text(1e-7), "1e-07");
  for (const double value : {1.0 / 3.0, std::sqrt(2.0) * 1e-9, 1e-300, 1.7976931348623157e308}) {
    EXPECT_EQ(std::stod(number_text(value * (1.0 - 1e-16))), value * (1.0 - 1e-16));
  }
}

TEST(Text, RoundedNumbersHaveFourDigits) {
  EXPECT_EQ(rounded_text(2.0 / 3.0), "0.6667");
  EXPECT_EQ(rounded_text(2.5), "2.5");
  EXPECT_EQ(rounded_text(-9999.4), "-9999");
  EXPECT_EQ(rounded_text(1.23456e-7), "1.235e-07");
  EXPECT_EQ(rounded_text(-0.0), "0");
}

TEST(Text, RoundedNumbersBelowTenThousandMillionHaveNoExponent) {
  EXPECT_EQ(rounded_text(9999.6), "10000");
  EXPECT_EQ(rounded_text(24551.3), "24550");
  EXPECT_EQ(rounded_text(-24551.3), "-24550");
  EXPECT_EQ(rounded_text(123456.0), "123500");
  EXPECT_EQ(rounded_text(99999.0), "100000");
  EXPECT_EQ(rounded_text(1e9), "1000000000");
  EXPECT_EQ(rounded_text(9.9994e9), "9999000000");
  EXPECT_EQ(rounded_text(1.23456e10), "1.235e+10");
  EXPECT_EQ(rounded_text(1234567.8, 6), "1234570");
  EXPECT_EQ(rounded_text(123456.7, 6), "123457");
  EXPECT_EQ(rounded_text(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Text, CountsHaveSingularAndPlural) {
  EXPECT_EQ(count_text(0, "overrun"), "0 overruns");
  EXPECT_EQ(count_text(1, "overrun"), "1 overrun");
  EXPECT_EQ(count_text(2, "round trip"), "2 round trips");
}

}  // namespace
}  // namespace spatial_dynamics::test
