// Row 71: several copies of the library in one process.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace spatial_dynamics::test {
namespace {

using CountCoordinates = int (*)(const char*);

constexpr const char* kGood = R"(<robot name="r"><link name="a"/><link name="b"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>)";
/// Has a version that urdfdom rejects with a message.
constexpr const char* kBad = R"(<robot name="r" version="7.0"><link name="a"/></robot>)";

class Library {
 public:
  explicit Library(const char* path) : handle_(::dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
      std::fprintf(stderr, "%s\n", ::dlerror());
      std::_Exit(2);
    }
    count_ = reinterpret_cast<CountCoordinates>(::dlsym(handle_, "count_coordinates"));
  }
  void load_many(int times) const {
    for (int i = 0; i < times; ++i) {
      if (count_(kGood) != 1 || count_(kBad) != -1) std::_Exit(3);
    }
  }
  void unload() const { ::dlclose(handle_); }

 private:
  void* handle_;
  CountCoordinates count_ = nullptr;
};

void load_in_both_and_unload_one() {
  const Library first(FIRST_URDF_USER_PATH);
  const Library second(SECOND_URDF_USER_PATH);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] { first.load_many(5000); });
    threads.emplace_back([&] { second.load_many(5000); });
  }
  for (std::thread& thread : threads) thread.join();
  first.unload();
  second.load_many(100);
  std::_Exit(0);
}

TEST(Libraries, Row71TwoCopiesInOneProcessLoadRobotsAtTheSameTime) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  // No copy crashes, and urdfdom prints nothing on standard error.
  EXPECT_EXIT(load_in_both_and_unload_one(), ::testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace spatial_dynamics::test
