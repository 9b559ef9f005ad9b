// A buffer between two threads in which the newest value replaces the previous one.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace spatial_dynamics {

/// Passes values of type T from ONE writer thread to ONE reader thread; neither ever waits.
///
/// There are three slots: the writer fills one, the reader reads another, and the third is the
/// mailbox between them. publish() and update() exchange the caller's slot with the mailbox in a
/// single atomic operation, so both are wait-free, and no slot is used by both threads at the same
/// time.
///
///  - The newest published value replaces older values that the reader has not fetched.
///  - The reader's slot stays valid and unchanged until the reader's next update().
///  - After publish() the writer gets a slot that holds some OLDER value (or the prototype) and
///    must fill all of it. Its vectors keep their capacity; a writer that may allocate may also
///    grow them.
///  - After an update() that returned true, the reader sees everything that the writer did before
///    publish().
///
/// The writer thread may change if the two writers synchronise with each other (join, mutex); the
/// same holds for the reader. Construction allocates what copies of T allocate; after that, this
/// class does not.
template <typename T>
class TripleBuffer {
 public:
  /// All three slots start as copies of `prototype`; read() returns it until the first publish().
  explicit TripleBuffer(const T& prototype = T{})
      : slots_{Slot{prototype}, Slot{prototype}, Slot{prototype}} {}
  TripleBuffer(const TripleBuffer&) = delete;
  TripleBuffer& operator=(const TripleBuffer&) = delete;

  /// Writer: the slot to fill in place. The same one until publish(). Real-time safe.
  [[nodiscard]] T& write_slot() noexcept { return slots_[writer_.slot].value; }

  /// Writer: makes the write slot the newest value. True if it replaced a value that the reader has
  /// not fetched; the write slot then holds that value. Real-time safe, wait-free.
  bool publish() noexcept {
    // Release: the reader sees the slot's content. Acquire: the reader has finished with the slot
    // that the writer gets in return.
    const std::uint8_t before = mailbox_.state.exchange(
        static_cast<std::uint8_t>(writer_.slot | kFresh), std::memory_order_acq_rel);
    writer_.slot = before & kSlotMask;
    return (before & kFresh) != 0;
  }

  /// Reader: fetches the newest value. False if nothing was published since the last call; read()
  /// then stays as it was. Real-time safe, wait-free.
  bool update() noexcept {
    if ((mailbox_.state.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    const std::uint8_t before = mailbox_.state.exchange(reader_.slot, std::memory_order_acq_rel);
    reader_.slot = before & kSlotMask;
    return true;
  }

  /// Reader: the value of the last update(), unchanged until the next. Real-time safe.
  [[nodiscard]] const T& read() const noexcept { return slots_[reader_.slot].value; }

 private:
  static constexpr std::size_t kCacheLine = 64;
  static constexpr std::uint8_t kSlotMask = 3;
  static constexpr std::uint8_t kFresh =
      4;  // the mailbox holds a value that the reader has not seen
  static_assert(std::atomic<std::uint8_t>::is_always_lock_free, "needs a lock-free exchange");

  // Separate cache lines: writes of one thread must not slow the other.
  struct alignas(kCacheLine) Slot {
    T value;
  };
  struct alignas(kCacheLine) Mailbox {
    std::atomic<std::uint8_t> state;
  };
  struct alignas(kCacheLine) Owned {
    std::uint8_t slot;
  };

  std::array<Slot, 3> slots_;
  Owned writer_{0};
  Mailbox mailbox_{{1}};
  Owned reader_{2};
};

}  // namespace spatial_dynamics
