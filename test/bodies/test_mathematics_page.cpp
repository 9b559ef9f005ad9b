// docs/mathematics.md names functions and tests: all of them exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace spatial_dynamics::test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const fs::path kSource = SPATIAL_DYNAMICS_SOURCE_DIR;
const fs::path kPage = kSource / "docs" / "mathematics.md";

/// Suite.Test of every test under test/.
std::set<std::string> all_tests() {
  std::set<std::string> names;
  const std::regex test(R"(TEST(?:_P|_F)?\(\s*(\w+),\s*(\w+)\))");
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "test")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator i(text.begin(), text.end(), test), end; i != end; ++i) {
      names.insert((*i)[1].str() + "." + (*i)[2].str());
    }
  }
  return names;
}

/// The table's rows, cell by cell.
std::vector<std::vector<std::string>> rows() {
  std::vector<std::vector<std::string>> result;
  std::istringstream page(text_of(kPage));
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| ", 0) != 0 || line.rfind("| result", 0) == 0) continue;
    std::vector<std::string> cells;
    std::istringstream cell_stream(line.substr(1));
    for (std::string cell; std::getline(cell_stream, cell, '|');) cells.push_back(cell);
    result.push_back(cells);
  }
  return result;
}

TEST(MathematicsPage, EveryRowNamesAFunctionDeclaredInItsHeader) {
  const std::regex link(R"(\[`(\w+)`\]\(([^)]+)\))");
  ASSERT_GT(rows().size(), 50U);
  for (const auto& cells : rows()) {
    ASSERT_EQ(cells.size(), 4U) << cells[0];
    int functions = 0;
    for (std::sregex_iterator i(cells[2].begin(), cells[2].end(), link), end; i != end; ++i) {
      const fs::path header = kPage.parent_path() / (*i)[2].str();
      ASSERT_TRUE(fs::exists(header)) << header;
      EXPECT_TRUE(std::regex_search(text_of(header), std::regex("\\b" + (*i)[1].str() + "\\b")))
          << (*i)[1] << " is not in " << header;
      ++functions;
    }
    EXPECT_GT(functions, 0) << cells[0];
  }
}

TEST(MathematicsPage, EveryRowNamesAnExistingTest) {
  const std::set<std::string> tests = all_tests();
  const std::regex name(R"(`(\w+\.\w+)`)");
  for (const auto& cells : rows()) {
    ASSERT_EQ(cells.size(), 4U) << cells[0];
    int named = 0;
    for (std::sregex_iterator i(cells[3].begin(), cells[3].end(), name), end; i != end; ++i) {
      EXPECT_EQ(tests.count((*i)[1].str()), 1U) << (*i)[1];
      ++named;
    }
    EXPECT_GT(named, 0) << cells[0];
  }
}

TEST(MathematicsPage, HasNoDeadLink) {
  const std::string page = text_of(kPage);
  const std::regex link(R"(\]\(([^)#]+)[^)]*\))");
  for (std::sregex_iterator i(page.begin(), page.end(), link), end; i != end; ++i) {
    const std::string target = (*i)[1].str();
    if (target.rfind("http", 0) == 0) continue;
    EXPECT_TRUE(fs::exists(kPage.parent_path() / target)) << target;
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
