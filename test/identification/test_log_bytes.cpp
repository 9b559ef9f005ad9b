#include "identification/log_bytes.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <random>

#include "cli/robot_file.hpp"
#include "identification/log_problem.hpp"
#include "support/recordings.hpp"

namespace spatial_dynamics::test {
namespace {

/// Bytes that compress somewhat.
std::string some_bytes(std::size_t size) {
  std::mt19937 random(1);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() % 5);
  return bytes;
}

template <typename Function>
std::string bytes_problem(Function function) {
  try {
    (void)function();
  } catch (const LogProblem& problem) {
    return problem.what();
  }
  return {};
}

std::string read_everything(ByteSource& bytes) {
  std::string all;
  (void)bytes.read_exactly(1U << 30U, all);
  return all;
}

TEST(LogBytesTest, ChecksumIsThatOfTheStandard) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926U);
  EXPECT_EQ(crc32(""), 0U);
}

TEST(LogBytesTest, DecompressesWhatTheLibrariesCompress) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20U, std::size_t{3'000'000}}) {
    const std::string bytes = some_bytes(size);
    EXPECT_EQ(decompress_zstd(compressed_zstd(bytes), size), bytes);
    EXPECT_EQ(decompress_lz4(compressed_lz4(bytes), size), bytes);
    EXPECT_EQ(decompress_zstd_up_to(compressed_zstd(bytes), 3'000'000), bytes);
  }
}

TEST(LogBytesTest, RejectsAWrongSize) {
  const std::string bytes = some_bytes(1000);
  for (const auto& [decompress, packed] : {std::pair(decompress_zstd, compressed_zstd(bytes)),
                                           std::pair(decompress_lz4, compressed_lz4(bytes))}) {
    const auto with_size = [&, decompress = decompress, packed = packed](std::size_t size) {
      return bytes_problem([&] { return decompress(packed, size); });
    };
    EXPECT_EQ(with_size(999), "claims 999 bytes but holds more");
    EXPECT_EQ(with_size(1001), "claims 1001 bytes but holds only 1000");
    // A claim of a tebibyte allocates what is there.
    EXPECT_EQ(with_size(std::size_t{1} << 40U), "claims 1099511627776 bytes but holds only 1000");
  }
}

TEST(LogBytesTest, RejectsDamagedAndCutBytes) {
  const std::string bytes = some_bytes(100'000);
  const std::string zstd = compressed_zstd(bytes), lz4 = compressed_lz4(bytes);
  EXPECT_EQ(bytes_problem([&] { return decompress_zstd("no frame", 8); }), "is damaged (zstd)");
  EXPECT_EQ(bytes_problem([&] { return decompress_zstd("", 8); }), "is damaged (zstd)");
  EXPECT_EQ(bytes_problem([&] { return decompress_zstd(zstd.substr(0, 100), 100'000); }),
            "is damaged (zstd)");
  EXPECT_EQ(bytes_problem([&] { return decompress_lz4("no frame", 8); }), "is damaged (lz4)");
  EXPECT_EQ(bytes_problem([&] { return decompress_lz4("", 8); }), "is damaged (lz4)");
  EXPECT_EQ(bytes_problem([&] { return decompress_lz4(lz4.substr(0, 100), 100'000); }),
            "is damaged (lz4)");
  EXPECT_EQ(bytes_problem([&] { return decompress_zstd_up_to(zstd, 99'999); }),
            "holds more than 0 MiB");
}

TEST(LogBytesTest, ReadsAFileInPiecesAndReportsItsShare) {
  const std::string bytes = some_bytes(2'500'000);
  const TemporaryFile file(bytes);
  const int descriptor = ::open(file.path().c_str(), O_RDONLY);
  double share = 0.0;
  FileBytes source(descriptor, [&share](double value) { share = value; });
  PeekableBytes peekable(source);
  EXPECT_EQ(peekable.peek(7), bytes.substr(0, 7));
  EXPECT_EQ(peekable.peek(3), bytes.substr(0, 3));
  std::string part;
  EXPECT_TRUE(peekable.read_exactly(5, part));
  EXPECT_EQ(part, bytes.substr(0, 5));
  EXPECT_TRUE(peekable.skip(100'000));
  EXPECT_LT(share, 0.1);
  EXPECT_FALSE(peekable.read_exactly(3'000'000, part));
  EXPECT_EQ(part, bytes.substr(100'005));
  EXPECT_EQ(share, 1.0);
  EXPECT_FALSE(peekable.skip(1));
  ::close(descriptor);
}

TEST(LogBytesTest, ReadsAZstdFileOfSeveralFrames) {
  const std::string bytes = some_bytes(700'000);
  const std::string packed =
      compressed_zstd(bytes.substr(0, 300'000)) + compressed_zstd(bytes.substr(300'000));
  MemoryBytes source(packed);
  ZstdBytes unpacked(source);
  EXPECT_EQ(read_everything(unpacked), bytes);

  MemoryBytes cut(std::string_view(packed).substr(0, packed.size() - 10));
  ZstdBytes unpacked_cut(cut);
  const std::string part = read_everything(unpacked_cut);
  EXPECT_LT(part.size(), bytes.size());
  EXPECT_EQ(part, bytes.substr(0, part.size()));

  MemoryBytes damaged("\x28\xB5\x2F\xFDnothing that is valid");
  ZstdBytes unpacked_damaged(damaged);
  EXPECT_EQ(bytes_problem([&] { return read_everything(unpacked_damaged); }), "is damaged (zstd)");
}

}  // namespace
}  // namespace spatial_dynamics::test
