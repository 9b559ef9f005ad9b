#include "identification/bag_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "identification/recording_folder.hpp"
#include "identification/two_joints.hpp"

namespace spatial_dynamics::test {
namespace {

std::vector<std::string> file_names(const RecordingFolder& folder) {
  std::vector<std::string> files = bag_files(folder.path());
  for (std::string& file : files) file = std::filesystem::path(file).filename().string();
  return files;
}

TEST(BagFolderTest, TakesTheFilesOfTheMetadataInTheirOrder) {
  RecordingFolder folder;
  folder.write("b.mcap", "");
  folder.write("a.mcap", "");
  folder.write("c.mcap.zstd", "");
  folder.write("unlisted.mcap", "");
  folder.write("metadata.yaml",
               "rosbag2_bagfile_information:\n  version: 9\n  storage_identifier: mcap\n"
               "  compression_mode: FILE\n  relative_file_paths:\n    - b.mcap\n    - \"a.mcap\"\n"
               "    - folder/c.mcap\n  duration:\n    nanoseconds: 1\n");
  EXPECT_EQ(file_names(folder), (std::vector<std::string>{"b.mcap", "a.mcap", "c.mcap.zstd"}));
}

TEST(BagFolderTest, AcceptsAListWithoutIndentation) {
  RecordingFolder folder;
  folder.write("a.db3", "");
  folder.write("metadata.yaml", "r:\n  relative_file_paths:\n  - a.db3\n  files:\n  - path: x\n");
  EXPECT_EQ(file_names(folder), (std::vector<std::string>{"a.db3"}));
}

TEST(BagFolderTest, OrdersByNumberWithoutMetadata) {
  RecordingFolder folder;
  for (const char* name : {"run_10.mcap", "run_9.mcap", "run_0.mcap", "notes.txt"})
    folder.write(name, "");
  EXPECT_EQ(file_names(folder),
            (std::vector<std::string>{"run_0.mcap", "run_9.mcap", "run_10.mcap"}));
  folder.write("plain.db3.zstd", "");
  EXPECT_EQ(file_names(folder).size(), 4U);
}

TEST(BagFolderTest, RejectsFoldersWithoutARecording) {
  RecordingFolder folder;
  folder.write("notes.txt", "");
  EXPECT_EQ(message_of([&] { return bag_files(folder.path()); }),
            folder.path() + " is a folder without a recording of rosbag2 (MCAP or SQLite).");
  folder.write("metadata.yaml", "r:\n  relative_file_paths:\n    - lost.mcap\n");
  EXPECT_EQ(message_of([&] { return bag_files(folder.path()); }),
            folder.path() + " lacks the file 'lost.mcap', which its metadata.yaml lists.");
}

}  // namespace
}  // namespace spatial_dynamics::test
