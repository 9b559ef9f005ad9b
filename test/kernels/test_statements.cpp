#include "kernels/statements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
using namespace kernels;  // NOLINT(google-build-using-namespace): what is tested

namespace {

/// The value that statements assign to y for given inputs; a part at a time, as with functions.
/// Reads only the format of ExpressionGraph: products and quotients of two, sums of two terms
/// (which may be products), and signs.
double run(std::string statements, std::map<std::string, double> known) {
  for (const char c : {'(', ')', ';'}) {
    statements.erase(std::remove(statements.begin(), statements.end(), c), statements.end());
  }
  const auto value = [&known](const std::string& word) {
    if (const auto found = known.find(word); found != known.end()) return found->second;
    if (word[0] == '-' && known.count(word.substr(1)) > 0) return -known[word.substr(1)];
    return std::stod(word);
  };
  std::istringstream lines(statements);
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t once = line.find("once"); once != std::string::npos) line.erase(once, 4);
    std::istringstream words(line);
    std::string first, type, target, equals, sign, word;
    words >> first;
    if (first.rfind("set", 0) == 0) {
      words >> word;
      const std::string set = first.substr(3, first.size() - 4);  // without its comma
      if (set == "y") return value(word);
      known[set] = value(word);
      continue;
    }
    words >> type >> target >> equals >> word;
    EXPECT_EQ(first + type + equals, "constauto=") << line;
    double sum = 0.0, term = value(word);
    while (words >> sign >> word) {
      if (sign == "*") {
        term *= value(word);
      } else if (sign == "/") {
        term /= value(word);
      } else {
        sum += term;
        term = sign == "-" ? -value(word) : value(word);
      }
    }
    known[target] = sum + term;
  }
  ADD_FAILURE() << "y is not set";
  return 0.0;
}

std::string statements(Expression y, std::size_t longest = kLongestPart) {
  OperationCounts counts;
  std::string all;
  for (const std::string& part :
       write_statements(ExpressionGraph::current(), {{"y", y}}, counts, longest).parts) {
    all += part;
  }
  return all;
}

class Statements : public ::testing::Test {
 protected:
  ExpressionGraph graph;
  Expression a = Expression::input("a"), b = Expression::input("b"), c = Expression::input("c");
};

TEST_F(Statements, ASumIsWrittenAsAChainOfFusedProducts) {
  const Expression d = Expression::input("d");
  const Expression ab = a * b, cd = c * d, ad = a * d;  // in this order
  EXPECT_EQ(statements((ab + cd) + (c - ad)),
            "  const auto t10_1 = c + a * b;\n"
            "  const auto t10_2 = t10_1 + c * d;\n"
            "  const auto t10 = t10_2 - a * d;\n"
            "  set(y, t10);\n");
}

TEST_F(Statements, NegativeTermIsSubtractedLast) {
  EXPECT_EQ(statements(c * c - a),
            "  const auto t5 = c * c - a;\n"
            "  set(y, t5);\n");
}

TEST_F(Statements, ProductOfSeveralSumsIsMultipliedOnce) {
  const Expression product = a * b;
  EXPECT_NE(statements((product + c) / (product - c)).find("= once(a * b);"), std::string::npos);
  EXPECT_EQ(statements((product + c) / product).find("once"), std::string::npos);
}

TEST_F(Statements, UnusedOperationsAreNotWritten) {
  const Expression unused = a * b;
  EXPECT_EQ(statements(a + c).find('*'), std::string::npos);
  EXPECT_NE(statements(unused).find('*'), std::string::npos);
}

TEST_F(Statements, PartsGiveResultsToLaterPartsThroughKept) {
  OperationCounts counts;
  const Expression product = a * b, quotient = product / c;
  const StatementParts written =
      write_statements(graph, {{"y", quotient + product}, {"z", quotient}}, counts, 1);
  EXPECT_EQ(written.parts,
            (std::vector<std::string>{"  const auto t4 = a * b;\n  set(kept[0], t4);\n",
                                      "  const auto t5 = kept[0] / c;\n  set(kept[1], t5);\n",
                                      "  const auto t6 = kept[0] + kept[1];\n  set(kept[2], t6);\n",
                                      "  set(y, kept[2]);\n", "  set(z, kept[1]);\n"}));
  EXPECT_EQ(written.kept, 3);
}

TEST_F(Statements, APlaceIsUsedAgainAfterItsLastReader) {
  OperationCounts counts;
  Expression y = a;
  for (int i = 0; i < 20; ++i) y = (y / b) / c;
  const StatementParts written = write_statements(graph, {{"y", y}}, counts, 1);
  EXPECT_EQ(written.parts.size(), 41u);
  EXPECT_EQ(written.kept, 2);
}

TEST_F(Statements, NonFiniteNumbersAreWrittenAsBuiltin) {
  EXPECT_NE(statements(a * (Expression(1.0) / 0.0)).find("a * __builtin_nan(\"\")"),
            std::string::npos);
}

TEST_F(Statements, StatementsEqualTheKernelsOnNumbers) {
  Random random(7);
  const std::map<std::string, double> inputs{{"a", 1.25}, {"b", -0.75}, {"c", 3.5}};
  for (int trial = 0; trial < 200; ++trial) {
    // Two lists of the same operations on the same operands.
    std::vector<Expression> x{a, b, c, 0.0, 1.0, -1.0, 0.5};
    std::vector<double> y{1.25, -0.75, 3.5, 0.0, 1.0, -1.0, 0.5};
    for (int step = 0; step < 25; ++step) {
      const auto pick = [&] {
        return static_cast<std::size_t>(std::abs(random_vector(random, 1)(0)) * 1e6) % x.size();
      };
      const std::size_t i = pick(), j = pick();
      switch (pick() % 5) {
        case 0:
          x.push_back(x[i] + x[j]);
          y.push_back(y[i] + y[j]);
          break;
        case 1:
          x.push_back(x[i] - x[j]);
          y.push_back(y[i] - y[j]);
          break;
        case 2:
          x.push_back(-x[i]);
          y.push_back(-y[i]);
          break;
        case 3:
          if (std::abs(y[j]) < 0.1) break;
          x.push_back(x[i] / x[j]);
          y.push_back(y[i] / y[j]);
          break;
        default:
          if (std::abs(y[i] * y[j]) > 1e3) break;
          x.push_back(x[i] * x[j]);
          y.push_back(y[i] * y[j]);
      }
      if (std::abs(y.back()) > 1e3) {
        x.pop_back();
        y.pop_back();
      }
    }
    // Folding changes the order of roundings, and a difference of nearly equal numbers shows it.
    EXPECT_NEAR(run(statements(x.back()), inputs), y.back(), 1e-8) << statements(x.back());
    EXPECT_NEAR(run(statements(x.back(), 3), inputs), y.back(), 1e-8) << statements(x.back(), 3);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
