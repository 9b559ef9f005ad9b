// A log that no thread waits for: order, loss and the end, with a sink that blocks on request.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "runtime/log_queue.hpp"
#include "spatial_dynamics/control/clock.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;

/// A sink that outlives the queue, as an abandoned sink must. Blocks between block() and release().
class BlockingSink {
 public:
  LogQueue::Sink sink() {
    return [shared = shared_](const LogLine& line) {
      std::unique_lock lock(shared->mutex);
      ++shared->entered;
      shared->changed.notify_all();
      shared->changed.wait(lock, [&] { return !shared->blocked; });
      shared->lines.push_back(line);
    };
  }
  void block() {
    const std::lock_guard lock(shared_->mutex);
    shared_->blocked = true;
  }
  void release() {
    const std::lock_guard lock(shared_->mutex);
    shared_->blocked = false;
    shared_->changed.notify_all();
  }
  void wait_until_entered(int times) {
    std::unique_lock lock(shared_->mutex);
    shared_->changed.wait(lock, [&] { return shared_->entered >= times; });
  }
  std::vector<std::string> texts() {
    const std::lock_guard lock(shared_->mutex);
    std::vector<std::string> result;
    for (const LogLine& line : shared_->lines) result.push_back(line.text);
    return result;
  }
  int entered() {
    const std::lock_guard lock(shared_->mutex);
    return shared_->entered;
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    bool blocked = false;
    int entered = 0;
    std::vector<LogLine> lines;
  };
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

TEST(LogQueue, DeliversAllLinesInOrder) {
  BlockingSink sink;
  {
    LogQueue queue(sink.sink());
    for (int i = 0; i < 500; ++i) queue.push(LogLevel::kInfo, "node", std::to_string(i));
    EXPECT_TRUE(queue.close(std::chrono::seconds(10)));
    EXPECT_EQ(queue.lost(), 0U);
  }
  const std::vector<std::string> texts = sink.texts();
  ASSERT_EQ(texts.size(), 500U);
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(texts[i], std::to_string(i));
}

TEST(LogQueue, PushDoesNotWaitForBlockedSink) {
  BlockingSink sink;
  sink.block();
  LogQueue queue(sink.sink(), 10);
  queue.push(LogLevel::kInfo, "node", "first");
  sink.wait_until_entered(1);  // the thread is blocked in it
  const std::int64_t start = steady_now_ns();
  for (int i = 0; i < 100; ++i) queue.push(LogLevel::kInfo, "node", std::to_string(i));
  EXPECT_LT(steady_now_ns() - start, kNanosecondsPerSecond);
  EXPECT_EQ(queue.lost(), 90U);
  sink.release();
  EXPECT_TRUE(queue.drain(std::chrono::seconds(10)));
  queue.push(LogLevel::kInfo, "node", "last");
  EXPECT_TRUE(queue.drain(std::chrono::seconds(10)));
  std::vector<std::string> expected{"first"};
  for (int i = 0; i < 10; ++i) expected.push_back(std::to_string(i));
  expected.emplace_back("90 lines were lost here because the log was not read");
  expected.emplace_back("last");
  EXPECT_EQ(sink.texts(), expected);
}

TEST(LogQueue, ReportsLossBeforeNextLine) {
  BlockingSink sink;
  sink.block();
  LogQueue queue(sink.sink(), 3);
  queue.push(LogLevel::kInfo, "node", "in the sink");
  sink.wait_until_entered(1);
  for (const char* const text : {"a", "b", "c", "lost"}) queue.push(LogLevel::kInfo, "node", text);
  sink.release();
  EXPECT_TRUE(queue.drain(std::chrono::seconds(10)));
  const std::vector<std::string> expected{"in the sink", "a", "b", "c",
                                          "1 line was lost here because the log was not read"};
  EXPECT_EQ(sink.texts(), expected);
  EXPECT_EQ(queue.lost(), 1U);
}

TEST(LogQueue, CloseAbandonsHangingSink) {
  BlockingSink sink;
  sink.block();
  auto queue = std::make_unique<LogQueue>(sink.sink());
  for (int i = 0; i < 5; ++i) queue->push(LogLevel::kInfo, "node", std::to_string(i));
  sink.wait_until_entered(1);
  const std::int64_t start = steady_now_ns();
  queue.reset();
  const std::int64_t took = steady_now_ns() - start;
  EXPECT_GE(took, 200'000'000);
  EXPECT_LT(took, kNanosecondsPerSecond);  // 0.2 s, with a margin for a busy machine
  sink.release();
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(sink.entered(), 1) << "an abandoned sink was called again";
}

TEST(LogQueue, CutsLongTexts) {
  BlockingSink sink;
  LogQueue queue(sink.sink());
  queue.push(LogLevel::kInfo, "node", std::string(2 * LogQueue::kLongestText, 'x'));
  EXPECT_TRUE(queue.drain(std::chrono::seconds(10)));
  ASSERT_EQ(sink.texts().size(), 1U);
  EXPECT_EQ(sink.texts()[0], std::string(LogQueue::kLongestText, 'x') + "...");
}

TEST(LogQueue, ContinuesAfterSinkThrows) {
  std::atomic<int> calls{0};
  LogQueue queue([&calls](const LogLine&) {
    if (++calls == 1) throw std::runtime_error("no");
  });
  queue.push(LogLevel::kError, "node", "a");
  queue.push(LogLevel::kError, "node", "b");
  EXPECT_TRUE(queue.drain(std::chrono::seconds(10)));
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace spatial_dynamics::test
