#include "cli/bench/candidate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

class PeerCandidates : public ::testing::Test {
 protected:
  PeerCandidates() { std::filesystem::create_directories(folder); }
  ~PeerCandidates() override { std::filesystem::remove_all(folder); }

  Random random{5};
  Model model = random_tree(random, {3});
  std::string folder = ::testing::TempDir() + "peers" + std::to_string(::getpid());
  cli::Candidates candidates;
  std::vector<std::string> notes;
};

TEST_F(PeerCandidates, NoteNamesAFolderWithoutLibraries) {
  add_peers(model, folder, candidates, notes);
  EXPECT_TRUE(candidates.empty());
  EXPECT_EQ(notes, std::vector<std::string>{"no other library was found in " + folder});
}

TEST_F(PeerCandidates, AMissingFolderIsNotAnError) {
  add_peers(model, folder + "/nowhere", candidates, notes);
  EXPECT_EQ(notes,
            std::vector<std::string>{"no other library was found in " + folder + "/nowhere"});
}

TEST_F(PeerCandidates, OnlyFilesWithTheRightNameAreLoaded) {
  std::ofstream(folder + "/notes.txt") << "not a peer";
  std::ofstream(folder + "/broken_peer.so") << "not a library";
  add_peers(model, folder, candidates, notes);
  EXPECT_TRUE(candidates.empty());
  EXPECT_EQ(notes, std::vector<std::string>{folder + "/broken_peer.so can't be loaded"});
}

}  // namespace
}  // namespace spatial_dynamics::test
