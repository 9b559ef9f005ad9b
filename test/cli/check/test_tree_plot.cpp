#include "cli/check/tree_plot.hpp"

#include <gtest/gtest.h>

#include "spatial_dynamics/model/load_urdf.hpp"
#include "support/robots.hpp"

namespace spatial_dynamics::test {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++count;
  return count;
}

struct Drawn {
  ModelReport report;
  Model model;
  std::string svg;
};

Drawn drawn(const std::string& name) {
  Drawn drawn;
  drawn.model = load_urdf_file(shipped_urdf(name), {}, &drawn.report);
  drawn.svg = cli::tree_svg(drawn.model, drawn.report);
  return drawn;
}

TEST(TreePlot, HasABoxPerBodyAndALinePerJoint) {
  for (const char* name : {"arm7", "humanoid", "gripper"}) {
    const Drawn tree = drawn(name);
    const auto bodies = static_cast<std::size_t>(tree.model.body_count());
    // The background and the legend have a rectangle each, the legend a line per type.
    EXPECT_EQ(count_of(tree.svg, "<rect"), bodies + 2) << name;
    EXPECT_EQ(count_of(tree.svg, "<line"), 2 * (bodies - 1) + 6) << name;
    for (Index i = 1; i < tree.model.body_count(); ++i) {
      const Joint& joint = tree.model.joint(i);
      EXPECT_EQ(count_of(tree.svg, ">" + joint.name + ": " + to_string(joint.type)), 1U)
          << joint.name;
    }
  }
}

TEST(TreePlot, ShowsMassesLimitsAndMergedLinks) {
  const Drawn tree = drawn("arm7");
  for (const char* part :
       {">link7 + 1 link, ", " kg</text>", "elbow: revolute, -3.072 to -0.0698 rad, 87 N m"}) {
    EXPECT_NE(tree.svg.find(part), std::string::npos) << part;
  }
  EXPECT_NE(drawn("gripper").svg.find("80 * finger_left"), std::string::npos);
}

TEST(TreePlot, MarksWarnedElements) {
  const std::string mark = "stroke=\"#c0392b\"";
  Drawn tree = drawn("arm7");
  EXPECT_EQ(count_of(tree.svg, mark), 1U) << "the legend";
  tree.report.findings.push_back(
      {FindingCode::kGrams, Severity::kWarning, "link 'link3'", "it is heavy", "weigh it"});
  tree.report.findings.push_back(
      {FindingCode::kUnlimitedJoint, Severity::kInfo, "joint 'elbow'", "it turns", "nothing"});
  EXPECT_EQ(count_of(cli::tree_svg(tree.model, tree.report), mark), 2U);
}

TEST(TreePlot, EscapesNames) {
  ModelReport report;
  const Model model = ModelBuilder("r").add_link("a<b>&c").build({}, &report);
  const std::string svg = cli::tree_svg(model, report);
  EXPECT_NE(svg.find("a&lt;b&gt;&amp;c"), std::string::npos);
}

}  // namespace
}  // namespace spatial_dynamics::test
