#include "identification/log_bytes.hpp"

#include <lz4frame.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "identification/log_problem.hpp"

namespace spatial_dynamics {

using ZstdDecoder = std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)>;

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;  // bytes that are allocated at once

/// Appends space for another piece, at most up to `limit` + 1 bytes, so that an excess is noticed.
void grow(std::string& bytes, std::size_t used, std::size_t limit) {
  bytes.resize(std::min(used + kPiece, limit + 1));
}

[[noreturn]] void throw_wrong_size(std::size_t size, std::size_t found) {
  throw LogProblem("claims " + std::to_string(size) + " bytes but holds " +
                   (found > size ? "more" : "only " + std::to_string(found)));
}

std::string zstd(std::string_view bytes, std::size_t limit) {
  const ZstdDecoder stream(ZSTD_createDStream(), ZSTD_freeDStream);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::string out;
  std::size_t used = 0;
  for (std::size_t more = 1; more != 0 || in.pos < in.size;) {
    if (used == out.size()) grow(out, used, limit);
    ZSTD_outBuffer to{out.data(), out.size(), used};
    const std::size_t before = in.pos;
    more = ZSTD_decompressStream(stream.get(), &to, &in);
    if (ZSTD_isError(more) != 0) throw LogProblem("is damaged (zstd)");
    const bool stuck = to.pos == used && in.pos == before;
    used = to.pos;
    if (used > limit) break;
    if (stuck && used < out.size()) throw LogProblem("is damaged (zstd)");  // it ends too early
  }
  out.resize(used);
  return out;
}

}  // namespace

bool ByteSource::read_exactly(std::size_t size, std::string& bytes) {
  bytes.clear();
  while (bytes.size() < size) {
    const std::size_t used = bytes.size(), piece = std::min(size - used, kPiece);
    bytes.resize(used + piece);
    const std::size_t count = read(bytes.data() + used, piece);
    if (count == piece) continue;
    bytes.resize(used + count);
    return false;
  }
  return true;
}

bool ByteSource::skip(std::uint64_t size) {
  std::array<char, 1U << 16U> buffer{};
  while (size > 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(size, buffer.size()));
    if (read(buffer.data(), piece) < piece) return false;
    size -= piece;
  }
  return true;
}

std::size_t MemoryBytes::read(char* to, std::size_t size) {
  const std::size_t count = std::min(size, bytes_.size());
  std::memcpy(to, bytes_.data(), count);
  bytes_.remove_prefix(count);
  return count;
}

FileBytes::FileBytes(int descriptor, std::function<void(double share)> progress)
    : descriptor_(descriptor), progress_(std::move(progress)) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<double>(status.st_size);
  }
}

std::size_t FileBytes::read(char* to, std::size_t size) {
  std::size_t count = 0;
  while (count < size) {
    const ssize_t got = ::read(descriptor_, to + count, size - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw LogProblem("can't be read: " + std::generic_category().message(errno));
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  done_ += static_cast<double>(count);
  if (size_ > 0.0) progress_(std::min(1.0, done_ / size_));
  return count;
}

std::string_view PeekableBytes::peek(std::size_t size) {
  const std::size_t known = peeked_.size();
  if (size > known) {
    peeked_.resize(size);
    peeked_.resize(known + source_.read(peeked_.data() + known, size - known));
  }
  return std::string_view(peeked_).substr(0, size);
}

std::size_t PeekableBytes::read(char* to, std::size_t size) {
  const std::size_t first = std::min(size, peeked_.size());
  std::memcpy(to, peeked_.data(), first);
  peeked_.erase(0, first);
  return first + (first < size ? source_.read(to + first, size - first) : 0);
}

struct ZstdBytes::Stream {
  explicit Stream(ByteSource& bytes) : source(bytes) {}

  ByteSource& source;
  ZstdDecoder decoder{ZSTD_createDStream(), ZSTD_freeDStream};
  std::array<char, 1U << 16U> buffer{};
  ZSTD_inBuffer in{buffer.data(), 0, 0};
  bool within_frame = false;
};

ZstdBytes::ZstdBytes(ByteSource& source) : stream_(std::make_unique<Stream>(source)) {}
ZstdBytes::~ZstdBytes() = default;

std::size_t ZstdBytes::read(char* to, std::size_t size) {
  Stream& s = *stream_;
  ZSTD_outBuffer out{to, size, 0};
  while (out.pos < size) {
    if (s.in.pos == s.in.size) {
      s.in.size = s.source.read(s.buffer.data(), s.buffer.size());
      s.in.pos = 0;
      // Without input the decoder still empties its buffer.
      if (s.in.size == 0 && !s.within_frame) break;
    }
    const bool no_input = s.in.size == 0;
    const std::size_t before = out.pos;
    const std::size_t more = ZSTD_decompressStream(s.decoder.get(), &out, &s.in);
    if (ZSTD_isError(more) != 0) throw LogProblem("is damaged (zstd)");
    s.within_frame = more != 0;
    if (no_input && out.pos == before) break;  // it is cut
  }
  return out.pos;
}

std::string decompress_zstd(std::string_view bytes, std::size_t size) {
  std::string out = zstd(bytes, size);
  if (out.size() != size) throw_wrong_size(size, out.size());
  return out;
}

std::string decompress_zstd_up_to(std::string_view bytes, std::size_t limit) {
  std::string out = zstd(bytes, limit);
  if (out.size() > limit) {
    throw LogProblem("holds more than " + std::to_string(limit >> 20U) + " MiB");
  }
  return out;
}

std::string decompress_lz4(std::string_view bytes, std::size_t size) {
  struct Delete {
    void operator()(LZ4F_dctx* context) const noexcept { LZ4F_freeDecompressionContext(context); }
  };
  LZ4F_dctx* created = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&created, LZ4F_VERSION)) != 0) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<LZ4F_dctx, Delete> context(created);
  std::string out;
  std::size_t used = 0, more = 1;
  while (more != 0 || !bytes.empty()) {
    if (used == out.size()) grow(out, used, size);
    std::size_t written = out.size() - used, taken = bytes.size();
    more =
        LZ4F_decompress(context.get(), out.data() + used, &written, bytes.data(), &taken, nullptr);
    if (LZ4F_isError(more) != 0) throw LogProblem("is damaged (lz4)");
    bytes.remove_prefix(taken);
    used += written;
    if (used > size) break;
    if (written == 0 && taken == 0 && used < out.size()) throw LogProblem("is damaged (lz4)");
  }
  out.resize(used);
  if (used != size) throw_wrong_size(size, used);
  return out;
}

std::uint32_t crc32(std::string_view bytes) noexcept {
  static const auto kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
      table[i] = c;
    }
    return table;
  }();
  std::uint32_t c = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    c = kTable[(c ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (c >> 8U);
  }
  return ~c;
}

}  // namespace spatial_dynamics
