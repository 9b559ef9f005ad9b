#include "runtime/source_watch.hpp"
#include "support/constants.hpp"

#include <gtest/gtest.h>

namespace spatial_dynamics::test {
namespace {

TEST(SourceWatch, AReplacementIsNoDispute) {
  SourceWatch watch;
  for (int i = 0; i < 2000; ++i) EXPECT_FALSE(watch.note(1, i * kMillisecond));
  for (int i = 2000; i < 4000; ++i) EXPECT_FALSE(watch.note(2, i * kMillisecond));
  EXPECT_FALSE(watch.disputed(4000 * kMillisecond));
}

TEST(SourceWatch, AlternatingSourcesAreADisputeForFiveSeconds) {
  SourceWatch watch;
  watch.note(1, 1000 * kMillisecond);
  EXPECT_FALSE(watch.note(2, 3000 * kMillisecond));
  EXPECT_TRUE(watch.note(1, 3001 * kMillisecond));
  EXPECT_TRUE(watch.disputed(8001 * kMillisecond));
  EXPECT_FALSE(watch.disputed(8002 * kMillisecond));
}

TEST(SourceWatch, UnknownPublishersAreNotCompared) {
  SourceWatch watch;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(watch.note(i % 2 == 0 ? 0 : 1, i * kMillisecond));
  EXPECT_FALSE(watch.disputed(10 * kMillisecond));
}

}  // namespace
}  // namespace spatial_dynamics::test
