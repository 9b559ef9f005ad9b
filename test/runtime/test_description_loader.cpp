// Descriptions that arrive faster than they can be loaded.
#include "runtime/description_loader.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "model/urdf_file.hpp"

namespace spatial_dynamics::test {
namespace {

using std::chrono::milliseconds;

class DescriptionLoaderTest : public ::testing::Test {
 protected:
  void load(const std::string& urdf) {
    ++begun;
    std::this_thread::sleep_for(takes);
    {
      const std::lock_guard<std::mutex> lock(mutex);
      loaded.push_back(urdf);
    }
    if (urdf.substr(0, 3) == "bad") throw std::runtime_error("it is bad");
  }
  std::vector<std::string> log() {
    const std::lock_guard<std::mutex> lock(mutex);
    return loaded;
  }
  template <typename Condition>
  bool wait(const Condition& condition) {
    for (int i = 0; i < 10000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
  }

  milliseconds takes{0};
  std::mutex mutex;
  std::vector<std::string> loaded;
  std::atomic<int> begun{0}, rejections{0};
  DescriptionLoader loader{[this](const std::string& urdf) { load(urdf); },
                           [this](const std::string&) { ++rejections; }};
};

TEST_F(DescriptionLoaderTest, LoadsNewestAndSkipsReplaced) {
  takes = milliseconds(50);
  loader.submit("a");
  ASSERT_TRUE(wait([&] { return !log().empty() || loader.skipped() == 0; }));
  std::this_thread::sleep_for(milliseconds(10));
  for (const char* urdf : {"b", "c", "d"}) loader.submit(urdf);
  ASSERT_TRUE(wait([&] { return !log().empty() && log().back() == "d"; }));
  EXPECT_LE(log().size(), 3u) << "a, at most one of b and c, d";
  EXPECT_GE(loader.skipped(), 1u);
}

TEST_F(DescriptionLoaderTest, TriesARejectedDescriptionOnce) {
  for (int i = 0; i < 300; ++i) {
    loader.submit("bad");
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(log().size(), 1u);
  EXPECT_EQ(rejections, 1);
  loader.submit("good");
  ASSERT_TRUE(wait([&] { return log().back() == "good"; }));
  loader.submit("bad");
  EXPECT_TRUE(wait([&] { return rejections == 2; })) << "it was not the last one";
}

TEST_F(DescriptionLoaderTest, TriesARejectedDescriptionAgainAfterRetry) {
  loader.submit("bad");
  ASSERT_TRUE(wait([&] { return rejections == 1; }));
  EXPECT_TRUE(wait([&] {  // the thread notes the rejection after it has reported it
    loader.retry();
    loader.submit("bad");
    return rejections == 2;
  }));
}

TEST_F(DescriptionLoaderTest, LoadsAtMostOneRejectedDescriptionPer100Milliseconds) {
  const auto begin = std::chrono::steady_clock::now();
  int submitted = 0;
  while (std::chrono::steady_clock::now() - begin < milliseconds(1000)) {
    loader.submit("bad" + std::to_string(submitted++));
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_LE(log().size(), 11u) << "one per 0.1 s, of " << submitted;
  EXPECT_GE(log().size(), 2u);
}

TEST_F(DescriptionLoaderTest, RejectsLargeDescriptionWithoutCopy) {
  loader.submit(std::string(kLargestUrdf + 1, ' '));
  EXPECT_EQ(rejections, 1);
  EXPECT_TRUE(log().empty());
}

TEST_F(DescriptionLoaderTest, StopWaitsForLoadAndDiscardsPending) {
  takes = milliseconds(50);
  loader.submit("a");
  std::this_thread::sleep_for(milliseconds(20));
  loader.submit("b");
  loader.stop();
  EXPECT_LE(log().size(), 1u);
  loader.submit("c");
  EXPECT_TRUE(wait([&] { return !log().empty() && log().back() == "c"; }));
}

TEST_F(DescriptionLoaderTest, CancelDoesNotWaitForALoad) {
  takes = milliseconds(500);
  loader.submit("a");
  ASSERT_TRUE(wait([&] { return begun == 1; }));
  const auto before = std::chrono::steady_clock::now();
  loader.cancel();
  EXPECT_LT(std::chrono::steady_clock::now() - before, takes / 2);
  EXPECT_FALSE(loader.is_idle());
  loader.submit("b");
  EXPECT_TRUE(wait([&] { return loader.is_idle(); }));
  loader.stop();
  EXPECT_EQ(log(), std::vector<std::string>{"a"});
  loader.submit("c");
  EXPECT_TRUE(wait([&] { return log().size() == 2; })) << "it can be used again";
}

}  // namespace
}  // namespace spatial_dynamics::test
