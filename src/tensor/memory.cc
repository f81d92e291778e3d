#include "tensor/memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "util/check.h"

namespace heed {

Memory Memory::Host(int64_t bytes) {
  HEED_CHECK(bytes >= 0, "{} bytes", bytes);
  if (bytes == 0) return {};
  void* data = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) {
    ThrowUserError("cannot get {} bytes of memory: {}; use a smaller batch or model", bytes,
                   std::strerror(errno));
  }
  // Large pages save address translations; a kernel without them simply refuses.
  madvise(data, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return {data, bytes, [](void* block, int64_t size) { munmap(block, static_cast<size_t>(size)); }};
}

Memory Memory::Unbacked(int64_t bytes) {
  // Page 1 of the address space is never mapped, and adding an offset stays far from real memory.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address that is not an object's is the point
  return {reinterpret_cast<void*>(uintptr_t{4096}), bytes, nullptr};
}

}  // namespace heed
