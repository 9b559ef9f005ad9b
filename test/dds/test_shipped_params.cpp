// The stand-alone node reads the parameter files in config/.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "dds/params_file.hpp"
#include "runtime/parameters_table.hpp"
#include "runtime/parameters_text.hpp"
#include "runtime/simulator_config.hpp"

namespace spatial_dynamics::test {
namespace {

using dds::apply_params_file;
using dds::parse_params;
using Numbers = std::vector<double>;

std::string shipped(const std::string& name) {
  return std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/config/" + name;
}

Config shipped_config(const std::string& name) {
  ParameterSet parameters(parameter_table());
  apply_params_file(shipped(name), "/dynamics", parameters);
  return make_config(parameters);
}

TEST(ShippedParams, DefaultFilesHoldTheDefaults) {
  ParameterSet node(parameter_table());
  ParameterSet simulator(simulator_parameter_table());
  // Start with values that are not the defaults, so that the file must set them.
  node.set("rate_hz", 1.0);
  node.set("gains.kp", Numbers{1.0, 2.0});
  node.set("fallback", std::string("stop"));
  simulator.set("substeps", std::int64_t{9});
  apply_params_file(shipped("dynamics.yaml"), "/dynamics", node);
  apply_params_file(shipped("simulator.yaml"), "/robot_simulator", simulator);
  for (const auto& row : node.table()) EXPECT_EQ(node.get(row.name), row.default_value) << row.name;
  for (const auto& row : simulator.table()) {
    EXPECT_EQ(simulator.get(row.name), row.default_value) << row.name;
  }
}

TEST(ShippedParams, DefaultFileSetsEveryNonEmptyParameter) {
  std::ifstream file(shipped("dynamics.yaml"));
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::set<std::string> names;
  for (const auto& parameter : parse_params(text, "dynamics.yaml")) names.insert(parameter.name);
  for (const auto& row : parameter_table()) {
    const std::string value = to_text(row.default_value);
    const bool stays_out = value == "[]" || value == "\"\"" || row.name == "use_sim_time";
    EXPECT_EQ(names.count(row.name), stays_out ? 0U : 1U) << row.name;
  }
}

TEST(ShippedParams, PresetsSetTheirMode) {
  EXPECT_EQ(shipped_config("gravity_compensation.yaml").torque_mode,
            TorqueMode::kGravityCompensation);
  EXPECT_EQ(shipped_config("computed_torque.yaml").torque_mode, TorqueMode::kComputedTorque);
  EXPECT_EQ(shipped_config("hand_guiding.yaml").torque_mode, TorqueMode::kHandGuiding);
  EXPECT_EQ(shipped_config("joint_impedance.yaml").torque_mode, TorqueMode::kJointImpedance);
  EXPECT_TRUE(shipped_config("hardware_gravity.yaml").compensated_by_hardware.gravity);
  EXPECT_TRUE(shipped_config("floating_base.yaml").floating_base);
}

TEST(ShippedParams, EveryFileIsReadByOneOfTheTables) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shipped(""))) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    if (entry.path().filename() == "simulator.yaml") {
      ParameterSet parameters(simulator_parameter_table());
      EXPECT_NO_THROW(apply_params_file(entry.path(), "/robot_simulator", parameters));
    } else {
      EXPECT_NO_THROW((void)shipped_config(entry.path().filename()));
    }
  }
  EXPECT_GE(count, 6U);
}

}  // namespace
}  // namespace spatial_dynamics::test
