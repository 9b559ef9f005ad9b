#include "runtime/source_watch.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

constexpr std::int64_t kMs = 1'000'000;

TEST(SourceWatch, AReplacementIsNoDispute) {
  SourceWatch watch;
  for (int i = 0; i < 2000; ++i) EXPECT_FALSE(watch.note(1, i * kMs));
  for (int i = 2000; i < 4000; ++i) EXPECT_FALSE(watch.note(2, i * kMs));
  EXPECT_FALSE(watch.disputed(4000 * kMs));
}

TEST(SourceWatch, AlternatingSourcesAreADisputeForFiveSeconds) {
  SourceWatch watch;
  watch.note(1, 1000 * kMs);
  EXPECT_FALSE(watch.note(2, 3000 * kMs));
  EXPECT_TRUE(watch.note(1, 3001 * kMs));
  EXPECT_TRUE(watch.disputed(8001 * kMs));
  EXPECT_FALSE(watch.disputed(8002 * kMs));
}

TEST(SourceWatch, UnknownPublishersAreNotCompared) {
  SourceWatch watch;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(watch.note(i % 2 == 0 ? 0 : 1, i * kMs));
  EXPECT_FALSE(watch.disputed(10 * kMs));
}

}  // namespace
}  // namespace spatial_dynamics::test
