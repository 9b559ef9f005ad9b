// Text from and to file descriptors and files. Reads and writes in large pieces, but writes
// everything before it waits for input.
#pragma once

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace spatial_dynamics {

/// The longest line that is read; a longer one is skipped and reported.
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20U;

/// Buffered text for a file descriptor.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}

  [[nodiscard]] std::string& text() noexcept { return text_; }
  /// Writes everything. Throws std::runtime_error if that fails, unless the reader has closed its
  /// end: then closed() is true.
  void flush();
  void flush_if_large();
  [[nodiscard]] bool closed() const noexcept { return closed_; }

 private:
  int descriptor_;
  std::string text_;
  bool closed_ = false;
};

/// Writes the buffers of printf() and std::cout. Throws std::runtime_error if this or an earlier
/// write failed, unless the reader has closed its end. Call it once at the end of the program, so
/// that lost output is not reported as success.
void flush_standard_output();

/// Reads one line at a time, without its line feed. The last line may lack one.
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

/// Reads a file descriptor to its end, or stops after more than `limit` bytes. Throws
/// std::runtime_error.
std::string read_all(int descriptor, std::size_t limit);

/// Writes a text to a file, which it replaces, or to standard output if `path` is kStandardOutput.
/// Throws std::runtime_error that names the file.
void write_file(const std::string& path, const std::string& text);

/// The name of standard output as a file.
inline constexpr std::string_view kStandardOutput = "-";

/// The stream for messages to the user: standard error if one of these files is standard output,
/// otherwise standard output.
std::ostream& message_stream(std::initializer_list<std::string_view> files);

}  // namespace spatial_dynamics
