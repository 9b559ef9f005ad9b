// Files that are rejected before they are parsed. (test_load_urdf.cpp checks the messages.)
#include "model/urdf_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>

#include "spatial_dynamics/model/model_error.hpp"

namespace spatial_dynamics::test {
namespace {

TEST(UrdfFile, MissingFilesAndDirectoriesAreRejected) {
  for (const std::string path : {"/no/such.urdf", "/", ""}) {
    EXPECT_THROW(require_urdf_file(path), ModelError) << path;
    EXPECT_THROW((void)read_urdf_file(path), ModelError) << path;
  }
}

/// The effective user is not root during its life, so that permissions apply.
class WithoutRoot {
 public:
  WithoutRoot() {
    if (user_ == 0) done_ = ::seteuid(65534);
  }
  ~WithoutRoot() {
    if (user_ == 0) done_ = ::seteuid(user_);
  }
  WithoutRoot(const WithoutRoot&) = delete;
  WithoutRoot& operator=(const WithoutRoot&) = delete;

 private:
  uid_t user_ = ::geteuid();
  int done_ = 0;
};

TEST(UrdfFile, AFolderWithoutPermissionIsNamedAsTheReason) {
  const std::filesystem::path folder =
      ::testing::TempDir() + "spatial_dynamics_closed_" + std::to_string(::getpid());
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::none);
  std::string message;
  try {
    const WithoutRoot user;
    require_urdf_file((folder / "arm.urdf").string());
  } catch (const ModelError& error) {
    message = error.what();
  }
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
  std::filesystem::remove(folder);
  EXPECT_NE(message.find("cannot be opened: Permission denied"), std::string::npos) << message;
  EXPECT_EQ(message.find("does not exist"), std::string::npos) << message;
}

/// A named pipe for the duration of a test.
class UrdfPipe : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0); }
  void TearDown() override { std::filesystem::remove(pipe); }

  const std::string pipe =
      ::testing::TempDir() + "spatial_dynamics_urdf_pipe_" + std::to_string(::getpid());
};

TEST_F(UrdfPipe, RequireDoesNotReadPipe) {
  const int file = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::write(file, "<robot/>", 8), 8);
  require_urdf_file(pipe);
  char text[16];
  EXPECT_EQ(::read(file, text, sizeof text), 8);
  ::close(file);
}

TEST_F(UrdfPipe, IsReadUntilItsWriterClosesIt) {
  std::thread writer([this] {
    const int file = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
    for (const char* const part : {"<robot", " name='r'", "/>"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      EXPECT_GT(::write(file, part, std::strlen(part)), 0);
    }
    ::close(file);
  });
  EXPECT_EQ(read_urdf_file(pipe), "<robot name='r'/>");
  writer.join();
}

TEST_F(UrdfPipe, ReadingEndsOnRequestWithAndWithoutAWriter) {
  for (const bool has_writer : {false, true}) {
    const int writer = has_writer ? ::open(pipe.c_str(), O_RDWR | O_CLOEXEC) : -1;
    if (has_writer) {
      EXPECT_EQ(::write(writer, "<robot", 6), 6);
    }
    int asked = 0;
    try {
      (void)read_urdf_file(pipe, [&asked] { return ++asked == 3; });
      ADD_FAILURE() << "the reading went on";
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("was not read to its end"), std::string::npos)
          << error.what();
    }
    EXPECT_EQ(asked, 3);
    if (has_writer) ::close(writer);
  }
}

}  // namespace
}  // namespace spatial_dynamics::test
