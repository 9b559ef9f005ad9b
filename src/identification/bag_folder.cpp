#include "identification/bag_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "spatial_dynamics/identification/log.hpp"
#include "support/text.hpp"

namespace spatial_dynamics {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestMetadata = std::size_t{16} << 20U;  // bytes

std::string without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r'\"");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r'\"") - first + 1));
}

/// The items of `relative_file_paths` in metadata.yaml. rosbag2 writes one per line.
std::vector<std::string> listed_files(const fs::path& metadata) {
  std::vector<std::string> files;
  std::ifstream in(metadata);
  bool within = false;
  std::size_t read = 0;
  for (std::string line; std::getline(in, line) && read < kLargestMetadata; read += line.size()) {
    const std::string text = without_blanks(line);
    if (text == "relative_file_paths:") {
      within = true;
    } else if (within && text.substr(0, 2) == "- ") {
      files.push_back(without_blanks(std::string_view(text).substr(2)));
    } else if (within && !text.empty()) {
      break;
    }
  }
  return files;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_recording(const std::string& name) {
  return ends_with(name, ".mcap") || ends_with(name, ".db3") || ends_with(name, ".mcap.zstd") ||
         ends_with(name, ".db3.zstd");
}

/// "bag_10.mcap" comes after "bag_9.mcap".
std::tuple<std::size_t, std::string> order_of(const std::string& name) {
  const std::size_t point =
      name.find('.', name.rfind('_') == std::string::npos ? 0 : name.rfind('_'));
  const std::size_t digits = name.find_last_not_of("0123456789", point - 1) + 1;
  const std::string number = name.substr(digits, point - digits);
  const bool has_number = !number.empty() && number.size() < 9;
  return {has_number ? std::stoul(number) : 0, name};
}

}  // namespace

std::vector<std::string> bag_files(const std::string& folder) {
  const fs::path path(folder);
  std::vector<std::string> files;
  std::error_code error;
  if (fs::exists(path / "metadata.yaml", error)) {
    files = listed_files(path / "metadata.yaml");
    for (std::string& file : files) {
      // Early versions of rosbag2 list paths that include the folder.
      const fs::path listed(file);
      file = (fs::exists(path / listed, error) ? path / listed : path / listed.filename()).string();
      // Compressed files are listed with or without their ending.
      if (!fs::exists(file, error) && fs::exists(file + ".zstd", error)) file += ".zstd";
      if (fs::exists(file, error)) continue;
      throw LogError(folder + " lacks the file " + in_quotes(listed.string()) +
                     ", which its metadata.yaml lists.");
    }
  } else {
    std::vector<std::tuple<std::size_t, std::string>> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
      const std::string name = entry.path().filename().string();
      if (is_recording(name)) found.push_back(order_of(name));
    }
    std::sort(found.begin(), found.end());
    for (const auto& each : found) files.push_back((path / std::get<1>(each)).string());
  }
  if (files.empty()) {
    throw LogError(folder + " is a folder without a recording of rosbag2 (MCAP or SQLite).");
  }
  return files;
}

}  // namespace spatial_dynamics
