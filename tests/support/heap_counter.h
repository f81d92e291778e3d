// Counts heap allocations of the whole test program.
#pragma once

#include <cstdint>

namespace heed {

// Calls of operator new so far, by any thread.
int64_t NumHeapAllocations();

}  // namespace heed
