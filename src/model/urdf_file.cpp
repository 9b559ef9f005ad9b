#include "spatial_dynamics/model/urdf_file.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "spatial_dynamics/model/model_error.hpp"
#include "text.hpp"
#include "urdf_lexer.hpp"

namespace spatial_dynamics {

void require_urdf_file(const std::string& path) {
  const std::string element = "file " + in_quotes(path);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw ModelError(element, element + " does not exist; give the path of a URDF file");
  }
  if (std::filesystem::is_directory(status)) {
    throw ModelError(element, element + " is a directory; give the path of a URDF file");
  }
  if (::access(path.c_str(), R_OK) != 0) {
    throw ModelError(element, element + " cannot be opened; check its permissions");
  }
}

std::string read_urdf_file(const std::string& path) {
  require_urdf_file(path);
  const std::string element = "file " + in_quotes(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw ModelError(element, element + " cannot be opened; check its permissions");
  }
  std::string text;
  std::string block(std::size_t{64} * 1024, '\0');
  while (text.size() <= kLargestDocument && file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) {
    throw ModelError(element, element + " cannot be read; check the disk and its permissions");
  }
  return text;
}

}  // namespace spatial_dynamics
