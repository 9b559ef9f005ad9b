// The node's threads with a front end that records its calls.
#include "runtime/dynamics_core.hpp"

#include <gtest/gtest.h>

#include "core_harness.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;

TEST_F(CoreTest, AnswersStatesWithTheTorqueOfItsModel) {
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  EXPECT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  EXPECT_TRUE(notes.wait([&] { return notes.names == core->robot()->names; }));
}

TEST_F(CoreTest, SendsNothingWithoutARobotOrWhileInactive) {
  make();
  core->activate();
  EXPECT_TRUE(notes.wait([&] { return notes.reports > 0; }));
  EXPECT_EQ(notes.read(&Notes::diagnostics).level, Diagnostics::Level::kWarning);
  EXPECT_NE(notes.read(&Notes::diagnostics).message.find("no robot yet"), std::string::npos);
  core->deactivate();
  core->set_robot(urdf_text("arm7"));
  feed(core->robot()->names, 0.0);
  const int before = notes.read(&Notes::reports);
  EXPECT_TRUE(notes.wait([&] { return notes.reports > before + 1; }));
  EXPECT_EQ(notes.read(&Notes::torques), 0);
}

TEST_F(CoreTest, DeactivationEndsOnAZeroTorque) {
  make();
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torques > 10 && !notes.torque.isZero(0.0); }));
  core->deactivate();
  EXPECT_TRUE(core->wait_until_idle(kPatience));
  core->stop();
  EXPECT_TRUE(notes.read(&Notes::torque).isZero(0.0));
}

TEST_F(CoreTest, LastTorqueIsZeroAfterLongRamp) {
  for (const char* trigger : {"timer", "state"}) {
    make({{"torque_mode", std::string("gravity_compensation")},
          {"trigger", std::string(trigger)},
          {"torque_rate_limit", std::vector<double>{1.0}}});
    core->set_robot(urdf_text("arm7"));
    core->activate();
    feed(core->robot()->names, 0.3);
    ASSERT_TRUE(notes.wait([&] { return notes.torques > 10 && !notes.torque.isZero(0.0); }));
    EXPECT_FALSE(core->finish(milliseconds(50)));
    std::this_thread::sleep_for(milliseconds(20));  // states still arrive
    EXPECT_TRUE(notes.read(&Notes::torque).isZero(0.0)) << trigger;
    EXPECT_TRUE(core->finish(milliseconds(50))) << "a second call has no effect";
    feeding = false;
    feeder.join();
    notes.torques = 0;
  }
}

/// The log function blocks at the rejection, which simulates a description that takes long to load.
TEST_F(CoreTest, EndDoesNotWaitForADescription) {
  std::mutex held;
  std::unique_lock<std::mutex> hold(held);
  std::atomic<bool> loading{false};
  notes.on_log = [&](const std::string& line) {
    if (line.find("robot_description rejected") != 0) return;
    loading = true;
    const std::lock_guard<std::mutex> wait(held);
  };
  make();
  core->on_robot_description("<robot");
  while (!loading) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_TRUE(core->finish(milliseconds(50)));
  EXPECT_FALSE(core->finished()) << "the destructor would wait";
  hold.unlock();
  for (int i = 0; i < 10000 && !core->finished(); ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_TRUE(core->finished());
}

TEST_F(CoreTest, SlowPublisherCountsTorquesThatAreReplaced) {
  notes.publish_takes = milliseconds(20);
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  const auto metric = [this] {
    for (const Metric& m : notes.metrics) {
      if (m.name == "torques_replaced") return m.count;
    }
    return std::uint64_t{0};
  };
  ASSERT_TRUE(notes.wait([&] { return metric() > 10; }));
  const Diagnostics d = notes.read(&Notes::diagnostics);
  const auto value = std::find_if(d.values.begin(), d.values.end(),
                                  [](const auto& v) { return v.first == "torques replaced"; });
  ASSERT_NE(value, d.values.end());
  EXPECT_GT(std::stoi(value->second), 10);
}

/// Torques are offered with a deadline of five periods, which needs at least two.
TEST_F(CoreTest, LiveRateBelowOfferedDeadlineIsRejected) {
  make({{"rate_hz", 1000.0}});
  EXPECT_THROW(core->set_parameter("rate_hz", 399.0), ParameterError);
  EXPECT_THROW(core->check_parameters({{"rate_hz", 399.0}}), ParameterError);
  EXPECT_EQ(core->config().rate_hz, 1000.0);
  core->set_parameter("rate_hz", 400.0);
  EXPECT_EQ(core->config().rate_hz, 400.0);
}

/// A slow loop may not run a cycle before the limit.
TEST_F(CoreTest, EndOfInactiveNodeSendsNothing) {
  make({{"rate_hz", 5.0}});
  core->set_robot(urdf_text("arm7"));
  const std::uint64_t cycles = core->loop_statistics().cycles.load();
  while (core->loop_statistics().cycles.load() < cycles + 2) {  // the robot is adopted
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_TRUE(core->finish(milliseconds(20))) << "there was no torque to ramp";
  EXPECT_EQ(notes.read(&Notes::torques), 0);
}

/// ~/torque_array may be the input of a controller that another node uses.
TEST_F(CoreTest, LastZeroOmitsUnusedArray) {
  notes.records = true;
  make({{"torque_mode", std::string("gravity_compensation")},
        {"torque_rate_limit", std::vector<double>{1.0}}});
  std::string urdf = urdf_text("arm7");
  for (std::size_t at = 0; (at = urdf.find("effort=", at)) != std::string::npos; ++at) {
    urdf.replace(at, urdf.find('"', at + 8) + 1 - at, "effort=\"0\"");  // no limit
  }
  core->set_robot(urdf);
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torques > 10 && !notes.torque.isZero(0.0); }));
  EXPECT_FALSE(core->finish(milliseconds(50)));
  EXPECT_TRUE(notes.read(&Notes::torque).isZero(0.0));
  for (const Notes::Sent& sent : notes.read(&Notes::record)) EXPECT_FALSE(sent.drives);
}

/// The last zero is for the joints of the served robot, not for those of a robot that still waits
/// for the end of the ramp.
TEST_F(CoreTest, LastTorqueIsZeroForTheServedRobot) {
  for (const char* trigger : {"timer", "state"}) {
    make({{"torque_mode", std::string("gravity_compensation")},
          {"trigger", std::string(trigger)},
          {"torque_rate_limit", std::vector<double>{1.0}}});
    core->set_robot(urdf_text("arm7"));
    const std::vector<std::string> joints = core->robot()->names;
    core->activate();
    feed(joints, 0.3);
    ASSERT_TRUE(notes.wait([&] {  // from this torque the ramp takes a second
      return notes.torque.size() == 7 && notes.torque.lpNorm<Eigen::Infinity>() > 1.0;
    }));
    core->set_robot(urdf_text("double_pendulum"));
    EXPECT_FALSE(core->finish(milliseconds(50)));
    EXPECT_EQ(notes.read(&Notes::names), joints) << trigger;
    EXPECT_EQ(notes.read(&Notes::torque).size(), 7) << trigger;
    EXPECT_TRUE(notes.read(&Notes::torque).isZero(0.0)) << trigger;
    feeding = false;
    feeder.join();
  }
}

TEST_F(CoreTest, LoopDetectsMissingStates) {
  make();
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torques > 10; }));
  feeding = false;
  EXPECT_TRUE(notes.wait([&] { return notes.phase == Phase::kFallback; }));
  EXPECT_TRUE(notes.wait([&] { return notes.torque.isZero(0.0); }));
  EXPECT_TRUE(notes.wait([&] { return notes.diagnostics.level == Diagnostics::Level::kError; }));
  feed(core->robot()->names, 0.3);
  EXPECT_TRUE(notes.wait([&] { return notes.phase == Phase::kRunning; }));
}

TEST_F(CoreTest, ARobotWithTheSameJointsReplacesTheOldOneWhileRunning) {
  make({{"torque_mode", std::string("gravity_compensation")},
        {"effort_limits", std::vector<double>{1000.0}},
        {"allow_effort_above_urdf", true}});
  std::string urdf = urdf_text("arm7");
  core->set_robot(urdf);
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  // The same arm with heavier links: one more digit in front of every mass.
  for (std::size_t at = 0; (at = urdf.find("<mass value=\"", at)) != std::string::npos; at += 14) {
    urdf.insert(at + 13, "1");
  }
  const Model heavy = load_urdf(urdf);
  textbook::Data data(heavy);
  core->set_robot(urdf);
  EXPECT_TRUE(wait_for_torque(gravity_torque(heavy, data, VectorXd::Constant(7, 0.3))));
}

TEST_F(CoreTest, RobotWithOtherJointsIsAdoptedAfterZeroTorque) {
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  core->set_robot(urdf_text("double_pendulum"));
  EXPECT_TRUE(notes.wait([&] { return notes.torque.size() == 7 && notes.torque.isZero(0.0); }));
  feed(core->robot()->names, 0.3);
  EXPECT_TRUE(wait_for_torque(gravity("double_pendulum", 0.3)));
}

/// The loop continues from its present robot after other robots were offered and replaced. The
/// references of the present robot must still be there.
TEST_F(CoreTest, RobotOfferedAgainBeforeAdoptionKeepsReferences) {
  make({{"torque_mode", std::string("gravity_compensation")},
        {"trigger", std::string("state")},
        {"state_timeout_s", 5.0}});
  const std::string arm = urdf_text("arm7"), pendulum = urdf_text("double_pendulum");
  core->set_robot(arm);
  core->activate();
  const std::vector<std::string> names = core->robot()->names;
  const std::vector<double> q(7, 0.3), there(7, 0.5);
  const auto send = [&] {  // and wait for its torque
    std::this_thread::sleep_for(milliseconds(2));
    core->on_joint_states(
        {system_now_ns(), {names.begin(), names.end()}, {q.data(), 7}, {q.data(), 7}, {}, 1});
  };
  send();
  // The watchdog may step between the two, or a pause may be longer than a ramp, but not every
  // time.
  for (int i = 0; i < 5; ++i) {
    send();
    core->on_reference({0,
                        {names.begin(), names.end()},
                        {{{there.data(), 7}, {}, {}, {}, 50 * 1'000'000'000LL},
                         {{q.data(), 7}, {}, {}, {}, 100 * 1'000'000'000LL}}});
    send();
    core->set_robot(pendulum);
    core->set_robot(arm);
    send();
    send();
  }
  EXPECT_TRUE(notes.wait([&] { return notes.torque.size() == 7 && !notes.torque.isZero(0.0); }));
}

TEST_F(CoreTest, RobotWithOtherBaseIsAdoptedAfterZeroTorque) {
  const auto pendulum = [](const std::string& root) {
    const std::string inertia =
        "<inertial><origin xyz='0.2 0 0'/><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' "
        "iyy='1' "
        "iyz='0' izz='1'/></inertial>";
    return "<robot name='r'><link name='w'/><link name='base'>" + inertia +
           "</link><link name='arm'>" + inertia + "</link><joint name='root' type='" + root +
           "'><parent link='w'/><child link='base'/></joint><joint name='j' type='revolute'>"
           "<parent link='base'/><child link='arm'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' "
           "effort='50' velocity='1'/></joint></robot>";
  };
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(pendulum("fixed"));
  core->activate();
  feed({"j"}, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torque.size() == 1 && notes.torque(0) < -3.0; }));
  core->set_robot(pendulum("floating"));
  EXPECT_TRUE(notes.wait([&] { return notes.torque.size() == 1 && notes.torque.isZero(0.0); }));
  EXPECT_TRUE(notes.wait([&] {
    return core->diagnostics().message.find("the base") != std::string::npos;
  })) << "it waits for odometry";
  core->set_robot(pendulum("fixed"));
  EXPECT_TRUE(notes.wait([&] { return notes.torque.size() == 1 && notes.torque(0) < -3.0; }));
}

TEST_F(CoreTest, ABadRobotIsRejectedAndTheOldOneStays) {
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  EXPECT_THROW(core->set_robot("<robot"), ModelError);
  const int before = notes.read(&Notes::torques);
  EXPECT_TRUE(notes.wait([&] { return notes.torques > before + 100; }));
  EXPECT_NE(core->diagnostics().message.find("rejected"), std::string::npos);
}

TEST_F(CoreTest, LiveParametersChangeAtOnceAndOthersAreRejected) {
  make({{"torque_mode", std::string("gravity_compensation")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  EXPECT_THROW(core->set_parameter("urdf_file", std::string("x")), ParameterError);
  EXPECT_THROW(core->set_parameter("torque_mode", std::string("dance")), ParameterError);
  EXPECT_THROW(core->set_parameters({{"effort_limit_scale", 0.5}, {"ramp_s", -1.0}}),
               ParameterError);
  EXPECT_EQ(core->config().effort_limit_scale, 1.0);
  core->set_parameter("effort_limits", std::vector<double>{1.0});
  EXPECT_TRUE(notes.wait([&] { return notes.torque.cwiseAbs().maxCoeff() <= 1.0; }));
}

TEST_F(CoreTest, StateTriggerAnswersOnDeliveringThread) {
  make({{"torque_mode", std::string("gravity_compensation")}, {"trigger", std::string("state")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  const std::vector<std::string>& names = core->robot()->names;
  const std::vector<double> q(7, 0.3);
  // After a pause of this thread, the watchdog may handle the first state; every other state is
  // handled before on_joint_states() returns.
  int answered = 0;
  for (int i = 1; i <= 20; ++i) {
    const std::int64_t stamp = system_now_ns();
    core->on_joint_states({stamp, {names.begin(), names.end()}, {q.data(), q.size()}, {}, {}, 1});
    answered += notes.stamp_is(stamp) ? 1 : 0;
    std::this_thread::sleep_for(milliseconds(3));
  }
  EXPECT_GE(answered, 15);
  EXPECT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  EXPECT_TRUE(notes.wait([&] { return notes.torque.isZero(0.0); }));  // by the watchdog
}

TEST_F(CoreTest, TriggeredByStatesItsFiguresAreThoseOfTheStates) {
  make({{"trigger", std::string("state")}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  const std::vector<std::string>& names = core->robot()->names;
  const std::vector<double> q(7, 0.3);
  for (int i = 0; i < 100; ++i) {
    core->on_joint_states(
        {system_now_ns(), {names.begin(), names.end()}, {q.data(), q.size()}, {}, {}, 1});
    core->on_joint_states(  // too soon after the previous one
        {system_now_ns(), {names.begin(), names.end()}, {q.data(), q.size()}, {}, {}, 1});
    std::this_thread::sleep_for(milliseconds(2));
  }
  const LoopStatistics& cycles = core->cycle_statistics();
  EXPECT_NE(&cycles, &core->loop_statistics());
  EXPECT_GE(cycles.cycles, 90u);  // after a pause of this thread, the watchdog may have been first
  EXPECT_EQ(cycles.compute_time.snapshot().count(), cycles.cycles);
  EXPECT_GT(cycles.skipped, 50u);
  EXPECT_EQ(cycles.overruns, 0u);
  ASSERT_TRUE(notes.wait([&] {
    return notes.metrics.size() > 2 && notes.metrics[2].count > 80;  // compute_time
  }));
  const auto& values = notes.read(&Notes::diagnostics).values;
  EXPECT_EQ(std::count(values.begin(), values.end(),
                       std::make_pair(std::string("trigger"), std::string("state"))),
            1);
}

TEST_F(CoreTest, CallsNeitherPublishFunctionTwiceAtOnce) {
  make({{"trigger", std::string("state")}});
  notes.report_takes = milliseconds(100);
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  EXPECT_TRUE(notes.wait([&] { return notes.reports >= 2 && notes.torques > 100; }));
  EXPECT_EQ(notes.overlaps, 0);
}

TEST_F(CoreTest, DiagnosticsCountSentTorques) {
  make();
  core->set_robot(urdf_text("arm7"));
  EXPECT_EQ(torques_sent(), "0");
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torques > 10; }));
  ASSERT_TRUE(core->finish(kPatience));
  EXPECT_EQ(torques_sent(), std::to_string(notes.read(&Notes::torques)));
}

TEST_F(CoreTest, RejectedTorqueIsNotCountedAsSent) {
  make();
  notes.rejects = true;
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.torques > 10; }));
  ASSERT_TRUE(core->finish(kPatience));
  EXPECT_EQ(torques_sent(), "0");
}

TEST_F(CoreTest, PayloadOnFixedLinkIsRejectedNamingAMovingLink) {
  make();
  core->set_robot(urdf_text("arm7"));
  const Matrix3 ball = 0.01 * Matrix3::Identity();
  core->on_payload({"flange", 1.0, Vector3::Zero(), ball});
  const auto told = [this] {
    const auto lines = notes.read(&Notes::lines);
    return std::count(
        lines.begin(), lines.end(),
        "payload rejected: link 'base' is fixed to the world, where a payload changes "
        "no torque; give frame_id a link that moves, such as 'flange'");
  };
  EXPECT_EQ(told(), 0);
  for (int i = 0; i < 1000; ++i) core->on_payload({"base", 1.0, Vector3::Zero(), ball});
  EXPECT_GE(told(), 1);
  EXPECT_LE(told(), LineLimiter::kAtOnce + 3);
  const auto& values = core->diagnostics().values;
  EXPECT_EQ(std::count(values.begin(), values.end(),
                       std::make_pair(std::string("payload on a link that is fixed to the world"),
                                      std::string("1000"))),
            1);
}

TEST_F(CoreTest, IncompatiblePeersAreInDiagnostics) {
  make();
  EXPECT_EQ(core->diagnostics().message.find("RELIABILITY"), std::string::npos);
  for (int i = 0; i < 2; ++i) core->note_incompatible_qos({"/joint_states", false, "RELIABILITY"});
  EXPECT_EQ(notes.lines.back(),
            "topic '/joint_states': a publisher was found whose RELIABILITY does not fit ours; "
            "nothing will arrive from it.");
  for (const bool with_robot : {false, true}) {
    if (with_robot) core->set_robot(urdf_text("arm7"));
    const Diagnostics d = core->diagnostics();
    EXPECT_EQ(d.level, Diagnostics::Level::kWarning);
    EXPECT_NE(d.message.find("'/joint_states' does not fit ours: RELIABILITY"), std::string::npos)
        << d.message;
    EXPECT_EQ(std::count(d.values.begin(), d.values.end(),
                         std::make_pair(
                             std::string("peers whose RELIABILITY did not fit on /joint_states"),
                             std::string("2"))),
              1);
  }
  for (int i = 0; i < 1000; ++i) {
    core->note_incompatible_qos({"/" + std::to_string(i), true, "DEADLINE"});
  }
  EXPECT_LT(core->diagnostics().values.size(), 200u);  // a problem and a count for each of 64
}

TEST_F(CoreTest, PeersAndCommandsDoNotFillTheLog) {
  make();
  for (int i = 0; i < 1000; ++i) {
    core->note_incompatible_qos({"/torque", true, "DEADLINE"});
    core->on_set_active(i % 2 == 0, "a test");
  }
  EXPECT_LT(notes.read(&Notes::lines).size(), 50u);
  EXPECT_FALSE(core->active());
}

TEST_F(CoreTest, GraphProblemsAreInDiagnosticsAndLoggedOnce) {
  notes.others.inputs = {{Topic::kJointStates, "/left/joint_states", false},
                         {Topic::kOdometry, "/left/odom", false},
                         {Topic::kRobotDescription, "/left/robot_description", false}};
  notes.others.domain = 7;
  notes.others.node = "/left/dynamics";
  notes.others.nodes = {"/left/dynamics", "/rosbag", "/left/dynamics"};
  make();
  core->set_robot(urdf_text("arm7"));
  core->activate();
  ASSERT_TRUE(notes.wait([&] { return notes.reports > 2; }));
  core->stop();
  EXPECT_EQ(notes.read(&Notes::diagnostics).level, Diagnostics::Level::kWarning);
  const auto tells = [](const std::string& line) {
    return line.find("nobody publishes /left/joint_states in domain 7") != std::string::npos &&
           line.find("/left/odom") == std::string::npos &&  // the base is fixed
           line.find("/left/robot_description") == std::string::npos &&
           line.find("another node has the same name") != std::string::npos;
  };
  EXPECT_TRUE(tells(notes.read(&Notes::diagnostics).message))
      << notes.read(&Notes::diagnostics).message;
  const auto lines = notes.read(&Notes::lines);
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), tells), 1);
}

TEST_F(CoreTest, PublishedInputsAndUniqueNameAreNotReported) {
  notes.others.inputs = {{Topic::kJointStates, "/joint_states", true}};
  notes.others.node = "/dynamics";
  notes.others.nodes = {"/rosbag", "/dynamics"};
  make();
  core->set_robot(urdf_text("arm7"));
  const std::string message = core->diagnostics().message;
  EXPECT_EQ(message.find("nobody publishes"), std::string::npos) << message;
  EXPECT_EQ(message.find("same name"), std::string::npos) << message;
}

TEST_F(CoreTest, CheckingParametersChangesNothing) {
  make();
  core->set_robot(urdf_text("arm7"));
  core->check_parameters({{"effort_limit_scale", 0.5}, {"ramp_s", 1.0}});
  EXPECT_EQ(core->config().effort_limit_scale, 1.0);
  // A valid value, and a value that fits the table but not this robot.
  const ParameterChanges changes{{"ramp_s", 1.0}, {"gains.kp", std::vector<double>{1.0, 2.0}}};
  EXPECT_THROW(core->check_parameters(changes), ParameterError);
  EXPECT_THROW(core->set_parameters(changes), ParameterError);
  EXPECT_EQ(core->config().ramp_s, Config().ramp_s);
  core->set_parameters({{"effort_limit_scale", 0.5}, {"ramp_s", 1.0}});
  EXPECT_EQ(core->config().effort_limit_scale, 0.5);
  EXPECT_EQ(core->config().ramp_s, 1.0);
}

TEST_F(CoreTest, WaitingForTheClockIsReportedAndStatesAreUsedMeanwhile) {
  notes.clock_known = false;
  make({{"torque_mode", std::string("gravity_compensation")}, {"use_sim_time", true}});
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  EXPECT_TRUE(wait_for_torque(gravity("arm7", 0.3)));
  EXPECT_NE(core->diagnostics().message.find("waiting for /clock"), std::string::npos);
  EXPECT_EQ(core->robot()->inbox.count(RejectionReason::kReceiveTimeUsed), 0u);
  EXPECT_FALSE(notes.stamp_is(0));
  notes.clock_known = true;
  EXPECT_EQ(core->diagnostics().message.find("waiting for /clock"), std::string::npos);
}

/// A chain with enough links to take a while to load.
std::string long_chain(int links) {
  std::string urdf = "<robot name='chain'><link name='l0'/>";
  for (int i = 1; i <= links; ++i) {
    const std::string n = std::to_string(i);
    urdf += "<link name='l" + n +
            "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
            "ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j" +
            n + "' type='continuous'><parent link='l" + std::to_string(i - 1) +
            "'/><child link='l" + n +
            "'/><axis xyz='0 0 1'/><limit effort='10' velocity='1'/></joint>";
  }
  return urdf + "</robot>";
}

TEST_F(CoreTest, ParameterChangeDuringLoadAppliesToNewRobot) {
  make();
  const std::string urdf = long_chain(300);
  std::atomic<bool> built{false};
  std::thread builder([&] {
    core->set_robot(urdf);
    built = true;
  });
  for (int i = 1; !built; ++i) {
    core->set_parameter("effort_limit_scale", 1.0 / i);
    std::this_thread::yield();
  }
  builder.join();
  EXPECT_EQ(core->robot()->joints()->effort_limit(0), 10.0 * core->config().effort_limit_scale);
  core->set_parameter("effort_limit_scale", 0.1);
  EXPECT_EQ(core->robot()->joints()->effort_limit(0), 1.0);
}

TEST_F(CoreTest, ReportsItsFiguresOnceASecond) {
  make();
  core->set_robot(urdf_text("arm7"));
  core->activate();
  feed(core->robot()->names, 0.3);
  ASSERT_TRUE(notes.wait([&] { return notes.reports > 2; }));
  ASSERT_EQ(notes.read(&Notes::metrics).size(), 6u);
  EXPECT_EQ(notes.read(&Notes::metrics)[2].name, "compute_time");
  EXPECT_GT(notes.read(&Notes::metrics)[2].count, 10u);
  EXPECT_GT(notes.read(&Notes::metrics)[2].p50, 0.0);
}

}  // namespace
}  // namespace spatial_dynamics::test
