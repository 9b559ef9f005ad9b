// Runs node and simulated robot at 1 kHz for the given time, with faults of their surroundings.
// Checks every torque, and writes a report, a table of latencies and a plot of them.
#include <random>

#include "node/node_peer.hpp"
#include "node/two_hosts.hpp"
#include "soak/latency_log.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The network between robot and node: two hosts if that is possible, otherwise this one.
class Network {
 public:
  Network() { hosts_ = TwoHosts::make(reason); }
  [[nodiscard]] bool two_hosts() const { return hosts_ != nullptr; }
  [[nodiscard]] Variables variables() const {
    if (!hosts_) return local_variables();
    return {{"ROS_DOMAIN_ID", "1"}, {"ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET"}};
  }
  template <typename Action>
  auto at_robot(const Action& action) const {
    return hosts_ ? hosts_->robot.inside(action) : action();
  }
  template <typename Action>
  auto at_node(const Action& action) const {
    return hosts_ ? hosts_->controller.inside(action) : action();
  }
  void unplug(milliseconds length) const {
    if (!hosts_) return;
    hosts_->unplug();
    std::this_thread::sleep_for(length);
    hosts_->plug_in();
  }
  /// Loses and delays packets on the node's side for this time; false on one host. If the kernel
  /// has no netem, a limited bandwidth delays some packets and drops the others.
  [[nodiscard]] bool disturb(milliseconds length) const {
    if (!hosts_) return false;
    return at_node([&] {
      const bool disturbed = shell(
          "tc qdisc add dev eth0 root netem loss 20% delay 5ms 2ms 2>/dev/null || "
          "tc qdisc add dev eth0 root tbf rate 2mbit burst 2kb latency 5ms");
      std::this_thread::sleep_for(length);
      return disturbed && shell("tc qdisc del dev eth0 root");
    });
  }
  std::string reason;

 private:
  static bool shell(const std::string& command) {
    return std::system(("PATH=$PATH:/usr/sbin:/sbin; " + command).c_str()) == 0;
  }

  std::unique_ptr<TwoHosts> hosts_;
};

class Soak {
 public:
  explicit Soak(std::string folder)
      : log_(std::move(folder)), model_(load_urdf_file(shipped_urdf("arm7"))) {
    limits_ = VectorXd(model_.nv());
    ModelReport report;
    (void)load_urdf_file(shipped_urdf("arm7"), {}, &report);
    for (Index i = 0; i < limits_.size(); ++i) {
      limits_(i) = report.joints[static_cast<std::size_t>(i)].limits.effort;
    }
    network_.at_robot([&] {
      peer_.emplace("/", network_.variables());
      payload_.emplace(
          peer_->node().advertise<dds::InertiaStamped>("dynamics/payload", dds::kDefaultQos));
      torque_.emplace(peer_->node().subscribe<dds::JointState>(
          "dynamics/torque", dds::kCommandQos, [this](const dds::JointState& m) { judge(m); }));
    });
    start_robot();
    start_node();
    peer_->describe(urdf_text("arm7"));
  }

  int run(std::int64_t length_s) {
    const std::int64_t end = steady_now_ns() + length_s * kNanosecondsPerSecond;
    expect(serves(), "torques flow at the start");
    std::mt19937 random(7);
    while (steady_now_ns() < end && broken_.empty()) {
      std::this_thread::sleep_for(seconds(3));
      disturb(static_cast<int>(random() % 9));
      expect(serves(), "torques flow again after: " + events_.back());
    }
    return finish();
  }

 private:
  void start_robot() {
    network_.at_robot([&] {
      robot_.emplace(std::vector<std::string>{"simulate", "--dds", shipped_urdf("arm7")},
                     network_.variables());
    });
  }
  void start_node() {
    network_.at_node([&] {
      node_.emplace(std::vector<std::string>{"run", "--mode", "computed_torque", "--rate", "1000"},
                    network_.variables());
    });
  }

  /// Checks every torque: one number per joint, each finite and within its limit, and no step after
  /// a pause.
  void judge(const dds::JointState& m) {
    const VectorXd torque = Eigen::Map<const VectorXd>(m.effort._buffer, m.effort._length);
    const std::int64_t now = system_now_ns();
    ++torques_;
    if (torque.size() != limits_.size()) return broke("a torque has one number per joint");
    if (!torque.allFinite()) return broke("a torque is finite");
    if ((torque.cwiseAbs().array() > limits_.array() + 1e-9).any())
      broke("a torque keeps its limit");
    last_norm_ = torque.norm();
    log_.add(now, static_cast<double>(now - dds::nanoseconds(m.header.stamp)) * 1e-6);
  }
  void broke(const std::string& law) {
    const std::lock_guard lock(mutex_);
    if (broken_.empty()) broken_ = law;
  }
  void expect(bool holds, const std::string& law) {
    if (!holds) broke(law);
  }
  bool serves() {
    const std::int64_t before = torques_;
    return eventually([&] { return torques_ > before + 200 && last_norm_ > 1.0; }, seconds(30));
  }

  void disturb(int which) {
    const auto note = [&](const char* what) {
      events_.emplace_back(what);
      log_.mark(system_now_ns(), what);
    };
    switch (which) {
      case 0:
        note("the node is ended and started again");
        node_->send(SIGTERM);
        expect(node_->wait() == 0, "SIGTERM ends with 0");
        expect(eventually([&] { return last_norm_ == 0.0; }, seconds(1)),
               "the last torque before the end is zero");
        return start_node();
      case 1:
        note("the node is killed and started again");
        node_->send(SIGKILL);
        (void)node_->wait();
        return start_node();
      case 2:
        note("the robot is killed and started again");
        robot_->send(SIGKILL);
        (void)robot_->wait();
        std::this_thread::sleep_for(seconds(1));
        expect(last_norm_ == 0.0, "without states the torque is zero after a second");
        return start_robot();
      case 3:
        note("a burst of broken states");
        for (int i = 0; i < 5000; ++i) {
          peer_->send(model_.joint_names(), std::vector<double>(7, i % 2 == 0 ? kBroken : 1e30));
          if (i % 10 == 0) std::this_thread::sleep_for(milliseconds(1));
        }
        return;
      case 4:
        note("another payload");
        return carry(0.5);
      case 5:
        note("another description of the robot");
        heavier_ = !heavier_;
        return peer_->describe(heavier_ ? heavier_arm() : urdf_text("arm7"));
      case 6:
        note("eight processes that want the processor");
        return hog(8, seconds(4));
      case 7:
        note("packets lost and late");
        if (!network_.disturb(seconds(4))) {
          events_.back() += " (not possible here)";
        }
        return;
      default:
        note("the cable is pulled for two seconds");
        return network_.unplug(seconds(2));
    }
  }
  static std::string heavier_arm() {
    std::string urdf = urdf_text("arm7");
    const std::size_t at = urdf.rfind("<mass value=\"");
    return at == std::string::npos ? urdf : urdf.insert(at + 13, "1");
  }
  void carry(double mass) {
    dds::Message<dds::InertiaStamped> m;
    dds::assign(m->header.frame_id, model_.link(model_.link_count() - 1).name);
    m->inertia.m = payload_on_ ? 0.0 : mass;
    payload_on_ = !payload_on_;
    (void)payload_->write(*m);
  }
  static void hog(int count, seconds length) {
    std::vector<std::unique_ptr<ChildProcess>> kept;
    for (int i = 0; i < count; ++i) {
      kept.push_back(std::make_unique<ChildProcess>(
          std::vector<std::string>{"/bin/sh", "-c", "while :; do :; done"}, Variables{}));
    }
    std::this_thread::sleep_for(length);
  }

  int finish() {
    node_->send(SIGTERM);
    expect(node_->wait() == 0, "SIGTERM ends with 0");
    std::this_thread::sleep_for(milliseconds(300));
    expect(last_norm_ == 0.0, "the very last torque is zero");
    const std::lock_guard lock(mutex_);
    log_.report(torques_, events_, broken_, network_.two_hosts() ? "" : network_.reason);
    return broken_.empty() ? 0 : 1;
  }

  static constexpr double kBroken = std::numeric_limits<double>::quiet_NaN();

  LatencyLog log_;
  Network network_;
  Model model_;
  VectorXd limits_;
  std::mutex mutex_;
  std::string broken_;
  std::vector<std::string> events_;
  bool heavier_ = false;
  bool payload_on_ = false;
  std::atomic<std::int64_t> torques_{0};
  std::atomic<double> last_norm_{0.0};
  std::optional<NodePeer> peer_;
  std::optional<dds::Writer<dds::InertiaStamped>> payload_;
  std::optional<dds::Reader<dds::JointState>> torque_;
  std::optional<NodeProcess> robot_, node_;
};

}  // namespace
}  // namespace spatial_dynamics::test

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: soak SECONDS FOLDER; scripts/soak starts it\n");
    return 2;
  }
  try {
    return spatial_dynamics::test::Soak(argv[2]).run(std::atoll(argv[1]));  // NOLINT(cert-err34-c)
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
