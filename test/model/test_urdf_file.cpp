// A URDF as a file: what is refused before anybody looks into it. (test_load_urdf.cpp has the sentences.)
#include "spatial_dynamics/model/urdf_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(UrdfFile, WhatIsNoFileIsRefused) {
  for (const std::string path : {"/no/such.urdf", "/", ""}) {
    EXPECT_THROW(require_urdf_file(path), ModelError) << path;
    EXPECT_THROW((void)read_urdf_file(path), ModelError) << path;
  }
}

TEST(UrdfFile, ToBeSureOfAPipeTakesNothingOutOfIt) {
  const std::string pipe =
      ::testing::TempDir() + "spatial_dynamics_urdf_pipe_" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int file = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::write(file, "<robot/>", 8), 8);
  require_urdf_file(pipe);
  char text[16];
  EXPECT_EQ(::read(file, text, sizeof text), 8);
  ::close(file);
  std::filesystem::remove(pipe);
}

}  // namespace
}  // namespace spatial_dynamics::test
