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
    {1, "the URDF is empty, truncated, malformed, or its root is not `robot`", "rejected"},
    {2, "DOCTYPE, entities, nesting over 256, more than 16 MiB", "rejected before it is parsed"},
    {3, "a mass that is `nan`, `inf`, too large, text, with a decimal comma, hexadecimal",
     "rejected"},
    {4, "a number that can't be: negative mass, zero mass with inertia, beyond 1e15, not finite",
     "rejected; infinite limits mean unlimited and are reported"},
    {5, "a moving end without mass",
     "reported; inverse dynamics works, forward dynamics is rejected at load unless armature "
     "helps"},
    {6, "a physically inconsistent inertia",
     "rejected; an inertia that only violates the triangle inequality is warned of, rejected if "
     "`strict`"},
    {7, "an axis of zero, an axis of another length", "rejected; normalised and reported"},
    {8, "joints that form no tree, names given twice", "rejected"},
    {9, "an unknown joint type", "rejected; planar and floating are supported"},
    {10, "a mimic of itself, of nothing, in a cycle", "rejected; chains are resolved"},
    {11, "no effort limit, or one of 0",
     "`~/torque_array` stays off until one is given or `allow_unlimited_effort` is set"},
    {12, "10,000 links", "loaded, in time linear in links"},
    {13, "a locale with decimal commas", "identical numbers"},
    {14, "names that are not UTF-8, or with control characters", "rejected"},
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
     "a wrench or payload on an unknown link, a payload on a link that is fixed to the world, a "
     "negative mass",
     "dropped and counted"},
    {40, "SIGINT, SIGTERM, SIGHUP, deactivation",
     "ramped to zero within 0.3 s with states still read; the last torque is zero; exit code 0"},
    {41, "the robot's process is killed", "noticed by our own timer; served again when it is back"},
    {42, "our process is stopped for a second", "one resynchronisation, counted, no burst"},
    {43, "the wall clock is stepped by an hour", "the rate stays"},
    {44, "a cable is pulled, peers come late or again", "recovers without a restart"},
    {45, "parameters or the robot change at run time",
     "checked, applied at a cycle's edge; bad ones rejected with a reason, the old ones stay"},
    {46, "transitions in any order, repeated", "no leak; nothing is sent when inactive"},
    {47, "no permission for real-time priority or locked memory",
     "runs with a warning; does not start with `require_realtime`"},
    {48, "too little memory while starting", "ends with a sentence"},
    {49, "quality of service that does not fit, another domain, nobody there",
     "reported in diagnostics"},
    {50, "a singular mass matrix", "flagged; no acceleration is sent, nothing is NaN"},
    {51, "the log is not read: a stopped terminal, a full pipe",
     "no thread waits for it; torques, the ramp to zero and the end go on; lost lines are counted; "
     "torques that do not leave the process are reported"},
    {52,
     "a stop (`fallback: stop`) or a number that is not finite, then states that return, robots "
     "that are exchanged, parameters that change",
     "stays latched; only an explicit activation ends it"},
    {53, "a signal other than SIGINT, SIGTERM, SIGHUP; SIGKILL",
     "ramped to zero and ended, or ignored (safety.md lists each); after SIGKILL the receiver's "
     "timeout switches the motors off"},
    {54, "the node is ended in the first active cycle", "no torque is sent after the last zero"},
    {55, "robots are replaced while writes are slow",
     "the last torque of each replaced robot is zero and is sent before the next robot's"},
    {56, "`effort_limits` above those of the URDF",
     "the URDF's hold unless `allow_effort_above_urdf` is set; reported at load"},
    {57, "a robot with other joints replaces a robot that is driven",
     "the old one receives states, parameters and limits until its torque is zero"},
    {58, "effort limits are cleared while a robot is driven",
     "`~/torque_array` ramps to zero within its rate limit, then falls silent"},
    {59, "a robot description with the same joints in another order",
     "arrays and per-joint parameters keep the order of the robot before"},
    {60, "the same description again and again", "nothing changes"},
    {61, "`forward.effort_source: measured`, but states carry no efforts",
     "flagged; accelerations and `~/external_torque` are not sent; one state that lacks them is "
     "bridged for 0.1 s"},
    {62, "two nodes publish the torques of one robot",
     "an error in the diagnostics of both and in the simulator's log; the second starts when the "
     "first has sent nothing for 0.5 s, unless `yield_to_active_node` is false"},
    {63, "the base's state comes from two publishers",
     "each is ordered by its own stamps; reported"},
    {64, "`~/payload` or `~/gravity` changes the world",
     "logged and shown with value and source, again at activation; a payload that is too heavy at "
     "the worst pose is warned about; `reset_world_on_activation` discards both"},
    {65, "large descriptions that are rejected, again and again",
     "loaded on a thread of their own, at most ten percent of the time; states are read meanwhile"},
    {66, "a message of hundreds of megabytes, or many long trajectories of the future",
     "dropped before it is assembled; its memory is released, states are served meanwhile; a "
     "million "
     "knots at most, for all joints together, more are rejected before they are copied"},
    {67, "states that stop, with either trigger",
     "noticed within two periods after `state_timeout_s`"},
    {68, "a subscriber requests DEADLINE or LIVELINESS on torques",
     "matched from `deadline_s` on; its middleware reports a node that is killed"},
    {69, "the first node list is lost on its way to a Fast DDS peer",
     "sent again after the start and after each new reader"},
    {70, "the URDF is a pipe that nobody writes to",
     "a signal ends the waiting; a pipe that is written to is read"},
    {71, "two libraries in one process that both link ours statically",
     "each loads its robots; one may be unloaded"},
    {72, "one state in which a joint jumps, or is too fast",
     "the message is dropped and counted; five in a row that agree are accepted"},
    {73, "a torque that changes fast, without a `torque_rate_limit`",
     "takes 20 ms to the effort limit, except for the first torque, braking and ramps to zero"},
    {74, "a position error above `following_error_limit`",
     "the reference is dropped and the position held, without a step, until a new one arrives"},
    {75, "SROS 2 with the shipped policy",
     "the nodes work; topics that it does not list are denied"},
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
