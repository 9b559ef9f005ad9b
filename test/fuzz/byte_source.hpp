// Numbers from the bytes of a fuzz input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace spatial_dynamics::fuzz {

/// Takes numbers from the end of the input, in the encoding of LLVM's FuzzedDataProvider, because
/// the seeds of the target engine are written in it. Without bytes every number is its lowest.
class ByteSource {
 public:
  ByteSource(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  [[nodiscard]] std::size_t remaining() const noexcept { return size_; }

  template <typename Integer>
  Integer in_range(Integer lowest, Integer highest) noexcept {
    const std::uint64_t range =
        static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest);
    std::uint64_t value = 0;
    for (std::uint64_t left = range; left > 0 && size_ > 0; left >>= 8U) {
      value = value << 8U | data_[--size_];
    }
    if (range != std::numeric_limits<std::uint64_t>::max()) value %= range + 1;
    return static_cast<Integer>(static_cast<std::uint64_t>(lowest) + value);
  }
  template <typename Integer>
  Integer any() noexcept {
    return in_range(std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max());
  }
  bool flag() noexcept { return in_range(0, 255) % 2 == 1; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace spatial_dynamics::fuzz
