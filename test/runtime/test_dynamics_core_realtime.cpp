// The loop's own thread inside a working node neither allocates nor locks, and has no page fault,
// whatever messages arrive.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <fstream>
#include <iterator>
#include <mutex>

#include "runtime/dynamics_core.hpp"
#include "spatial_dynamics/control/clock.hpp"
#include "support/malloc_hook.hpp"
#include "support/robots.hpp"
#include "support/thread_watch.hpp"

#include "runtime/parameters_table.hpp"
#include "support/sanitizers.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;

template <typename Condition>
bool eventually(const Condition& condition) {
  const std::int64_t deadline = steady_now_ns() + 30 * kNanosecondsPerSecond;
  while (!condition()) {
    if (steady_now_ns() > deadline) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

/// Allocates and locks for each torque, like a middleware.
class Publisher : public FrontEnd {
 public:
  bool publish(const Robot& robot, const ControlOutput& out) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!out.send_torque) return true;
    last_ = std::vector<double>(out.torque.data(), out.torque.data() + out.torque.size());
    names_ = robot.names;
    ++torques;
    return true;
  }
  void publish_report(const Diagnostics&, const std::vector<Metric>&) override { ++reports; }
  void log(LogLevel, const std::string&) override {}
  [[nodiscard]] std::int64_t ros_now() const override { return system_now_ns(); }

  std::atomic<int> torques{0}, reports{0};

 private:
  std::mutex mutex_;
  std::vector<double> last_;
  std::vector<std::string> names_;
};

class LoopOfACore : public ::testing::Test {
 protected:
  void make(const std::string& trigger) {
    ParameterSet set(parameter_table());
    set.set("realtime.lock_memory", false);
    set.set("trigger", trigger);
    set.set("torque_mode", std::string("computed_torque"));
    for (const char* const name : {"publish.torque_terms", "publish.external_torque",
                                   "publish.mass_matrix", "publish.torque_array"}) {
      set.set(name, true);
    }
    core = std::make_unique<DynamicsCore>(publisher, set);
    core->set_robot(urdf_text("arm7"));
    core->start();
    core->activate();
    names = core->robot()->names;
  }
  ~LoopOfACore() override {
    feeding = false;
    if (feeder.joinable()) feeder.join();
  }

  /// Sends every kind of message from another thread.
  void feed() {
    feeding = true;
    feeder = std::thread([this] {
      for (int i = 0; feeding; ++i) {
        send_state(0.3 + 1e-4 * (i % 100));
        if (i % 10 == 0) send_reference(0.3);
        if (i % 50 == 0) send_world(0.1 * (i / 50 % 5));
        std::this_thread::sleep_for(milliseconds(1));
      }
    });
  }
  void send_state(double position) {
    const std::vector<double> q(names.size(), position), v(names.size(), 0.01);
    core->on_joint_states({system_now_ns(),
                           {names.begin(), names.end()},
                           {q.data(), q.size()},
                           {v.data(), v.size()},
                           {v.data(), v.size()},
                           1});
  }
  void send_reference(double position) {
    const std::vector<double> q(names.size(), position), zero(names.size(), 0.0);
    core->on_reference({0,
                        {names.begin(), names.end()},
                        {{{q.data(), q.size()}, {zero.data(), zero.size()}, {}, {}, 0}}});
  }
  void send_world(double size) {
    const Model& model = core->robot()->controller.model();
    const std::string& tip = model.link(model.link_count() - 1).name;
    core->on_wrench({tip, Vector3(size, 0.0, 1.0), Vector3::Zero()});
    core->on_payload({tip, 1.0 + size, Vector3(0.0, 0.0, 0.1), Matrix3::Identity() * 0.01});
    core->on_gravity({"", Vector3(0.0, size, -9.8)});
  }
  [[nodiscard]] std::uint64_t cycles() const { return core->loop_statistics().cycles; }

  /// Expects that the loop's thread does nothing forbidden during `disturb` and a number of cycles.
  template <typename Disturb>
  void expect_a_clean_loop(std::uint64_t length, const Disturb& disturb) {
    const pid_t loop = thread_named("dynamics");
    ASSERT_NE(loop, 0);
    const std::uint64_t begin = cycles();
    const int torques = publisher.torques;
    const long faults = page_faults_of(loop);
    heap_calls.watch(loop);
    lock_calls.watch(loop);
    disturb();
    ASSERT_TRUE(eventually([&] { return cycles() >= begin + length; }));
    EXPECT_EQ(heap_calls.count(), 0u);
    EXPECT_EQ(lock_calls.count(), 0u);
    if (!kSanitized) {
      EXPECT_EQ(page_faults_of(loop) - faults, 0);
    }
    heap_calls.watch(0);
    lock_calls.watch(0);
    EXPECT_GT(publisher.torques - torques, 10);
    EXPECT_EQ(core->phase(), Phase::kRunning);
  }
  void warm_up(std::uint64_t length) {
    ASSERT_TRUE(eventually([&] { return publisher.torques > 10 && cycles() > length; }));
  }

  Publisher publisher;
  std::vector<std::string> names;
  std::atomic<bool> feeding{false};
  std::unique_ptr<DynamicsCore> core;
  std::thread feeder;
};

/// Causes a page fault, even if all memory is locked and thereby loaded in advance.
void touch_a_new_page() {
  constexpr std::size_t kLength = 64 * 1024;
  void* const memory =
      mmap(nullptr, kLength, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  EXPECT_EQ(munlock(memory, kLength), 0);
  EXPECT_EQ(madvise(memory, kLength, MADV_DONTNEED), 0);
  *static_cast<volatile char*>(memory) = 1;
  munmap(memory, kLength);
}

TEST(ThreadWatch, CountsOnlyTheWatchedThread) {
  std::atomic<int> stage{0};
  std::mutex mutex;
  std::thread other([&] {
    pthread_setname_np(pthread_self(), "other");
    stage = 1;
    while (stage < 2) std::this_thread::yield();
    void* volatile block = std::malloc(10);
    std::free(block);
    const std::lock_guard<std::mutex> lock(mutex);
    stage = 3;
    while (stage < 4) std::this_thread::yield();
    touch_a_new_page();
    stage = 5;
    while (stage < 6) std::this_thread::yield();
  });
  while (stage < 1) std::this_thread::yield();
  const pid_t thread = thread_named("other");
  EXPECT_NE(thread, 0);
  heap_calls.watch(thread);
  lock_calls.watch(thread);
  stage = 2;
  while (stage < 3) std::this_thread::yield();
  (void)std::vector<int>(100);
  EXPECT_EQ(heap_calls.count(), 2u);
  EXPECT_EQ(lock_calls.count(), 1u);
  heap_calls.watch(0);
  lock_calls.watch(0);
  const long faults = page_faults_of(thread);
  stage = 4;
  while (stage < 5) std::this_thread::yield();
  EXPECT_GT(page_faults_of(thread), faults);
  stage = 6;
  other.join();
  EXPECT_EQ(thread_named("other"), 0);
}

TEST_F(LoopOfACore, DoesNotAllocateLockOrFaultWithMessages) {
  make("timer");
  feed();
  warm_up(1000);
  expect_a_clean_loop(2000, [] {});
}

TEST_F(LoopOfACore, DoesNotAllocateLockOrFaultDuringChanges) {
  make("timer");
  feed();
  warm_up(1000);
  expect_a_clean_loop(2000, [&] {
    for (const char* const mode : {"gravity_compensation", "inverse_dynamics", "computed_torque"}) {
      core->set_parameter("torque_mode", std::string(mode));
      std::this_thread::sleep_for(milliseconds(100));
    }
    core->set_parameter("gains.kp", std::vector<double>{50.0});
    core->set_robot(urdf_text("arm7"));
    std::this_thread::sleep_for(milliseconds(300));
    core->set_robot(urdf_text("arm7"));
  });
}

TEST_F(LoopOfACore, DoesNotAllocateLockOrFaultAsWatchdog) {
  make("state");
  feed();
  warm_up(100);
  expect_a_clean_loop(100, [] {});
}

}  // namespace
}  // namespace spatial_dynamics::test
