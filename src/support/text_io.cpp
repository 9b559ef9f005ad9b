#include "support/text_io.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "support/text.hpp"

namespace spatial_dynamics {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16U;

std::string reason_of_failure() { return std::generic_category().message(errno); }

std::size_t read_some(int descriptor, char* data, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(descriptor, data, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) {
      throw std::runtime_error("the input can't be read: " + reason_of_failure());
    }
  }
}

}  // namespace

void Output::flush() {
  std::string_view rest = text_;
  while (!rest.empty() && !closed_) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      closed_ = true;
    } else if (errno != EINTR) {
      throw std::runtime_error("the output can't be written: " + reason_of_failure());
    }
  }
  text_.clear();
}

void Output::flush_if_large() {
  if (text_.size() >= kChunk) flush();
}

void flush_standard_output() {
  errno = 0;
  if (std::cout.flush().good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  // errno of an earlier failure is lost; another attempt sets it again.
  if (errno == 0 && ::write(STDOUT_FILENO, "\n", 1) == 1) {
    throw std::runtime_error("the output can't be written: some of it was not accepted");
  }
  if (errno == EPIPE) return;
  throw std::runtime_error("the output can't be written: " + reason_of_failure());
}

LineReader::LineReader(int descriptor, std::function<void()> before_waiting)
    : descriptor_(descriptor), before_waiting_(std::move(before_waiting)), buffer_(4 * kChunk) {}

// Moves the unread text to the front and reads more behind it. Returns false at the end of input.
bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  before_waiting_();
  const std::size_t got = read_some(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  return got > 0;
}

LineReader::Result LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  bool too_long = false;
  for (;;) {
    const char* const start = buffer_.data() + begin_;
    const std::size_t size = end_ - begin_;
    const void* const feed = std::memchr(start + searched, '\n', size - searched);
    if (feed != nullptr) {
      line = {start, static_cast<std::size_t>(static_cast<const char*>(feed) - start)};
      begin_ += line.size() + 1;
      return too_long || line.size() > kLongestLine ? Result::kTooLong : Result::kLine;
    }
    searched = size;
    if (size > kLongestLine) {  // discard the part read so far, to bound the memory
      too_long = true;
      begin_ = end_;
      searched = 0;
    }
    if (!fill()) {
      line = {buffer_.data() + begin_, end_ - begin_};
      begin_ = end_;
      if (too_long) return Result::kTooLong;
      return line.empty() ? Result::kEnd : Result::kLine;
    }
  }
}

std::string read_all(int descriptor, std::size_t limit) {
  std::string text;
  std::vector<char> chunk(kChunk);
  while (text.size() <= limit) {
    const std::size_t got = read_some(descriptor, chunk.data(), chunk.size());
    if (got == 0) break;
    text.append(chunk.data(), got);
  }
  return text;
}

std::ostream& message_stream(std::initializer_list<std::string_view> files) {
  return std::find(files.begin(), files.end(), kStandardOutput) == files.end() ? std::cout
                                                                               : std::cerr;
}

void write_file(const std::string& path, const std::string& text) {
  if (path == kStandardOutput) {
    Output output(STDOUT_FILENO);
    output.text() = text;
    output.flush();
    return;
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    throw std::runtime_error(in_quotes(path) +
                             " can't be written: " + std::generic_category().message(errno) + ".");
  }
}

}  // namespace spatial_dynamics
