// Files of the source tree that are generated from tables.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace spatial_dynamics::test {

/// Compares a file of the source tree with what it should be, or writes it where the environment asks for that.
inline void expect_current(const std::string& name, const std::string& expected) {
  const std::string path = std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/" + name;
  if (std::getenv("SPATIAL_DYNAMICS_REGENERATE") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(path, std::ios::binary) << expected;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream present;
  present << file.rdbuf();
  EXPECT_TRUE(present.str() == expected)
      << name
      << " does not follow the table; run this test once with SPATIAL_DYNAMICS_REGENERATE=1";
}

}  // namespace spatial_dynamics::test
