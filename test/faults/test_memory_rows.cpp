// Row 66: messages whose size would exhaust the memory of the node.
#include <fstream>

#include "node/node_peer.hpp"
#include "runtime/rejections.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

/// Resident memory of a process in MB.
long resident_mb(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::stol(line.substr(6)) / 1024;
  }
  return 0;
}

/// A peer that may send messages of any size.
Variables unlimited() {
  Variables variables = local_variables();
  variables["CYCLONEDDS_URI"] =
      "<CycloneDDS><Domain><Internal><MaxSampleSize>2000000000 "
      "B</MaxSampleSize></Internal></Domain>"
      "</CycloneDDS>";
  return variables;
}

constexpr auto kStateTimeout = std::chrono::milliseconds(400);

std::vector<std::string> node_at_200_hz() {
  return run_arm7({"-p", "state_timeout_s:=0.4", "-p", "realtime.lock_memory:=false"});
}

void begin_watch(NodePeer& peer) {
  peer.discard_reports();
  (void)peer.arrivals();
}

/// Expects that states have not been stale since begin_watch(), not even briefly. A long gap
/// between torques shows that the machine paused the node; then the test is skipped.
void expect_no_delayed_states(NodePeer& peer) {
  std::chrono::nanoseconds pause = peer.longest_pause();
  const std::vector<std::int64_t> arrivals = peer.arrivals();
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    pause = std::max(pause, std::chrono::nanoseconds(arrivals[i] - arrivals[i - 1]));
  }
  if (pause > kStateTimeout / 2) GTEST_SKIP() << "the machine paused this test or the node";
  EXPECT_FALSE(peer.reports_have("stale"));
}

class Frame : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Frame, Row66LargeFrameLeavesNoMemoryBehind) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer keeps what is freed";
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  NodePeer peer("/", unlimited());
  const NodeProcess node(node_at_200_hz());
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture);
  ASSERT_TRUE(eventually([&] { return peer.torques() > 50; }));
  auto payloads = peer.node().advertise<dds::InertiaStamped>("dynamics/payload", dds::kDefaultQos);
  auto efforts =
      peer.node().advertise<dds::JointState>("dynamics/effort_command", dds::kDefaultQos);
  ASSERT_TRUE(eventually([&] { return payloads.matched() == 1 && efforts.matched() == 1; }));
  begin_watch(peer);
  const long before = resident_mb(node.id());
  ASSERT_GT(before, 0);
  {
    const std::string frame(GetParam(), 'x');
    dds::Message<dds::InertiaStamped> payload;
    dds::assign(payload->header.frame_id, frame);
    (void)payloads.write(*payload);
    dds::Message<dds::JointState> effort;
    dds::assign(effort->header.frame_id, frame);
    (void)efforts.write(*effort);
  }
  // Messages of a topic arrive in order: when these are reported, the large ones have been handled.
  {
    dds::Message<dds::InertiaStamped> payload;
    payload->inertia.m = -1.0;
    dds::assign(payload->header.frame_id, "flange");
    (void)payloads.write(*payload);
    dds::Message<dds::JointState> effort;
    dds::assign(effort->name, std::vector<std::string>{"nobody"});
    dds::assign(effort->effort, std::vector<double>{1.0});
    (void)efforts.write(*effort);
  }
  EXPECT_TRUE(peer.diagnostics_show(to_string(RejectionReason::kBadPayload)));
  EXPECT_TRUE(peer.diagnostics_show(to_string(RejectionReason::kUnknownJoint)));
  EXPECT_TRUE(eventually([&] { return resident_mb(node.id()) < before + 10; }))
      << resident_mb(node.id()) - before << " MB more";
  const int torques = peer.torques();
  EXPECT_TRUE(eventually([&] { return peer.torques() > torques + 50; }));
  expect_no_delayed_states(peer);
}
INSTANTIATE_TEST_SUITE_P(Sizes, Frame,
                         ::testing::Values(7'000'000,     // decoded if its topic permits it
                                           30'000'000,    // assembled, and dropped unread
                                           200'000'000),  // not assembled
                         [](const auto& test) { return std::to_string(test.param / 1'000'000); });

/// Peak resident memory of a process in MB.
long peak_mb(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stol(line.substr(6)) / 1024;
  }
  return 0;
}

struct Trajectory {
  std::uint32_t points;
  std::size_t joints;
  int messages;
};

class LongReference : public ::testing::TestWithParam<Trajectory> {};

/// A message of 1.3 million empty points occupied the thread that reads states for 0.74 s, and 297
/// MB.
TEST_P(LongReference, Row66DelaysNoStateAndTakesBoundedMemory) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer keeps what is freed, and is slow";
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  NodePeer peer("/", unlimited());
  const NodeProcess node(node_at_200_hz());
  ASSERT_TRUE(peer.connected());
  peer.feed(model.joint_names(), kPosture);
  ASSERT_TRUE(eventually([&] { return peer.torques() > 50; }));
  auto references =
      peer.node().advertise<dds::JointTrajectory>("dynamics/reference", dds::kDefaultQos);
  ASSERT_TRUE(eventually([&] { return references.matched() == 1; }));
  begin_watch(peer);
  const long before = peak_mb(node.id());
  dds::Message<dds::JointTrajectory> message;
  const Trajectory& size = GetParam();
  const std::vector<std::string>& names = model.joint_names();
  const std::vector<double> positions(size.joints, 0.3);
  dds::assign(message->joint_names,
              std::vector<std::string>(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(size.joints)));
  dds::resize(message->points, size.points);
  std::int32_t number = 0;
  for (dds::JointTrajectoryPoint& point : dds::elements(message->points)) {
    if (size.joints > 0) dds::assign(point.positions, positions);
    ++number;
    point.time_from_start = {number / 1000, static_cast<std::uint32_t>(number % 1000) * 1'000'000U};
  }
  for (int i = 0; i < size.messages; ++i) (void)references.write(*message);
  dds::Message<dds::JointTrajectory> last;  // handled after the long ones
  dds::assign(last->joint_names, std::vector<std::string>{"nobody"});
  dds::resize(last->points, 1);
  dds::assign(dds::elements(last->points)[0].positions, std::vector<double>{0.3});
  (void)references.write(*last);
  EXPECT_TRUE(peer.diagnostics_show(to_string(RejectionReason::kUnknownJoint)));
  EXPECT_LT(peak_mb(node.id()) - before, 150);
  const int torques = peer.torques();
  EXPECT_TRUE(eventually([&] { return peer.torques() > torques + 50; }));
  expect_no_delayed_states(peer);
}
INSTANTIATE_TEST_SUITE_P(Sizes, LongReference,
                         ::testing::Values(Trajectory{1'300'000, 0, 1}, Trajectory{100'000, 7, 5}),
                         [](const auto& test) {
                           return std::to_string(test.param.points) + "Points";
                         });

}  // namespace
}  // namespace spatial_dynamics::test
