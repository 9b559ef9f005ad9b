// A temporary folder with files.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace spatial_dynamics::test {

/// Deleted at the end of the scope.
class RecordingFolder {
 public:
  RecordingFolder() {
    path_ = (std::filesystem::temp_directory_path() / "recording_XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  }
  ~RecordingFolder() { std::filesystem::remove_all(path_); }
  RecordingFolder(const RecordingFolder&) = delete;
  RecordingFolder& operator=(const RecordingFolder&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string file = path_ + "/" + name;
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

 private:
  std::string path_;
};

}  // namespace spatial_dynamics::test
