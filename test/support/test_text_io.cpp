#include "support/text_io.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace spatial_dynamics::test {
namespace {

/// A pipe with a text in it and its writing end closed.
int pipe_with(const std::string& text) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return -1;
  if (::write(ends[1], text.data(), text.size()) != static_cast<ssize_t>(text.size())) return -1;
  ::close(ends[1]);
  return ends[0];
}

TEST(TextIo, ReadsLinesWithAndWithoutAFinalLineFeed) {
  const int descriptor = pipe_with("one\n\ntwo");
  int waits = 0;
  LineReader lines(descriptor, [&] { ++waits; });
  std::string_view line;
  for (const char* expected : {"one", "", "two"}) {
    ASSERT_EQ(lines.next(line), LineReader::Result::kLine);
    EXPECT_EQ(line, expected);
  }
  EXPECT_EQ(lines.next(line), LineReader::Result::kEnd);
  EXPECT_GE(waits, 1);
  ::close(descriptor);
}

TEST(TextIo, ReadsNoMoreThanOneChunkBeyondTheLimit) {
  const int descriptor = pipe_with("0123456789");
  EXPECT_EQ(read_all(descriptor, 100), "0123456789");
  ::close(descriptor);
  const int other = pipe_with(std::string(1000, 'x'));
  EXPECT_GT(read_all(other, 10).size(), 10U) << "the caller sees that the limit was exceeded";
  ::close(other);
}

TEST(TextIo, OutputReportsClosedReader) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  Output output(ends[1]);
  output.text() = "lost";
  EXPECT_NO_THROW(output.flush());
  EXPECT_TRUE(output.closed());
  ::close(ends[1]);
  (void)std::signal(SIGPIPE, before);
}

TEST(TextIo, WritesAFileOrNamesIt) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("text_io_" + std::to_string(::getpid()))).string();
  write_file(path, "some text\n");
  std::ostringstream read;
  read << std::ifstream(path).rdbuf();
  EXPECT_EQ(read.str(), "some text\n");
  std::filesystem::remove(path);
  try {
    write_file("/no/such/folder/file", "");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "'/no/such/folder/file' can't be written: No such file or directory.");
  }
}

TEST(TextIo, MessagesGoToStandardErrorIfAFileIsStandardOutput) {
  EXPECT_EQ(&message_stream({"a.csv", ""}), &std::cout);
  EXPECT_EQ(&message_stream({"a.csv", "-"}), &std::cerr);
}

}  // namespace
}  // namespace spatial_dynamics::test
