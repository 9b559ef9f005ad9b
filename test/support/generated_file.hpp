// Files of the source tree that are generated from tables.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace spatial_dynamics::test {

inline std::string source_path(const std::string& name) {
  return std::string(SPATIAL_DYNAMICS_SOURCE_DIR) + "/" + name;
}

inline std::string source_file(const std::string& name) {
  std::ifstream file(source_path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Compares a file of the source tree with its expected content, or writes it if
/// SPATIAL_DYNAMICS_REGENERATE is set.
inline void expect_current(const std::string& name, const std::string& expected) {
  if (std::getenv("SPATIAL_DYNAMICS_REGENERATE") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(source_path(name), std::ios::binary) << expected;
  }
  EXPECT_TRUE(source_file(name) == expected)
      << name
      << " does not follow the table; run this test once with SPATIAL_DYNAMICS_REGENERATE=1";
}

/// The same for a part of a file, from the line `<!-- PART -->` to `<!-- end of PART -->`.
inline void expect_part_current(const std::string& name, const std::string& part,
                                const std::string& expected) {
  std::string text = source_file(name);
  const std::string first = "<!-- " + part + " -->\n", last = "<!-- end of " + part + " -->\n";
  const std::size_t begin = text.find(first), end = text.find(last);
  ASSERT_NE(begin, std::string::npos) << name << " has no line " << first;
  ASSERT_NE(end, std::string::npos) << name << " has no line " << last;
  text.replace(begin + first.size(), end - begin - first.size(), expected);
  expect_current(name, text);
}

}  // namespace spatial_dynamics::test
