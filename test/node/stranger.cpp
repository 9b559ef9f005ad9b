// Another process in the same domain: sends joint states for two seconds and receives torques. The
// environment may give it keys. At its end it prints "peers N torques N": the number of its
// subscribers, and of the torques that it received.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "dds/messages.hpp"
#include "dds/node.hpp"
#include "spatial_dynamics/control/clock.hpp"

int main(int argc, char** argv) {
  using namespace spatial_dynamics;
  try {
    const std::vector<std::string> joints(argv + 1, argv + argc);
    std::atomic<int> torques{0};
    dds::NodeOptions options;
    options.name = "stranger";
    dds::Node node(options);
    auto states = node.advertise<dds::JointState>("joint_states", dds::kDefaultQos);
    const auto reader = node.subscribe<dds::JointState>("dynamics/torque", dds::kCommandQos,
                                                        [&](const dds::JointState&) { ++torques; });
    dds::Message<dds::JointState> message;
    dds::assign(message->header.frame_id, "");
    dds::assign(message->name, joints);
    dds::assign(message->position, std::vector<double>(joints.size(), 1.0));
    std::uint32_t peers = 0;
    for (int i = 0; i < 400; ++i) {
      message->header.stamp = dds::from_nanoseconds(system_now_ns());
      (void)states.write(*message);
      peers = std::max(peers, states.matched());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::printf("peers %u torques %d\n", peers, torques.load());
    return 0;
  } catch (const std::exception& error) {
    std::printf("rejected: %s\n", error.what());
    return 1;
  }
}
