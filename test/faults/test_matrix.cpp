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
    {4, "an impossible number: negative mass, zero mass with inertia, beyond 1e15, not finite",
     "rejected; infinite limits mean unlimited and are reported"},
    {5, "a moving link without mass at the end of a chain",
     "reported; inverse dynamics works, forward dynamics is rejected at load unless armature "
     "provides inertia"},
    {6, "a physically inconsistent inertia",
     "rejected; if only the triangle inequality is violated, a warning, or rejected with `strict`"},
    {7, "an axis of length zero, or of another length than 1",
     "zero: rejected; otherwise: normalised and reported"},
    {8, "joints that do not form a tree, duplicate names", "rejected"},
    {9, "an unknown joint type", "rejected; planar and floating are supported"},
    {10, "a mimic of itself, of nothing, in a cycle", "rejected; chains are resolved"},
    {11, "no effort limit, or one of 0",
     "`~/torque_array` is not sent until a limit or `allow_unlimited_effort` is set"},
    {12, "10,000 links", "loaded, in time proportional to the number of links"},
    {13, "a locale with decimal commas", "identical numbers"},
    {14, "names that are not UTF-8, or with control characters", "rejected"},
    {20, "`joint_states` without one of the joints",
     "the joint's last state is kept; it is stale after `state_timeout_s`"},
    {21, "joints that the model does not have, another order",
     "other joints are ignored; the order is mapped once per change of names"},
    {22, "arrays of different lengths, no positions, duplicate names",
     "the message is dropped and counted"},
    {23, "no velocities, or velocities and efforts that are NaN",
     "positions are differentiated if velocities were known before, otherwise `missing_velocity` "
     "applies; counted"},
    {24, "a position that is NaN, infinite or absurd", "the message is dropped and counted"},
    {25, "a stamp that goes back, is zero or ahead",
     "back by less than a second: dropped; by a second or more: the order restarts; zero or ahead: "
     "the node's time is used"},
    {26, "states that stop",
     "the fallback starts and is flagged; when states return, the torque ramps up"},
    {27, "10 kHz bursts, a million elements, no names",
     "the newest message is used; memory is bounded"},
    {28, "one joint from two publishers",
     "reported; several publishers of different joints are accepted"},
    {29, "simulated time that pauses, goes back, runs ten times as fast",
     "the loop stays on the steady clock"},
    {30, "a command of another length, with NaN, of an unknown joint",
     "dropped; the last valid command is used until its timeout"},
    {31, "commands that stop", "`on_reference_timeout` selects: hold, or fallback"},
    {32, "a torque that exceeds its limit or changes too fast", "limited and flagged"},
    {33,
     "a wrench or payload on an unknown link, a payload on a link that is fixed to the world, a "
     "negative mass",
     "dropped and counted"},
    {40, "SIGINT, SIGTERM, SIGHUP, deactivation",
     "the torque ramps to zero within 0.3 s while states are still read; the last torque is zero; "
     "exit code 0"},
    {41, "the robot's process is killed",
     "detected by the node's own timer; after a restart torques are sent again"},
    {42, "the node's process is paused for a second",
     "the loop resynchronises once, which is counted; no burst of cycles"},
    {43, "the wall clock is stepped by an hour", "the rate does not change"},
    {44, "a cable is pulled, peers start late or restart", "the node recovers without a restart"},
    {45, "parameters or the robot change at run time",
     "checked, applied between two cycles; invalid ones are rejected with a reason, and the old "
     "ones stay"},
    {46, "lifecycle transitions in any order, repeated", "no leak; nothing is sent when inactive"},
    {47, "no permission for real-time priority or locked memory",
     "runs with a warning; does not start with `require_realtime`"},
    {48, "too little memory while starting", "ends with an error message"},
    {49, "incompatible QoS, another domain, no peer", "reported in diagnostics"},
    {50, "a singular mass matrix", "flagged; no acceleration is sent, nothing is NaN"},
    {51, "the log is not read: a stopped terminal, a full pipe",
     "no thread waits for it; torques, the ramp to zero and the end are not delayed; lost lines "
     "are counted; torques that do not leave the process are reported"},
    {52,
     "a stop (`fallback: stop`) or a result that is not finite, then states return, robots are "
     "replaced, parameters change",
     "stays latched; only an explicit activation ends it"},
    {53, "a signal other than SIGINT, SIGTERM, SIGHUP; SIGKILL",
     "the node ramps to zero and ends, or ignores the signal (list in safety.md); after SIGKILL "
     "the receiver's timeout switches the motors off"},
    {54, "the node is ended in the first active cycle", "no torque is sent after the last zero"},
    {55, "robots are replaced while writes are slow",
     "the last torque of each replaced robot is zero and is sent before the next robot's"},
    {56, "`effort_limits` above those of the URDF",
     "the URDF's limits apply unless `allow_effort_above_urdf` is set; reported at load"},
    {57, "a robot with other joints replaces a robot while torques are sent",
     "the old robot receives states, parameters and limits until its torque is zero"},
    {58, "effort limits are cleared while torques are sent",
     "`~/torque_array` ramps to zero within its rate limit, then is not sent"},
    {59, "a robot description with the same joints in another order",
     "arrays and per-joint parameters keep the order of the previous robot"},
    {60, "the same description again and again", "nothing changes"},
    {61, "`forward.effort_source: measured`, but states have no efforts",
     "flagged; accelerations and `~/external_torque` are not sent; a single state without efforts "
     "is tolerated for 0.1 s"},
    {62, "two nodes publish the torques of one robot",
     "an error in the diagnostics of both and in the simulator's log; the second starts when the "
     "first has sent nothing for 0.5 s, unless `yield_to_active_node` is false"},
    {63, "two publishers send the base's state",
     "the messages of each are ordered by its own stamps; reported"},
    {64, "`~/payload` or `~/gravity` sets a payload or gravity",
     "logged and shown with value and source, again at activation; a warning if the payload is too "
     "heavy in the worst pose; `reset_world_on_activation` discards both"},
    {65, "large descriptions that are rejected, repeatedly",
     "loaded on a separate thread, at most ten percent of the time; states are not delayed"},
    {66, "a message of hundreds of megabytes, or many long trajectories that start later",
     "the message is dropped before it is assembled, and its memory is released; states are not "
     "delayed; trajectories have at most a million knots for all joints together, more are "
     "rejected before they are copied"},
    {67, "states that stop, with either trigger",
     "detected within two periods after `state_timeout_s`"},
    {68, "a subscriber requests DEADLINE or LIVELINESS on torques",
     "matched if it requests `deadline_s` or longer; its middleware reports when the node is "
     "killed"},
    {69, "the first node list is lost on its way to a Fast DDS peer",
     "the list is sent again after the start and after each new reader"},
    {70, "the URDF is a pipe that nobody writes to",
     "a signal ends the wait; once the pipe is written to, it is read"},
    {71, "two libraries in one process that both link this library statically",
     "each loads its robots; one may be unloaded"},
    {72, "one state in which a joint jumps, or is too fast",
     "the message is dropped and counted; five in a row that agree are accepted"},
    {73, "a torque that changes fast, without a `torque_rate_limit`",
     "takes at least 20 ms from zero to the effort limit, except for the first torque, braking and "
     "ramps to zero"},
    {74, "a position error above `following_error_limit`",
     "the reference is dropped and the position is held, without a step, until a new reference "
     "arrives"},
    {75, "SROS 2 with the installed policy",
     "the nodes work; topics that the policy does not list are denied"},
    {76, "an external torque above `contact.threshold`, with a `contact.reaction`",
     "the reaction starts and is flagged with the joint; references are ignored until it is "
     "acknowledged"},
    {77, "the acknowledgement of a contact is lost, early or repeated",
     "the reaction stays until a new acknowledgement or an explicit activation; an acknowledgement "
     "without a contact has no effect"},
    {78,
     "a stiffness that is negative, not finite or of another length; gains that are not stable at "
     "the rate of the loop",
     "the message is dropped and counted, the old stiffness stays; unstable gains are reported at "
     "load"},
    {79, "a reference beyond the position limits", "clipped at the limit and counted"},
    {80, "a torque or motion towards a position limit",
     "the joint stops at its soft limit; the joint is named"},
    {81, "a torque that would exceed a velocity limit", "the joint keeps its cap; it is named"},
    {82, "motors whose power exceeds `envelope.power_limit`",
     "driving torques are reduced; braking torques are not"},
    {83, "a velocity limit of 0, or none", "no cap; reported at load and in diagnostics"},
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
  std::string text = "| | when | what happens | tests |\n|---|---|---|---|\n";
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

TEST(Matrix, DocumentListsEveryRowWithItsTests) {
  expect_part_current("docs/reliability.md", "rows", rows_in_words());
}

}  // namespace
}  // namespace spatial_dynamics::test
