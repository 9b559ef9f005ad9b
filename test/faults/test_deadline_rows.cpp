// Row 68: subscribers that request DEADLINE or LIVELINESS learn from their middleware that torques
// have stopped.
#include "dds/error.hpp"
#include "faults/fast_dds.hpp"
#include "node/node_peer.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;

std::vector<std::string> run_with(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{
      "run", "--urdf", shipped_urdf("arm7"), "--mode", "gravity_compensation", "--ros-args"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// A reader with its own requests, as a driver may have it.
template <typename Type>
class RequestingReader {
 public:
  RequestingReader(const char* topic, milliseconds deadline, milliseconds lease,
                   dds_liveliness_kind_t kind)
      : participant_(dds::discovery_options_from(environment_of(local_variables()))) {
    const dds::Entity on(dds::checked(
        dds_create_topic(participant_.handle(), &dds::descriptor<Type>(), topic, nullptr, nullptr),
        "topic"));
    const dds::QosHandle qos = dds::make_qos(dds::kCommandQos, dds::EndpointKind::kReader, {});
    if (deadline.count() > 0) dds_qset_deadline(qos.get(), ns(deadline));
    if (lease.count() > 0) dds_qset_liveliness(qos.get(), kind, ns(lease));
    reader_ = dds::Entity(dds::checked(
        dds_create_reader(participant_.handle(), on.get(), qos.get(), nullptr), "reader"));
  }

  [[nodiscard]] bool matched() const {
    dds_subscription_matched_status_t status{};
    (void)dds_get_subscription_matched_status(reader_.get(), &status);
    return status.current_count == 1;
  }
  [[nodiscard]] std::uint32_t missed_deadlines() const {
    dds_requested_deadline_missed_status_t status{};
    (void)dds_get_requested_deadline_missed_status(reader_.get(), &status);
    return status.total_count;
  }
  [[nodiscard]] std::uint32_t lost_writers() const {
    dds_liveliness_changed_status_t status{};
    (void)dds_get_liveliness_changed_status(reader_.get(), &status);
    return status.not_alive_count;
  }

 private:
  static dds_duration_t ns(milliseconds time) { return DDS_MSECS(time.count()); }

  dds::Participant participant_;
  dds::Entity reader_;
};
using TorqueReader = RequestingReader<dds::JointState>;
using ArrayReader = RequestingReader<dds::Float64MultiArray>;

constexpr const char* kTorque = "rt/dynamics/torque";
constexpr const char* kArray = "rt/dynamics/torque_array";

TEST(Deadline, Row68RequestsOfFivePeriodsAreMatched) {
  const NodeProcess node(run_with({"-p", "rate_hz:=100"}));
  const milliseconds five_periods(50);
  const TorqueReader deadline(kTorque, five_periods, milliseconds(0), DDS_LIVELINESS_AUTOMATIC);
  const TorqueReader automatic(kTorque, milliseconds(0), five_periods, DDS_LIVELINESS_AUTOMATIC);
  const TorqueReader manual(kTorque, five_periods, five_periods, DDS_LIVELINESS_MANUAL_BY_TOPIC);
  const ArrayReader array(kArray, five_periods, five_periods, DDS_LIVELINESS_MANUAL_BY_TOPIC);
  const TorqueReader shorter(kTorque, milliseconds(49), milliseconds(0), DDS_LIVELINESS_AUTOMATIC);
  EXPECT_TRUE(eventually([&] { return deadline.matched(); }));
  EXPECT_TRUE(eventually([&] { return automatic.matched(); }));
  EXPECT_TRUE(eventually([&] { return manual.matched(); }));
  EXPECT_TRUE(eventually([&] { return array.matched(); }));
  EXPECT_FALSE(shorter.matched());
}

TEST(Deadline, Row68StateTriggerHasNoDefaultDeadline) {
  const milliseconds second(1000);
  const TorqueReader reader(kTorque, second, second, DDS_LIVELINESS_AUTOMATIC);
  const TorqueReader any(kTorque, milliseconds(0), milliseconds(0), DDS_LIVELINESS_AUTOMATIC);
  {
    const NodeProcess node(run_with({"-p", "trigger:=state"}));
    EXPECT_TRUE(eventually([&] { return any.matched(); }));
    EXPECT_FALSE(reader.matched());
  }
  const NodeProcess node(run_with({"-p", "trigger:=state", "-p", "deadline_s:=1.0"}));
  EXPECT_TRUE(eventually([&] { return reader.matched(); }));
}

TEST(Deadline, Row68KilledNodeMissesItsDeadline) {
  NodePeer peer;
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  peer.feed(model.joint_names(), kPosture);
  // One second, because other work on the machine may delay a torque by some tenths.
  NodeProcess node(run_with({"-p", "rate_hz:=50", "-p", "deadline_s:=1.0"}));
  const milliseconds second(1000);
  const TorqueReader reader(kTorque, second, second, DDS_LIVELINESS_MANUAL_BY_TOPIC);
  const ArrayReader array(kArray, second, second, DDS_LIVELINESS_MANUAL_BY_TOPIC);
  ASSERT_TRUE(eventually([&] { return reader.matched() && array.matched(); }));
  ASSERT_TRUE(eventually([&] { return peer.torques() > 10; }));
  const std::uint32_t before = reader.missed_deadlines() + array.missed_deadlines();
  std::this_thread::sleep_for(std::chrono::seconds(3));
  EXPECT_EQ(reader.missed_deadlines() + array.missed_deadlines(), before);
  EXPECT_EQ(reader.lost_writers(), 0u);
  EXPECT_EQ(array.lost_writers(), 0u);
  node.send(SIGKILL);
  EXPECT_EQ(node.wait(), 128 + SIGKILL);
  const auto soon = milliseconds(5000);  // DDS alone takes ten seconds
  EXPECT_TRUE(eventually([&] { return reader.lost_writers() == 1; }, soon));
  EXPECT_TRUE(eventually([&] { return array.lost_writers() == 1; }, soon));
  EXPECT_TRUE(eventually([&] { return reader.missed_deadlines() > before; }, soon));
}

TEST(Deadline, Row68FastDdsReportsKilledNode) {
  if (!has_fast_dds()) GTEST_SKIP() << "built without Fast DDS (libfastrtps-dev)";
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "Fast DDS hands data over by mutexes that ThreadSanitizer does not know";
#endif
  NodePeer peer;
  const Model model = load_urdf_file(shipped_urdf("arm7"));
  peer.feed(model.joint_names(), kPosture);
  auto variables = local_variables();
  variables["PEER_REQUESTS_MS"] = "1000";
  const ChildProcess fast({FAST_DDS_PEER_PATH}, variables);
  NodeProcess node(run_with({"-p", "rate_hz:=50", "-p", "deadline_s:=1.0"}));
  const auto prints = [&](const std::string& expected) {
    for (std::string line; !(line = fast.read_line()).empty();) {
      EXPECT_NE(line, "liveliness lost") << "while the node runs";
      if (line == expected) return true;
    }
    return false;
  };
  ASSERT_TRUE(prints("torques 100"));
  node.send(SIGKILL);
  EXPECT_EQ(node.wait(), 128 + SIGKILL);
  bool lost = false, missed = false;
  for (std::string line; !(lost && missed) && !(line = fast.read_line()).empty();) {
    lost = lost || line == "liveliness lost";
    missed = missed || line == "deadline missed";
  }
  EXPECT_TRUE(lost);
  EXPECT_TRUE(missed);
}

}  // namespace
}  // namespace spatial_dynamics::test
