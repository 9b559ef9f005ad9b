#include "support/malloc_hook.hpp"

#include <cerrno>
#include <cstdlib>

#include "support/thread_watch.hpp"

namespace {
thread_local bool watching = false;
thread_local std::size_t calls = 0;

void note() noexcept {
  if (watching) ++calls;
  spatial_dynamics::test::heap_calls.note();
}
}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Sanitizers replace the allocator and provide hooks. GCC has no header for them.
extern "C" int __sanitizer_install_malloc_and_free_hooks(  // NOLINT(bugprone-reserved-identifier)
    void (*on_malloc)(const volatile void*, std::size_t), void (*on_free)(const volatile void*));
namespace {
void on_malloc(const volatile void* /*block*/, std::size_t /*size*/) { note(); }
void on_free(const volatile void* block) {
  if (block != nullptr) note();
}
[[maybe_unused]] const int hooked = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}  // namespace
#else
// The program's definitions take precedence over the C library's, which stay reachable under these
// names.
extern "C" {
void* __libc_malloc(std::size_t size);
void __libc_free(void* pointer);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void free(void* pointer) {
  if (pointer != nullptr) note();
  __libc_free(pointer);
}
void* calloc(std::size_t count, std::size_t size) {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* pointer, std::size_t size) {
  note();
  return __libc_realloc(pointer, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** pointer, std::size_t alignment, std::size_t size) {
  note();
  *pointer = __libc_memalign(alignment, size);
  return *pointer == nullptr ? ENOMEM : 0;
}
}
#endif

namespace spatial_dynamics::test {

HeapWatch::HeapWatch() noexcept {
  calls = 0;
  watching = true;
}
HeapWatch::~HeapWatch() { watching = false; }
std::size_t HeapWatch::count() const noexcept { return calls; }

}  // namespace spatial_dynamics::test
