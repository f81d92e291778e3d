// The kernels for machines with AVX2 and FMA.
#include <immintrin.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "backend/cpu/kernels.h"

// Everything below is compiled for AVX2; what is included above is not, so that no inline function
// shared with other files contains instructions that an older machine lacks.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#define HEED_ISA avx2
#include "backend/cpu/simd/vector_avx2.h"

namespace heed::avx2 {
inline constexpr int kGemmRows = 6;     // 6 x 2 accumulators, 2 columns and a row value fill
inline constexpr int kGemmVectors = 2;  // the 16 registers
}  // namespace heed::avx2

#include "backend/cpu/kernels/table.h"

namespace heed {

const KernelTable& Avx2Kernels() {
  static const KernelTable kTable = avx2::MakeTable("AVX2");
  return kTable;
}

}  // namespace heed

#ifdef __clang__
#pragma clang attribute pop
#endif
