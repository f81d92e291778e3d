// The kernels for any machine.
#include "backend/cpu/kernels.h"

#define HEED_ISA portable
#include "backend/cpu/simd/vector_portable.h"

namespace heed::portable {
inline constexpr int kGemmRows = 4;
inline constexpr int kGemmVectors = 1;
}  // namespace heed::portable

#include "backend/cpu/kernels/table.h"

namespace heed {

const KernelTable& PortableKernels() {
  static const KernelTable kTable = portable::MakeTable("portable");
  return kTable;
}

const KernelTable& BestKernels() {
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has_avx2 ? Avx2Kernels() : PortableKernels();
}

}  // namespace heed
