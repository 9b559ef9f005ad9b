// Helpers of the tests of the DDS front end. All traffic stays on this host, in a domain that only
// this process uses.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "dds/node.hpp"
#include "support/test_domain.hpp"

namespace spatial_dynamics::test {

using Variables = std::map<std::string, std::string>;

/// An environment with these variables and no others.
inline dds::Environment environment_of(Variables variables) {
  return [variables = std::move(variables)](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}

inline Variables local_variables() {
  return {{"ROS_DOMAIN_ID", std::to_string(test_domain())},
          {"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"}};
}
inline dds::NodeOptions local_node(std::string name) {
  dds::NodeOptions options;
  options.name = std::move(name);
  options.environment = environment_of(local_variables());
  return options;
}

/// Waits until something is true; false if it takes too long.
inline bool eventually(const std::function<bool()>& is_true,
                       std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!is_true()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// The sentence of the dds::Error that `action` throws; empty if it throws none.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace spatial_dynamics::test
