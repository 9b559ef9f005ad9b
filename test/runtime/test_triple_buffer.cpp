#include "runtime/triple_buffer.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

#include "support/malloc_hook.hpp"

namespace spatial_dynamics::test {
namespace {

void put(TripleBuffer<int>& box, int value) {
  box.write_slot() = value;
  box.publish();
}

TEST(TripleBuffer, ReadsPrototypeBeforeFirstUpdate) {
  TripleBuffer<int> box(42);
  EXPECT_FALSE(box.update());
  EXPECT_EQ(box.read(), 42);
  EXPECT_EQ(box.write_slot(), 42);
}

TEST(TripleBuffer, ShowsAValueOnlyAfterUpdate) {
  TripleBuffer<int> box(0);
  put(box, 1);
  EXPECT_EQ(box.read(), 0);
  EXPECT_TRUE(box.update());
  EXPECT_EQ(box.read(), 1);
}

TEST(TripleBuffer, ReadsEachPublishedValueOnce) {
  TripleBuffer<int> box(0);
  put(box, 1);
  EXPECT_TRUE(box.update());
  EXPECT_FALSE(box.update());
  EXPECT_EQ(box.read(), 1);
  put(box, 2);
  EXPECT_TRUE(box.update());
  EXPECT_EQ(box.read(), 2);
}

TEST(TripleBuffer, ReportsValuesReplacedBeforeTheyWereFetched) {
  TripleBuffer<int> box(0);
  box.write_slot() = 1;
  EXPECT_FALSE(box.publish());
  box.write_slot() = 2;
  EXPECT_TRUE(box.publish());
  EXPECT_EQ(box.write_slot(), 1);
  ASSERT_TRUE(box.update());
  box.write_slot() = 3;
  EXPECT_FALSE(box.publish());
}

TEST(TripleBuffer, KeepsNewestAndSlotOfReader) {
  TripleBuffer<int> box(0);
  put(box, 1);
  ASSERT_TRUE(box.update());
  const int* const held = &box.read();
  for (int value = 2; value <= 100; ++value) {
    put(box, value);
    ASSERT_EQ(*held, 1);
    ASSERT_NE(&box.write_slot(), held);
  }
  EXPECT_TRUE(box.update());
  EXPECT_EQ(box.read(), 100);
}

TEST(TripleBuffer, SlotsShareNoCacheLine) {
  TripleBuffer<char> box('a');
  std::vector<std::uintptr_t> lines;
  for (int i = 0; i < 3; ++i) {  // three publications show the writer all slots but the reader's
    lines.push_back(reinterpret_cast<std::uintptr_t>(&box.write_slot()) / 64);
    box.publish();
  }
  EXPECT_NE(lines[0], lines[1]);
  EXPECT_EQ(lines[0], lines[2]);
  const auto reader = reinterpret_cast<std::uintptr_t>(&box.read()) / 64;
  EXPECT_NE(reader, lines[0]);
  EXPECT_NE(reader, lines[1]);
}

TEST(TripleBuffer, LetsTheWriterGrowItsSlot) {
  TripleBuffer<std::vector<double>> box({1.0});
  for (std::size_t size = 2; size < 100; ++size) {
    box.write_slot().assign(size, static_cast<double>(size));
    box.publish();
    ASSERT_TRUE(box.update());
    ASSERT_EQ(box.read(), std::vector<double>(size, static_cast<double>(size)));
  }
}

/// A payload of several cache lines that detects mixtures of two values.
struct Payload {
  std::uint64_t number = 0;
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(64, 0);
  std::uint64_t check = 0;

  void fill(std::uint64_t n) {
    number = n;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = n * 0x9E3779B97F4A7C15u + i;
    check = sum();
  }
  [[nodiscard]] std::uint64_t sum() const {
    return std::accumulate(words.begin(), words.end(), number * 31);
  }
  [[nodiscard]] bool whole() const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] != number * 0x9E3779B97F4A7C15u + i) return false;
    }
    return check == sum();
  }
};

TEST(TripleBuffer, ReaderSeesWholeValuesInOrderUpToTheNewest) {
  constexpr std::uint64_t kLast = 300'000;
  Payload first;
  first.fill(0);
  TripleBuffer<Payload> box(first);
  std::size_t writer_heap_calls = 1;
  std::thread writer([&] {
    const HeapWatch watch;
    for (std::uint64_t n = 1; n <= kLast; ++n) {
      box.write_slot().fill(n);
      box.publish();
      // Yield from time to time, so that reader and writer alternate also on one core.
      if (n % 64 == 0) std::this_thread::yield();
    }
    writer_heap_calls = watch.count();
  });

  std::uint64_t torn = 0, backward = 0, changed = 0, fetched = 0, previous = 0;
  {
    const HeapWatch watch;
    while (previous != kLast) {
      if (!box.update()) continue;
      ++fetched;
      const Payload& value = box.read();
      torn += value.whole() ? 0 : 1;
      backward += value.number > previous ? 0 : 1;
      previous = value.number;
      // The slot of the reader does not change while the writer continues.
      changed += value.whole() && value.number == previous ? 0 : 1;
    }
    EXPECT_EQ(watch.count(), 0u);
  }
  writer.join();
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(backward, 0u);
  EXPECT_EQ(changed, 0u);
  EXPECT_GT(fetched, 1u);
  EXPECT_FALSE(box.update());
  EXPECT_EQ(writer_heap_calls, 0u);
}

}  // namespace
}  // namespace spatial_dynamics::test
