// The list of faults in docs/reliability.md, from the names of the tests that try them.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/generated_file.hpp"

namespace spatial_dynamics::test {
namespace {

struct Row {
  int number;
  const char* when;
  const char* what_happens;
};

constexpr Row kRows[] = {
    {1, "the URDF is empty, truncated, malformed, or its root is not `robot`", "refused"},
    {2, "DOCTYPE, entities, nesting over 256, more than 16 MiB", "refused before it is parsed"},
    {3, "a mass that is `nan`, `inf`, too large, text, with a decimal comma, hexadecimal",
     "refused"},
    {4, "a number that can't be: negative mass, zero mass with inertia, beyond 1e15, not finite",
     "refused; infinite limits mean unlimited and are reported"},
    {5, "a moving end without mass",
     "reported; inverse dynamics works, forward dynamics is refused at load unless armature helps"},
    {6, "an inertia that no matter has",
     "refused; one that only violates the triangle inequality is warned of, refused if `strict`"},
    {7, "an axis of zero, an axis of another length", "refused; normalised and reported"},
    {8, "joints that form no tree, names given twice", "refused"},
    {9, "an unknown joint type", "refused; planar and floating are supported"},
    {10, "a mimic of itself, of nothing, in a cycle", "refused; chains are resolved"},
    {11, "no effort limit, or one of 0",
     "`~/torque_array` stays off until one is given or `allow_unlimited_effort` is set"},
    {12, "10,000 links", "loaded, in time linear in links"},
    {13, "a locale with decimal commas", "identical numbers"},
    {14, "names that are not UTF-8, or with control characters", "refused"},
    {20, "`joint_states` without one of the joints",
     "its last value is kept and ages; stale after `state_timeout_s`"},
    {21, "joints of others, another order", "ignored; mapped, once per change of names"},
    {22, "lengths that differ, no positions, a name twice", "the message is dropped and counted"},
    {23, "no velocities, or velocities and efforts that are NaN",
     "positions are differentiated where velocities were known, else `missing_velocity` is "
     "applied; counted"},
    {24, "a position that is NaN, infinite or absurd", "the message is dropped and counted"},
    {25, "a stamp that goes back, is zero or ahead",
     "a little older: dropped; a second or more: a new beginning; zero or ahead: our own time"},
    {26, "states that stop", "the fallback, flagged; back with a ramp when they return"},
    {27, "10 kHz bursts, a million elements, no names", "the newest counts; memory is bounded"},
    {28, "one joint from two publishers", "reported; different joints from several are normal"},
    {29, "simulated time that pauses, goes back, runs ten times as fast",
     "the loop stays on the steady clock"},
    {30, "a command of another length, with NaN, of an unknown joint",
     "dropped; the last good one holds until its timeout"},
    {31, "commands that stop", "`on_reference_timeout`: hold or fall back"},
    {32, "a torque over its limit, or that changes too fast", "cut and flagged"},
    {33,
     "a wrench or payload on an unknown link, a payload on one that is fixed to the world, a "
     "negative mass",
     "dropped and counted"},
    {40, "SIGINT, SIGTERM, SIGHUP, deactivation",
     "ramped to zero within 0.3 s with states still read; the last torque is zero; exit code 0"},
    {41, "the robot's process is killed", "noticed by our own timer; served again when it is back"},
    {42, "our process is stopped for a second", "one resynchronisation, counted, no burst"},
    {43, "the wall clock is stepped by an hour", "the rate stays"},
    {44, "a cable is pulled, peers come late or again", "recovers without a restart"},
    {45, "parameters or the robot change at run time",
     "checked, applied at a cycle's edge; bad ones refused with a reason, the old ones stay"},
    {46, "transitions in any order, repeated", "no leak; nothing is sent when inactive"},
    {47, "no permission for real-time priority or locked memory",
     "runs with a warning; refused with `require_realtime`"},
    {48, "too little memory while starting", "ends with a sentence"},
    {49, "quality of service that does not fit, another domain, nobody there",
     "said in diagnostics"},
    {50, "a singular mass matrix", "flagged; no acceleration is sent, nothing is NaN"},
};

/// Tests of this program by the number in their names: Suite.Row07…
std::map<int, std::set<std::string>> tests_by_row() {
  std::map<int, std::set<std::string>> tests;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      std::string name = suite.GetTestInfo(k)->name();
      if (name.rfind("Row", 0) != 0) continue;
      name = name.substr(0, name.find('/'));  // of values that a test is tried with
      std::string suite_name = suite.name();
      suite_name.erase(0, suite_name.find('/') + 1);
      tests[std::stoi(name.substr(3, 2))].insert(suite_name + "." + name);
    }
  }
  return tests;
}

std::string rows_in_words() {
  std::string text = "| | when | what happens | tried by |\n|---|---|---|---|\n";
  const auto tests = tests_by_row();
  for (const Row& row : kRows) {
    text += "| " + std::to_string(row.number) + " | " + row.when + " | " + row.what_happens + " | ";
    const auto found = tests.find(row.number);
    EXPECT_TRUE(found != tests.end()) << "row " << row.number << " has no test";
    if (found == tests.end()) continue;
    std::string names;
    for (const std::string& name : found->second) {
      names += (names.empty() ? "`" : ", `") + name + "`";
    }
    text += names + " |\n";
  }
  return text;
}

TEST(Matrix, EveryTestOfARowBelongsToARowOfTheList) {
  for (const auto& [number, names] : tests_by_row()) {
    EXPECT_TRUE(std::any_of(std::begin(kRows), std::end(kRows), [number = number](const Row& row) {
      return row.number == number;
    })) << *names.begin();
  }
}

TEST(Matrix, DocumentListsEveryRowWithTheTestsThatTryIt) {
  expect_part_current("docs/reliability.md", "rows", rows_in_words());
}

}  // namespace
}  // namespace spatial_dynamics::test
