#include "support/thread_watch.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace spatial_dynamics::test {

PassageCounter heap_calls;
PassageCounter lock_calls;

pid_t PassageCounter::this_thread() noexcept {
  thread_local const auto id = static_cast<pid_t>(::syscall(SYS_gettid));
  return id;
}

pid_t thread_named(const std::string& name) {
  pid_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(entry.path() / "comm");
    std::string comm;
    if (!std::getline(file, comm) || comm != name) continue;
    if (found != 0) return 0;
    found = static_cast<pid_t>(std::stol(entry.path().filename()));
  }
  return found;
}

long page_faults_of(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text);
  // The name may contain any characters; the fields after its parenthesis are numbers: state is the
  // third, minflt the tenth, majflt the twelfth.
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string field;
  long faults = 0;
  for (int i = 3; i <= 12 && fields >> field; ++i) {
    if (i == 10 || i == 12) faults += std::stol(field);
  }
  return faults;
}

}  // namespace spatial_dynamics::test
