// Preloaded into a process: 1.5 s after the first call that reads the wall clock, the clock steps
// forward by an hour.
#include <dlfcn.h>
#include <time.h>  // NOLINT(modernize-deprecated-headers): clock_gettime is POSIX

#include <atomic>

namespace {

using Function = int (*)(clockid_t, timespec*);

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = real(clock, time);
  if (clock == CLOCK_REALTIME && result == 0) {
    static std::atomic<double> first{0.0};
    double none = 0.0;
    first.compare_exchange_strong(none, seconds(*time));
    if (seconds(*time) > first + 1.5) time->tv_sec += 3600;
  }
  return result;
}
