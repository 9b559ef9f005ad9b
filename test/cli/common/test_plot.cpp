#include "cli/common/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace spatial_dynamics::test {
namespace {

using cli::to_svg;
using spatial_dynamics::History;

/// The points of the n-th curve, in pixels.
std::vector<std::pair<double, double>> points_of(const std::string& svg, std::size_t n) {
  std::size_t at = 0;
  for (std::size_t i = 0; i <= n; ++i) at = svg.find("points=\"", at) + 8;
  std::istringstream text(svg.substr(at, svg.find('"', at) - at));
  std::vector<std::pair<double, double>> points;
  double x = 0.0;
  double y = 0.0;
  char comma = 0;
  while (text >> x >> comma >> y) points.emplace_back(x, y);
  return points;
}

TEST(Plot, AxesHaveRoundMarks) {
  EXPECT_EQ(cli::axis_marks(0.0, 5.0), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(cli::axis_marks(-11.0, 31.0), (std::vector<double>{-10, 0, 10, 20, 30}));
  EXPECT_TRUE(cli::axis_marks(1.0, 1.0).empty());
  for (const double scale : {1e-9, 0.37, 42.0, 1e7}) {
    const std::vector<double> marks = cli::axis_marks(-0.3 * scale, 0.9 * scale);
    EXPECT_GE(marks.size(), 3U) << scale;
    EXPECT_LE(marks.size(), 7U) << scale;
    EXPECT_GE(marks.front(), -0.3 * scale);
    EXPECT_LE(marks.back(), 0.9 * scale);
  }
}

TEST(Plot, AxesPointUpAndToTheRight) {
  History history({"y"});
  history.add(0.0, {1.0});
  history.add(1.0, {3.0});
  const auto points = points_of(to_svg("t", history, {{"p", {{0, "y"}}}}), 0);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_LT(points[0].first, points[1].first);
  EXPECT_GT(points[0].second, points[1].second);
}

TEST(Plot, ThinnedCurvesKeepTheirPeaks) {
  History history({"y"});
  for (int i = 0; i < 100000; ++i) {
    history.add(0.001 * i, {i == 77777 ? 10.0 : std::sin(0.001 * i)});
  }
  const auto points = points_of(to_svg("t", history, {{"p", {{0, "y"}}}}), 0);
  EXPECT_LT(points.size(), 2000U);
  const auto by_height = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto top = std::min_element(points.begin(), points.end(), by_height);
  const auto bottom = std::max_element(points.begin(), points.end(), by_height);
  // From -1 to 10 within 200 pixels minus the margin: the peak is ten elevenths above the lowest
  // point's neighbours.
  EXPECT_GT(bottom->second - top->second, 170.0);
}

TEST(Plot, TheHorizontalAxisMayHaveAnotherTitle) {
  History history({"y"});
  history.add(1.0, {1.0});
  history.add(4.0, {3.0});
  const std::string svg = to_svg("t", history, {{"p", {{0, "y"}}}, {"r", {{0, "y"}}}}, "joints");
  EXPECT_EQ(svg.find("time, s"), std::string::npos);
  EXPECT_EQ(svg.find("joints"), svg.rfind("joints"));  // below the last panel alone
  EXPECT_NE(svg.find("joints"), std::string::npos);
}

TEST(Plot, NamesAreEscaped) {
  History history({"y"});
  history.add(0.0, {0.0});
  const std::string svg = to_svg("<robot> & co", history, {{"a < b", {{0, "<y>"}}}});
  EXPECT_NE(svg.find("&lt;robot&gt; &amp; co"), std::string::npos);
  EXPECT_EQ(svg.find("<robot>"), std::string::npos);
  EXPECT_EQ(svg.find("<y>"), std::string::npos);
}

TEST(Plot, TheLegendHasEachNameOnceAndFitsTheLongest) {
  History history({"a", "b"});
  history.add(0.0, {0.0, 1.0});
  const auto width = [](const std::string& svg) {
    return std::stod(svg.substr(svg.find("width=\"") + 7));
  };
  const std::string few = to_svg("t", history, {{"p", {{0, "wish", true}, {1, "wish", true}}}});
  EXPECT_EQ(few.find(">wish<"), few.rfind(">wish<"));
  EXPECT_NE(few.find(">wish<"), std::string::npos);
  const std::string name(60, 'w');
  EXPECT_GT(width(to_svg("t", history, {{"p", {{0, name}}}})), width(few) + 200.0);
}

TEST(Plot, ALegendOfManyCurvesHasDistinctStyles) {
  constexpr std::size_t kCurves = 32;
  History history(std::vector<std::string>(kCurves, "y"));
  history.add(0.0, std::vector<double>(kCurves, 0.0));
  cli::Panel panel{"p", {}};
  for (std::size_t i = 0; i < kCurves; ++i)
    panel.curves.push_back({i, "joint_" + std::to_string(i)});
  const std::string svg = to_svg("t", history, {panel});
  std::set<std::string> styles;
  for (std::size_t at = 0; (at = svg.find("<polyline", at)) != std::string::npos; ++at) {
    styles.insert(svg.substr(at, svg.find(" points", at) - at));
  }
  EXPECT_EQ(styles.size(), kCurves);
  const double width = std::stod(svg.substr(svg.find("width=\"") + 7));
  for (std::size_t i = 0; i < kCurves; ++i) {
    const std::size_t name = svg.find(">joint_" + std::to_string(i) + "<");
    ASSERT_NE(name, std::string::npos) << i;
    const std::size_t place = svg.rfind("<text x=\"", name) + 9;
    EXPECT_LT(std::stod(svg.substr(place)) + 7.0 * 8.0, width) << "does not fit: " << i;
    const std::size_t height = svg.find("y=\"", place) + 3;
    EXPECT_LE(std::stod(svg.substr(height)), 60.0 + 200.0) << "below its panel: " << i;
  }
}

TEST(Plot, RoundingErrorsDoNotFillAPanel) {
  History history({"y"});
  history.add(0.0, {1e-17});
  history.add(1.0, {-1e-17});
  const auto height = [&](double least_span) {
    const auto points = points_of(to_svg("t", history, {{"p", {{0, "y"}}, least_span}}), 0);
    return points.at(1).second - points.at(0).second;
  };
  EXPECT_GT(height(0.0), 100.0);
  EXPECT_EQ(height(1e-6), 0.0);
}

TEST(Plot, AStraightLineHasFiniteCoordinates) {
  History history({"y"});
  for (int i = 0; i < 3; ++i) history.add(i, {5.0});
  const std::string svg = to_svg("t", history, {{"p", {{0, "y"}}}});
  EXPECT_EQ(points_of(svg, 0).size(), 3U);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test
