// What options may be given, refused in words.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace spatial_dynamics::cli {

/// For ->check(): a finite number above zero. (CLI11's own writes out the largest one, all 309 digits.)
CLI::Validator positive();

/// For ->transform(): one of these names.
template <class Enumeration>
CLI::Validator choice_of(const std::map<std::string, Enumeration>& values) {
  std::string names;
  for (const auto& [name, value] : values) names += (names.empty() ? "" : ", ") + name;
  return {[values, names](std::string& text) -> std::string {
            const auto found = values.find(text);
            if (found == values.end()) return "must be one of " + names + ", not '" + text + "'";
            text = std::to_string(static_cast<int>(found->second));
            return "";
          },
          "", "choice"};
}

}  // namespace spatial_dynamics::cli
