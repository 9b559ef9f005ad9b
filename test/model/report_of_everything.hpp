// A report without empty lists.
#pragma once

#include "spatial_dynamics/model/model_report.hpp"

namespace spatial_dynamics::test {

inline ModelReport report_of_everything() {
  ModelReport report;
  report.name =
      "r\xC3\xBC"
      "bezahl";
  report.dof = 8;
  report.total_mass = 12.3456789;
  report.joints.push_back({"floating_base", JointType::kFloating, "world", "base", {}, 0, 0, 0});
  report.joints.push_back(
      {"elbow", JointType::kRevolute, "base", "arm", {-1.5, kUnlimited, 2.0, 30.0}, 0.1, 0, 0.25});
  report.joints.push_back(
      {"slide", JointType::kPrismatic, "arm", "hand", {0.0, 0.04, kUnlimited, 70.0}, 0, 0, 0});
  report.lumped.push_back({"tool", "hand"});
  report.mimic.push_back({"finger", "slide", -2.0, -0.5});
  report.locked.push_back({"wrist", 0.75});
  report.findings.push_back({FindingCode::kMasslessEndLink, Severity::kWarning, "link 'hand'",
                             "it weighs nothing", "weigh it"});
  return report;
}

}  // namespace spatial_dynamics::test
