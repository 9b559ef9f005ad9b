// Two hosts on one machine: network namespaces with a cable between them. No packet leaves them.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace spatial_dynamics::test {

/// A network namespace without a name: the kernel deletes it with the last process and file that
/// hold it, even if the test crashes.
class Host {
 public:
  /// Throws std::system_error if a namespace can't be created.
  Host() {
    int error = 0;
    std::thread([&] {  // unshare moves the calling thread, so use a new one
      if (::unshare(CLONE_NEWNET) == 0)
        file_ = ::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
      error = errno;
    })
        .join();
    if (file_ < 0) throw std::system_error(error, std::generic_category());
  }
  ~Host() { ::close(file_); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  /// The file by which other processes open it.
  [[nodiscard]] std::string path() const {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_);
  }

  /// Runs an action in this namespace. Threads and processes that it starts stay here; the calling
  /// thread returns to its own.
  template <typename Action>
  auto inside(const Action& action) const {
    const Visit visit(file_);
    return action();
  }

 private:
  class Visit {
   public:
    explicit Visit(int host) : home_(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)) {
      if (home_ < 0 || ::setns(host, CLONE_NEWNET) != 0) {
        throw std::system_error(errno, std::generic_category());
      }
    }
    ~Visit() {
      if (::setns(home_, CLONE_NEWNET) != 0)
        std::terminate();  // otherwise other tests would run here
      ::close(home_);
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    int home_;
  };

  int file_ = -1;
};

/// The hosts 10.213.0.1 and 10.213.0.2, connected by a cable.
class TwoHosts {
 public:
  static constexpr const char* kRobotAddress = "10.213.0.1";
  static constexpr const char* kControllerAddress = "10.213.0.2";

  /// Null, with the reason, if they can't be created.
  static std::unique_ptr<TwoHosts> make(std::string& reason) {
    try {
      return std::unique_ptr<TwoHosts>(new TwoHosts);
    } catch (const std::exception& error) {
      reason = std::string("no network namespaces here: ") + error.what();
      return nullptr;
    }
  }

  const Host robot, controller;

  /// Takes the controller's interface down, or up again.
  void unplug() const {
    controller.inside([] { ip("link set eth0 down"); });
  }
  void plug_in() const {
    controller.inside([] { ip("link set eth0 up"); });
  }

 private:
  TwoHosts() {
    robot.inside(
        [this] { ip("link add eth0 type veth peer name eth0 netns " + controller.path()); });
    configure(robot, kRobotAddress);
    configure(controller, kControllerAddress);
  }

  static void configure(const Host& host, const std::string& address) {
    host.inside([&] {
      ip("link set lo up");
      ip("address add " + address + "/24 dev eth0");
      ip("link set eth0 up");
    });
  }

  /// Runs the program ip (iproute2) in the namespace of the calling thread. Throws
  /// std::runtime_error with its output.
  static void ip(const std::string& arguments) {
    const std::string command = "PATH=$PATH:/usr/sbin:/sbin ip " + arguments + " 2>&1";
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    if (!pipe) throw std::runtime_error("no shell");
    std::string said;
    for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) said += static_cast<char>(c);
    if (::pclose(pipe.release()) != 0) throw std::runtime_error("ip " + arguments + ": " + said);
  }
};

}  // namespace spatial_dynamics::test
