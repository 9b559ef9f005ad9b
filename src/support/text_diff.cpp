#include "support/text_diff.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace spatial_dynamics {
namespace {

constexpr std::size_t kContextLines = 3;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// A line of the diff: ' ', '-' or '+'.
struct DiffLine {
  char mark;
  std::string_view text;
};

/// Equal lines by the longest common subsequence of the part between equal ends.
std::vector<DiffLine> compare(const std::vector<std::string_view>& a,
                              const std::vector<std::string_view>& b) {
  std::size_t start = 0, end = 0;
  const std::size_t shorter = std::min(a.size(), b.size());
  while (start < shorter && a[start] == b[start]) ++start;
  while (end < shorter - start && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  const std::size_t n = a.size() - start - end, m = b.size() - start - end;
  // length[i][j]: of the subsequence of what follows line i of a and line j of b.
  std::vector<std::vector<unsigned>> length(n + 1, std::vector<unsigned>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = m; j-- > 0;) {
      length[i][j] = a[start + i] == b[start + j] ? length[i + 1][j + 1] + 1
                                                  : std::max(length[i + 1][j], length[i][j + 1]);
    }
  }
  std::vector<DiffLine> lines;
  for (std::size_t i = 0; i < start; ++i) lines.push_back({' ', a[i]});
  for (std::size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && a[start + i] == b[start + j]) {
      lines.push_back({' ', a[start + i++]});
      ++j;
    } else if (i < n && (j == m || length[i + 1][j] >= length[i][j + 1])) {
      lines.push_back({'-', a[start + i++]});
    } else {
      lines.push_back({'+', b[start + j++]});
    }
  }
  for (std::size_t i = a.size() - end; i < a.size(); ++i) lines.push_back({' ', a[i]});
  return lines;
}

/// "@@ -1,4 +1,4 @@" and the lines from `first` to `last`.
void append_hunk(const std::vector<DiffLine>& lines, std::size_t first, std::size_t last,
                 std::size_t line_before, std::size_t line_after, std::string& out) {
  std::size_t before = 0, after = 0;
  for (std::size_t i = first; i < last; ++i) {
    before += lines[i].mark != '+' ? 1 : 0;
    after += lines[i].mark != '-' ? 1 : 0;
  }
  const auto range = [](std::size_t line, std::size_t count) {
    return std::to_string(count == 0 ? line - 1 : line) + "," + std::to_string(count);
  };
  out += "@@ -" + range(line_before, before) + " +" + range(line_after, after) + " @@\n";
  for (std::size_t i = first; i < last; ++i) {
    out += lines[i].mark;
    out += lines[i].text;
    if (lines[i].text.back() != '\n') out += "\n\\ No newline at end of file\n";
  }
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after,
                         const std::string& name_before, const std::string& name_after) {
  if (before == after) return {};
  const std::vector<DiffLine> lines = compare(lines_of(before), lines_of(after));
  std::string out = "--- " + name_before + "\n+++ " + name_after + "\n";
  std::size_t line_before = 1, line_after = 1, i = 0;
  const auto pass = [&](std::size_t to) {
    for (; i < to; ++i) {
      line_before += lines[i].mark != '+' ? 1 : 0;
      line_after += lines[i].mark != '-' ? 1 : 0;
    }
  };
  while (i < lines.size()) {
    std::size_t change = i;
    while (change < lines.size() && lines[change].mark == ' ') ++change;
    if (change == lines.size()) break;
    pass(std::max(i, change - std::min(change, kContextLines)));
    // The hunk ends where no change follows within twice the context.
    std::size_t last = change;
    for (std::size_t k = change; k < lines.size() && k <= last + 2 * kContextLines; ++k) {
      if (lines[k].mark != ' ') last = k;
    }
    const std::size_t end = std::min(lines.size(), last + 1 + kContextLines);
    append_hunk(lines, i, end, line_before, line_after, out);
    pass(end);
  }
  return out;
}

}  // namespace spatial_dynamics
