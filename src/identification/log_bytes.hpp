// Bytes of a log's file, read once from begin to end, and their decompression.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace spatial_dynamics {

/// A sequence of bytes. Functions throw LogProblem.
class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Reads up to `size` bytes; fewer only at the end.
  [[nodiscard]] virtual std::size_t read(char* to, std::size_t size) = 0;

  /// Replaces `bytes` by the next `size` bytes. Returns false if there are fewer. Memory grows with
  /// what is read, not with `size`.
  [[nodiscard]] bool read_exactly(std::size_t size, std::string& bytes);
  /// Returns false if there are fewer bytes.
  [[nodiscard]] bool skip(std::uint64_t size);
};

/// Bytes in memory, which must outlive this.
class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::size_t read(char* to, std::size_t size) override;

 private:
  std::string_view bytes_;
};

/// A file descriptor, which it does not close. `progress` receives the share that was read, if the
/// size is known.
class FileBytes : public ByteSource {
 public:
  FileBytes(int descriptor, std::function<void(double share)> progress);
  [[nodiscard]] std::size_t read(char* to, std::size_t size) override;

 private:
  int descriptor_;
  std::function<void(double share)> progress_;
  double size_ = 0.0, done_ = 0.0;
};

/// The bytes of another source, whose first ones can be looked at. `source` must outlive this.
class PeekableBytes : public ByteSource {
 public:
  explicit PeekableBytes(ByteSource& source) : source_(source) {}
  [[nodiscard]] std::size_t read(char* to, std::size_t size) override;
  /// The next `size` bytes, or fewer at the end, which read() returns again. Valid until the next
  /// call.
  [[nodiscard]] std::string_view peek(std::size_t size);

 private:
  ByteSource& source_;
  std::string peeked_;
};

/// What a zstd file decompresses to. `source` must outlive this.
class ZstdBytes : public ByteSource {
 public:
  explicit ZstdBytes(ByteSource& source);
  ~ZstdBytes() override;
  [[nodiscard]] std::size_t read(char* to, std::size_t size) override;

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

inline constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";

/// Decompress `bytes`, which must give exactly `size` bytes. Memory grows with the result, not with
/// `size`. Allocate; throw LogProblem.
std::string decompress_zstd(std::string_view bytes, std::size_t size);
std::string decompress_lz4(std::string_view bytes, std::size_t size);
/// Decompresses bytes of unknown size, at most `limit`. Allocates; throws LogProblem.
std::string decompress_zstd_up_to(std::string_view bytes, std::size_t limit);

/// The checksum CRC-32 of IEEE 802.3.
std::uint32_t crc32(std::string_view bytes) noexcept;

}  // namespace spatial_dynamics
