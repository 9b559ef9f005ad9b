// The minimum that a node on this middleware can do: it returns every joint state unchanged, on the
// thread that received it. The additional time of another node is its own computation.
//
//   echo_dds: reads `echo/in`, publishes `echo/out`, ends on SIGINT or SIGTERM.
#include <pthread.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "dds/node.hpp"

namespace {

int run() {
  namespace dds = spatial_dynamics::dds;
  sigset_t signals{};
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before any other thread exists

  dds::NodeOptions options;
  options.name = "echo";
  options.events.on_qos_mismatch = [](const dds::QosMismatch& mismatch) {
    std::fprintf(stderr, "%s\n", mismatch.sentence().c_str());
  };
  dds::Node node(options);
  auto out = node.advertise<dds::JointState>("echo/out", dds::kOutputQos);
  const auto in = node.subscribe<dds::JointState>(
      "echo/in", dds::kStreamQos, [&](const dds::JointState& state) { (void)out.write(state); });
  std::puts("ready");
  std::fflush(stdout);
  int signal = 0;
  sigwait(&signals, &signal);
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
