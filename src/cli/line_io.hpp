// Lines from a file descriptor and text to one, in big pieces, but never holding back an answer while waiting for input.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics::cli {

/// The longest line that is read; a longer one is skipped and reported.
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20U;

/// Text on its way to a file descriptor.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}

  [[nodiscard]] std::string& text() noexcept { return text_; }
  /// Writes everything. Throws std::runtime_error if that fails, unless the reader has gone: then closed() is true.
  void flush();
  void flush_if_large();
  [[nodiscard]] bool closed() const noexcept { return closed_; }

 private:
  int descriptor_;
  std::string text_;
  bool closed_ = false;
};

/// Writes what printf() and std::cout still hold. Throws std::runtime_error if that, or an earlier attempt, failed, unless the reader
/// has gone. Once, at the end: an answer that is lost must not look like one that was given.
void flush_standard_output();

/// Lines, one at a time, without their line feeds. The last one needs none.
class LineReader {
 public:
  enum class Result { kLine, kTooLong, kEnd };

  /// `before_waiting` is called whenever more input is needed.
  LineReader(int descriptor, std::function<void()> before_waiting);

  /// The line is valid until the next call. Throws std::runtime_error if reading fails.
  Result next(std::string_view& line);

 private:
  bool fill();

  int descriptor_;
  std::function<void()> before_waiting_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // unread text is [begin_, end_)
  std::size_t end_ = 0;
};

/// All that a file descriptor has to give, at most `limit` bytes and one. Throws std::runtime_error.
std::string read_all(int descriptor, std::size_t limit);

}  // namespace spatial_dynamics::cli
