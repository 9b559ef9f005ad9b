#include "support/nearest_name.hpp"

#include <algorithm>
#include <cstddef>

#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr std::size_t kMostListed = 12;
constexpr std::size_t kLongestCompared = 256;  // characters

/// Levenshtein's distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& names) {
  std::string nearest;
  if (name.size() > kLongestCompared) return nearest;
  std::size_t least = kLongestCompared;
  for (const std::string& candidate : names) {
    if (candidate.size() > kLongestCompared) continue;
    const std::size_t changes = distance(name, candidate);
    if (changes >= least || 3 * changes > candidate.size()) continue;
    least = changes;
    nearest = candidate;
  }
  return nearest;
}

std::string name_advice(std::string_view name, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(name, names);
  if (!nearest.empty()) return "did you mean " + in_quotes(nearest) + "?";
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) {
    list += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  }
  return "choose among " + list + (names.size() > kMostListed ? ", ..." : "");
}

}  // namespace spatial_dynamics
