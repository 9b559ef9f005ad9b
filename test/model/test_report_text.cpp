#include "model/report_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "model/report_of_everything.hpp"

namespace spatial_dynamics::test {
namespace {

/// The first line that begins, apart from white space, with this; empty if none does.
std::string line_with(const std::string& text, const std::string& beginning) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    if (line.compare(first, beginning.size(), beginning) == 0) return line.substr(first);
  }
  return {};
}

TEST(ReportText, BeginsWithNameDegreesOfFreedomAndMass) {
  const std::string text = report_text(report_of_everything());
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "r\xC3\xBC"
            "bezahl: 8 degrees of freedom, 12.3457 kg");
  ModelReport single;
  single.dof = 1;
  EXPECT_NE(report_text(single).find("1 degree of freedom"), std::string::npos);
}

TEST(ReportText, CoordinatesHaveTheirIndexInTheVelocity) {
  const std::string text = report_text(report_of_everything());
  EXPECT_NE(line_with(text, "0-5").find("floating_base"), std::string::npos) << text;
  EXPECT_NE(line_with(text, "0-5").find("no motor"), std::string::npos) << text;
  EXPECT_NE(line_with(text, "6 ").find("elbow"), std::string::npos) << text;
  EXPECT_NE(line_with(text, "7 ").find("slide"), std::string::npos) << text;
}

TEST(ReportText, UnitsDependOnTheTypeOfJoint) {
  const std::string text = report_text(report_of_everything());
  for (const char* part :
       {"-1.5 .. unlimited rad", "2 rad/s", "30 N m", "0.1 N m s/rad", "0.25 kg m^2"}) {
    EXPECT_NE(line_with(text, "6 ").find(part), std::string::npos) << part << "\n" << text;
  }
  for (const char* part : {"0 .. 0.04 m", "unlimited", "70 N", "0 N s/m", "0 kg"}) {
    EXPECT_NE(line_with(text, "7 ").find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(ReportText, OwnWeightIsBesideTheEffortLimit) {
  ModelReport report = report_of_everything();
  EXPECT_EQ(report_text(report).find("own weight"), std::string::npos);
  report.joints[1].weight = 12.3456;
  report.joints[2].weight = 0.0;
  const std::string text = report_text(report);
  EXPECT_NE(line_with(text, "#").find("effort    own weight"), std::string::npos) << text;
  EXPECT_NE(line_with(text, "6 ").find("30 N m    12.35 N m"), std::string::npos) << text;
  EXPECT_NE(line_with(text, "7 ").find("70 N      0 N"), std::string::npos) << text;
}

TEST(ReportText, EmptyColumnsAreOmitted) {
  const std::string text = report_text(report_of_everything());
  EXPECT_NE(line_with(text, "#").find("damping"), std::string::npos);
  EXPECT_NE(line_with(text, "#").find("armature"), std::string::npos);
  EXPECT_EQ(line_with(text, "#").find("friction"), std::string::npos);
}

TEST(ReportText, ColumnsAreAlignedByCharactersNotBytes) {
  ModelReport report = report_of_everything();
  report.joints[1].name = "\xC3\xA9lb\xC3\xB6w";
  const std::string text = report_text(report);
  const std::string umlauts = line_with(text, "6 ");
  EXPECT_EQ(umlauts.find("revolute") - 2, line_with(text, "7 ").find("prismatic")) << text;
}

TEST(ReportText, ListsMimicJointsLockedJointsAndMergedLinks) {
  const std::string text = report_text(report_of_everything());
  EXPECT_EQ(line_with(text, "finger"), "finger = -2 * slide - 0.5");
  EXPECT_EQ(line_with(text, "wrist"), "wrist at 0.75");
  EXPECT_EQ(line_with(text, "tool"), "tool  part of hand");
}

TEST(ReportText, FindingsHaveTheirRemedyBelow) {
  const std::string text = report_text(report_of_everything());
  EXPECT_EQ(line_with(text, "warning"), "warning, link 'hand': it weighs nothing");
  EXPECT_EQ(line_with(text, "->"), "-> weigh it");
  EXPECT_EQ(text.find("No problems"), std::string::npos);
  EXPECT_NE(report_text({}).find("No problems found."), std::string::npos);
}

TEST(ReportText, NoLineEndsInSpaces) {
  const std::string text = report_text(report_of_everything());
  EXPECT_EQ(text.find(" \n"), std::string::npos) << text;
  EXPECT_EQ(text.back(), '\n');
}

}  // namespace
}  // namespace spatial_dynamics::test
