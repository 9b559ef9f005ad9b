// Any text as a parameter file and as ROS 2 arguments gives parameters within their ranges, or a
// rejection in one sentence.
#include <algorithm>
#include <sstream>

#include "dds/error.hpp"
#include "dds/params_file.hpp"
#include "dds/ros_args.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/robots.hpp"
#include "runtime/config.hpp"
#include "runtime/parameters_table.hpp"

namespace {

using namespace spatial_dynamics;

/// Parameters that are valid separately may still be rejected together, or for this robot; accepted
/// ones are usable.
void expect_usable(const ParameterSet& parameters) {
  static const Model robot = load_urdf(fuzz::kFinger);
  try {
    const Config config = make_config(parameters);
    fuzz::expect(config.rate_hz > 0.0 && config.rate_hz <= 1e5, "the rate is in its range");
    fuzz::expect(config.state_timeout_s > 0.0, "states time out");
    const JointSettings joints = resolve_joint_settings(config, robot);
    fuzz::expect(joints.kp.allFinite() && joints.kd.allFinite(), "gains are finite");
    fuzz::expect((joints.effort_limit.array() >= 0.0).all(), "limits are not negative");
  } catch (const ParameterError& error) {
    fuzz::expect_sentence(error.what());
  } catch (const ModelError& error) {
    fuzz::expect_sentence(error.what());
  }
}

void read_file(const std::string& text) {
  ParameterSet parameters(parameter_table());
  for (const dds::FileParameter& p : dds::parse_params(text, "fuzz.yaml")) {
    try {
      if (dds::section_matches(p.node, "/left/dynamics")) parameters.set(p.name, p.value);
    } catch (const ParameterError& error) {
      fuzz::expect_sentence(error.what());
    }
  }
  expect_usable(parameters);
}

void read_arguments(const std::string& text) {
  std::vector<std::string> words{"--ros-args"};
  std::istringstream lines(text);
  for (std::string word; std::getline(lines, word);) words.push_back(word);
  dds::RosArguments arguments = dds::parse_ros_arguments(words);
  // Without parameter files: the result should not depend on the files of this machine.
  auto& given = arguments.parameters;
  given.erase(std::remove_if(given.begin(), given.end(),
                             [](const dds::ParameterArgument& p) { return !p.file.empty(); }),
              given.end());
  const std::string node = dds::resolve_node_name("dynamics", "/", arguments.remaps).full();
  (void)dds::resolve_topic_name("joint_states", dds::resolve_node_name("dynamics", "/", {}),
                                arguments.remaps);
  ParameterSet parameters(parameter_table());
  dds::apply_parameters(arguments, node, parameters);
  expect_usable(parameters);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are text here
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] == 'a') {
      read_arguments(text);
    } else {
      read_file(text);
    }
  } catch (const dds::Error& error) {
    fuzz::expect_sentence(error.what());
  }
  return 0;
}
