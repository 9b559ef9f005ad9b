// Compares the JSON reader with an independent one, on texts that are almost JSON.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cli/process.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

/// Lines of `compute` for the double pendulum: is each rejected because of its grammar?
std::vector<Json> answers(const std::vector<std::string>& lines) {
  std::string input;
  for (const std::string& line : lines) input += line + "\n";
  return run_cli({"compute", shipped_urdf("double_pendulum")}, input).lines();
}

bool is_grammar_error(const Json& answer) {
  return answer.contains("error") &&
         answer.at("error").get<std::string>().rfind("not valid JSON at column ", 0) == 0;
}

/// A line that an independent reader rejects must not be answered, and a line that it accepts must
/// not be called invalid.
void expect_agreement(const std::vector<std::string>& lines) {
  const std::vector<Json> got = answers(lines);
  ASSERT_EQ(got.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (Json::accept(lines[i])) {
      EXPECT_FALSE(is_grammar_error(got[i])) << lines[i] << " -> " << got[i];
    } else {
      EXPECT_TRUE(got[i].contains("error")) << lines[i];
    }
    if (got[i].contains("error")) {
      EXPECT_EQ(got[i].at("line"), i + 1);
    }
  }
}

std::string with_number(const std::string& number) {
  return "{\"q\":[" + number + ",0],\"a\":[0,0]}";
}

TEST(JsonReader, NumbersFollowTheGrammar) {
  std::vector<std::string> lines;
  for (const char* number : {"0",
                             "-0",
                             "1",
                             "-1",
                             "10",
                             "0.5",
                             "-0.5",
                             "1e5",
                             "1E5",
                             "1e+5",
                             "1e-5",
                             "0e0",
                             "0.0e-0",
                             "01",
                             "-01",
                             "00",
                             "1.",
                             ".5",
                             "-.5",
                             "+1",
                             "-",
                             "--1",
                             "1e",
                             "1e+",
                             "1.e5",
                             "0x10",
                             "1_0",
                             "1,5",
                             "1 0",
                             "NaN",
                             "nan",
                             "inf",
                             "-inf",
                             "1e400",
                             "-1e400",
                             "1e-400",
                             "1d5",
                             "1f",
                             "0b1",
                             "1e5.0",
                             "1e15",
                             "1e16",
                             "4.9e-324",
                             "2.2250738585072014e-308",
                             "123456789012345678901234567890",
                             "0.1234567890123456789012345678901234567890",
                             "tru",
                             "truex",
                             "True",
                             "nul",
                             ""}) {
    lines.push_back(with_number(number));
  }
  expect_agreement(lines);
}

TEST(JsonReader, NumbersAreReadToTheLastBit) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> mantissa(-10.0, 10.0);
  std::uniform_int_distribution<int> exponent(-300, 12);
  std::vector<std::string> lines;
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) {
    values.push_back(mantissa(random) * std::pow(10.0, exponent(random)));
    // The pose of a floating base is returned unchanged.
    lines.push_back(
        Json({{"q", {0, 0, values.back(), 0, 0, 0, 1, 0, 0}}, {"want", {"pose:base"}}}).dump());
  }
  std::string input;
  for (const std::string& line : lines) input += line + "\n";
  const std::vector<Json> got =
      run_cli({"compute", shipped_urdf("double_pendulum"), "--floating-base"}, input).lines();
  ASSERT_EQ(got.size(), lines.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].at("pose:base").at("position").at(2).get<double>(), values[i]) << lines[i];
  }
}

TEST(JsonReader, StringsFollowTheGrammar) {
  std::vector<std::string> lines;
  for (const std::string text : {R"(\n)",
                                 R"(\q)",
                                 R"(\u12)",
                                 R"(\u12G4)",
                                 R"(\u+123)",
                                 R"(\u-123)",
                                 R"(\u 123)",
                                 R"(\ud83d\ude00)",
                                 R"(\ud83d)",
                                 R"(\ud83dx)",
                                 R"(\ud83d\n)",
                                 R"(\ud83d\ud83d)",
                                 R"(\ude00)",
                                 R"(\u0000)",
                                 R"(\)",
                                 R"(\\)",
                                 R"(\/)",
                                 R"(\")",
                                 "\x01",
                                 "\x1f",
                                 "\t",
                                 "\x7f",
                                 "\xC3\xA9",
                                 "\xC3",
                                 "\xA9",
                                 "\xC0\xAF",
                                 "\xE0\x80\x80",
                                 "\xED\xA0\x80",
                                 "\xEF\xBF\xBF",
                                 "\xF0\x9F\x98\x80",
                                 "\xF0\x8F\xBF\xBF",
                                 "\xF4\x90\x80\x80",
                                 "\xF5\x80\x80\x80",
                                 "\xFF",
                                 "\xE2\x82",
                                 "\xF0\x9F\x98"}) {
    lines.push_back("{\"q\":[0,0],\"want\":[\"pose:" + text + "\"]}");
    lines.push_back("{\"" + text + "\":[0,0]}");
  }
  expect_agreement(lines);
}

TEST(JsonReader, StructureFollowsTheGrammar) {
  expect_agreement({R"({"q":[0,0],"a":[0,0],})",
                    R"({"q":[0,0,],"a":[0,0]})",
                    R"({,"q":[0,0]})",
                    R"({"q":[,0,0]})",
                    R"({"q":[0 0]})",
                    R"({"q" [0,0]})",
                    R"({q:[0,0]})",
                    R"({'q':[0,0]})",
                    R"({"q":[0,0]]})",
                    R"({"q":[0,0}})",
                    R"({"q":{0,0}})",
                    R"({"q":[0,0]"a":[0,0]})",
                    R"({"q":[0,0],,"a":[0,0]})",
                    "{",
                    "}",
                    "[",
                    "{}",
                    "[]",
                    "{]",
                    R"("q")",
                    R"("q)",
                    "nothing",
                    "//",
                    R"({"q":[0,0],"a":[0,0]}//)",
                    R"(/**/{"q":[0,0],"a":[0,0]})",
                    R"({"q":[0,0],"a":[0,0]},)",
                    "{\"q\":[0,0],\"a\":[0,0]}\x0B",
                    "\xC2\xA0{\"q\":[0,0],\"a\":[0,0]}",
                    R"(  { "q" : [ 0 , 0 ] , "a" : [ 0,0 ] }  )"});
}

TEST(JsonReader, DeepNestingIsRejectedWithoutRecursion) {
  const std::string deep(1000000, '[');
  std::string deep_object;
  for (int i = 0; i < 100000; ++i) deep_object += "{\"q\":";
  expect_agreement({deep, deep_object, "{\"q\":" + deep + "}", "{\"x\":" + deep + "}"});
}

TEST(JsonReader, AgreesOnMutatedLines) {
  const std::vector<std::string> seeds{
      R"({"q":[0.1,-2.5e-1],"v":[0,1E0],"a":[1,0]})",
      R"({"q":{"shoulder":0.1,"elbow":0.2},"tau":[1,0],"want":["fd","pose:tip"]})",
      R"({"q":[0,0],"a":[0,0],"wrenches":{"tip":[1,2,3,4,5,6],"b\u0061se":[0,0,0,0,0,0]}})"};
  // Bytes with and without a meaning in JSON. No line feed, which would split the line.
  const std::string bytes = "{}[]\",:.-+eE0123456789truefalsn\\/u \tq\x01\x7f\x80\xC3\xA9\xFF";
  std::mt19937 random(11);
  const auto below = [&random](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  std::vector<std::string> lines;
  for (int i = 0; i < 20000; ++i) {
    std::string line = seeds[below(seeds.size())];
    for (std::size_t changes = 1 + below(3); changes > 0 && line.size() > 2; --changes) {
      const std::size_t at = below(line.size());
      const char byte = bytes[below(bytes.size())];
      switch (below(4)) {
        case 0:
          line[at] = byte;
          break;
        case 1:
          line.insert(at, 1, byte);
          break;
        case 2:
          line.erase(at, 1);
          break;
        default:
          line.insert(at, line.substr(below(line.size()), 1 + below(6)));
      }
    }
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
  }
  expect_agreement(lines);
}

}  // namespace
}  // namespace spatial_dynamics::test
