// The log of a program: lines on standard error as ROS 2 nodes print them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/log_queue.hpp"

namespace spatial_dynamics {

/// Writes "[WARN] [1760000000.123456789] [name]: text" to standard error, through one LogQueue of
/// the process that is made at the first call. Never waits for the reader of standard error. The
/// lines that are left when the program exits are written within LogQueue::kLongestDrain, or lost.
/// Allocates; the first call may throw std::runtime_error.
void log_to_standard_error(LogLevel level, std::string_view name, std::string_view text);

/// The level of a line that log_to_standard_error() has written, in this process or another one;
/// empty for any other line.
std::optional<LogLevel> level_of_line(std::string_view line) noexcept;

/// As log_to_standard_error() for a line that is complete, such as one of another process.
void print_to_standard_error(std::string_view line);

/// Waits at most LogQueue::kLongestDrain until all lines have been written, so that what is written
/// directly comes after them.
void drain_standard_error_log() noexcept;

/// Lines that were lost because standard error was not read.
[[nodiscard]] std::uint64_t standard_error_lines_lost();

}  // namespace spatial_dynamics
