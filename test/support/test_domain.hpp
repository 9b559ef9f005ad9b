// A DDS domain that no other test of this machine uses.
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>

namespace spatial_dynamics::test {

/// Tests run in parallel processes, whose ids may be equal modulo any number. A lock per domain,
/// held until the process ends, makes domains unique. 1 to 101: higher domains use ports of Linux's
/// ephemeral range.
inline int test_domain() {
  constexpr int kDomains = 101;
  static const int claimed = [] {
    const int first = ::getpid() % kDomains;
    for (int i = 0; i < kDomains; ++i) {
      const int domain = 1 + (first + i) % kDomains;
      const std::string path = "/tmp/spatial_dynamics_test_domain_" + std::to_string(domain);
      const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0) return domain;
      if (file >= 0) ::close(file);
    }
    return 1 + first;
  }();
  return claimed;
}

}  // namespace spatial_dynamics::test
