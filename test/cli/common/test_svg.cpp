#include "cli/common/svg.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(Svg, TextIsEscapedAndPlaced) {
  std::string svg;
  cli::add_text(svg, 1.25, -2.0, "a<b & c>d", "fill=\"red\"");
  EXPECT_EQ(svg, "<text x=\"1.2\" y=\"-2.0\" fill=\"red\">a&lt;b &amp; c&gt;d</text>\n");
}

TEST(Svg, LinesHaveTwoEndsAndAttributes) {
  std::string svg;
  cli::add_line(svg, 0.0, 1.0, 2.5, 3.04, "stroke=\"black\"");
  EXPECT_EQ(svg, "<line x1=\"0.0\" y1=\"1.0\" x2=\"2.5\" y2=\"3.0\" stroke=\"black\"/>\n");
}

}  // namespace
}  // namespace spatial_dynamics::test
