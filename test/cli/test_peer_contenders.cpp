#include "cli/peer_contenders.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/random_tree.hpp"

namespace spatial_dynamics::test {
namespace {

class PeerContenders : public ::testing::Test {
 protected:
  PeerContenders() { std::filesystem::create_directories(folder); }
  ~PeerContenders() override { std::filesystem::remove_all(folder); }

  Random random{5};
  Model model = random_tree(random, {3});
  std::string folder = ::testing::TempDir() + "peers" + std::to_string(::getpid());
  cli::Contenders contenders;
  std::vector<std::string> notes;
};

TEST_F(PeerContenders, AFolderWithoutAnyIsNamed) {
  add_peers(model, folder, contenders, notes);
  EXPECT_TRUE(contenders.empty());
  EXPECT_EQ(notes, std::vector<std::string>{"no peer was found in " + folder});
}

TEST_F(PeerContenders, AFolderThatIsNotThereIsNoError) {
  add_peers(model, folder + "/nowhere", contenders, notes);
  EXPECT_EQ(notes, std::vector<std::string>{"no peer was found in " + folder + "/nowhere"});
}

TEST_F(PeerContenders, OnlyFilesOfTheRightNameAreTried) {
  std::ofstream(folder + "/notes.txt") << "not a peer";
  std::ofstream(folder + "/broken_peer.so") << "not a library";
  add_peers(model, folder, contenders, notes);
  EXPECT_TRUE(contenders.empty());
  EXPECT_EQ(notes, std::vector<std::string>{folder + "/broken_peer.so can't be loaded"});
}

}  // namespace
}  // namespace spatial_dynamics::test
