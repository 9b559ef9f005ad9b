// The generated files in config/ and docs/ equal their tables.
#include "runtime/parameters_documents.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "runtime/parameters_table.hpp"
#include "runtime/parameters_text.hpp"
#include "support/generated_file.hpp"
#include "support/german_locale.hpp"

namespace spatial_dynamics::test {
namespace {

std::string node_yaml() {
  std::ostringstream out;
  write_default_yaml(out, parameter_table(), "dynamics");
  return out.str();
}

std::string simulator_yaml() {
  std::ostringstream out;
  write_default_yaml(out, simulator_parameter_table(), "robot_simulator");
  return out.str();
}

std::string markdown() {
  std::ostringstream out;
  write_parameter_markdown(out);
  return out.str();
}

TEST(ParameterDocuments, DefaultFilesFollowTheTables) {
  expect_current("config/dynamics.yaml", node_yaml());
  expect_current("config/simulator.yaml", simulator_yaml());
}

TEST(ParameterDocuments, TheManualPageFollowsTheTables) {
  expect_current("docs/parameters.md", markdown());
}

TEST(ParameterDocuments, Ros2PageListsMainParameters) {
  std::ostringstream rows;
  rows << "| parameter | default | meaning |\n|---|---|---|\n";
  for (const char* name :
       {"rate_hz", "torque_mode", "gains.kp", "gains.kd", "compensated_by_hardware",
        "effort_limits", "state_timeout_s", "fallback", "trigger", "floating_base"}) {
    const ParameterDescription* row = find_parameter(parameter_table(), name);
    ASSERT_NE(row, nullptr) << name;
    rows << "| `" << name << "` | `" << to_text(row->default_value) << "` | " << row->help
         << " |\n";
  }
  expect_part_current("docs/ros2.md", "parameters", rows.str());
}

TEST(ParameterDocuments, ListEveryParameter) {
  for (const ParameterDescription& row : parameter_table()) {
    EXPECT_NE(markdown().find("| `" + row.name + "` |"), std::string::npos) << row.name;
    EXPECT_NE(node_yaml().find("# " + row.help + "\n"), std::string::npos) << row.name;
  }
  for (const ParameterDescription& row : simulator_parameter_table()) {
    EXPECT_NE(simulator_yaml().find("# " + row.help + "\n"), std::string::npos) << row.name;
  }
  for (const ParameterDescription& row : simulated_system_parameter_table()) {
    EXPECT_NE(markdown().find("| `" + row.name + "` |"), std::string::npos) << row.name;
  }
}

TEST(ParameterDocuments, NamesWithADotAreNested) {
  EXPECT_NE(node_yaml().find("\n    gains:\n"), std::string::npos);
  EXPECT_NE(node_yaml().find("\n      kp: [100.0]\n"), std::string::npos);
  EXPECT_EQ(node_yaml().find("gains:", node_yaml().find("gains:") + 1), std::string::npos)
      << "one map for all gains";
}

TEST(ParameterDocuments, EmptyArraysStayComments) {
  std::istringstream lines(node_yaml());
  for (std::string line; std::getline(lines, line);) {
    const bool comment = line.find_first_not_of(' ') == line.find('#');
    if (line.find("[]") != std::string::npos || line.find("use_sim_time") != std::string::npos) {
      EXPECT_TRUE(comment) << line;
    }
  }
}

TEST(ParameterDocuments, IgnoreTheLocale) {
  const std::string expected = node_yaml() + simulator_yaml() + markdown();
  const CommaStreams streams;
  EXPECT_EQ(node_yaml() + simulator_yaml() + markdown(), expected);
}

}  // namespace
}  // namespace spatial_dynamics::test
