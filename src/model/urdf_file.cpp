#include "model/urdf_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "spatial_dynamics/model/model_error.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

constexpr int kLookMilliseconds = 20;

struct File {
  explicit File(int n) : number(n) {}
  ~File() {
    if (number >= 0) ::close(number);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const int number;
};

/// Waits until read() would not block: data, end of file, or an error. False if `give_up` returned
/// true.
bool wait_for_data(int file, const GiveUp& give_up) {
  while (!give_up || !give_up()) {
    pollfd waiting{file, POLLIN, 0};
    if (::poll(&waiting, 1, give_up ? kLookMilliseconds : -1) > 0) return true;
  }
  return false;
}

}  // namespace

void require_urdf_file(const std::string& path) {
  const std::string element = "file " + in_quotes(path);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (error && error != std::errc::no_such_file_or_directory &&
      error != std::errc::not_a_directory) {  // a folder without permission
    throw ModelError(element, element + " cannot be opened: " + error.message() +
                                  "; check the permissions of the file and of its folders");
  }
  if (!std::filesystem::exists(status)) {
    throw ModelError(element, element + " does not exist; give the path of a URDF file");
  }
  if (std::filesystem::is_directory(status)) {
    throw ModelError(element, element + " is a directory; give the path of a URDF file");
  }
  if (::access(path.c_str(), R_OK) != 0) {
    throw ModelError(element, element +
                                  " cannot be opened: " + std::generic_category().message(errno) +
                                  "; check its permissions");
  }
}

std::string read_urdf_file(const std::string& path, const GiveUp& give_up) {
  require_urdf_file(path);
  const std::string element = "file " + in_quotes(path);
  // Without O_NONBLOCK opening a named pipe waits for a writer.
  const File file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.number < 0) {
    throw ModelError(element, element + " cannot be opened; check its permissions");
  }
  std::string text;
  std::string block(std::size_t{64} * 1024, '\0');
  while (text.size() <= kLargestUrdf) {
    if (!wait_for_data(file.number, give_up)) {
      throw ModelError(element, element +
                                    " was not read to its end: no more data arrived in this pipe "
                                    "before the reading was ended; give a regular file, or write "
                                    "the URDF into the pipe and close it");
    }
    const ssize_t size = ::read(file.number, block.data(), block.size());
    if (size == 0) break;
    if (size > 0) text.append(block, 0, static_cast<std::size_t>(size));
    if (size < 0 && errno != EAGAIN && errno != EINTR) {
      throw ModelError(element, element + " cannot be read; check the disk and its permissions");
    }
  }
  return text;
}

}  // namespace spatial_dynamics
