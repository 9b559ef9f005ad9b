#include "support/mutex_hook.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <ctime>

#include "support/thread_watch.hpp"

namespace {
thread_local bool watching = false;
thread_local std::size_t calls = 0;

void note() noexcept {
  if (watching) ++calls;
  spatial_dynamics::test::lock_calls.note();
}

/// The C library's own function of this name, which the one below hides. Looked up once; dlsym does
/// not call the hook, because the dynamic linker uses other locks.
template <typename Function>
Function* original(std::atomic<Function*>& cache, const char* name) noexcept {
  Function* function = cache.load(std::memory_order_relaxed);
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    cache.store(function, std::memory_order_relaxed);
  }
  return function;
}
}  // namespace

extern "C" {
int pthread_mutex_lock(pthread_mutex_t* mutex) {
  static std::atomic<int (*)(pthread_mutex_t*)> cache{nullptr};
  note();
  return original(cache, "pthread_mutex_lock")(mutex);
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  static std::atomic<int (*)(pthread_mutex_t*)> cache{nullptr};
  note();
  return original(cache, "pthread_mutex_trylock")(mutex);
}
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): those are reserved
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) {
  static std::atomic<int (*)(pthread_mutex_t*, const timespec*)> cache{nullptr};
  note();
  return original(cache, "pthread_mutex_timedlock")(mutex, until);
}
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  static std::atomic<int (*)(pthread_mutex_t*, clockid_t, const timespec*)> cache{nullptr};
  note();
  return original(cache, "pthread_mutex_clocklock")(mutex, clock, until);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  static std::atomic<int (*)(pthread_rwlock_t*)> cache{nullptr};
  note();
  return original(cache, "pthread_rwlock_rdlock")(lock);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  static std::atomic<int (*)(pthread_rwlock_t*)> cache{nullptr};
  note();
  return original(cache, "pthread_rwlock_wrlock")(lock);
}
}

namespace spatial_dynamics::test {

LockWatch::LockWatch() noexcept {
  calls = 0;
  watching = true;
}
LockWatch::~LockWatch() { watching = false; }
std::size_t LockWatch::count() const noexcept { return calls; }

}  // namespace spatial_dynamics::test
