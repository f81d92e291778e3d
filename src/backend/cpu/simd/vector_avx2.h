// Eight floats, eight integers or four doubles in AVX2 registers. Twin of vector_portable.h.
// Included only by kernels_avx2.cc, below its target pragma.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace heed::avx2 {

inline constexpr int64_t kLanes = 8;
using Floats = __m256;
using Ints = __m256i;
using Doubles = __m256d;

inline Floats Zero() {
  return _mm256_setzero_ps();
}
inline Floats Set(float x) {
  return _mm256_set1_ps(x);
}
inline Floats Load(const float* p) {
  return _mm256_loadu_ps(p);
}
inline void Store(float* p, Floats v) {
  _mm256_storeu_ps(p, v);
}

// The first `count` lanes, 0 < count < 8; the others load as zero and are not stored.
inline Ints LaneMask(int64_t count) {
  alignas(32) static constexpr int32_t kMask[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_loadu_si256(reinterpret_cast<const Ints*>(kMask + 8 - count));
}
inline Floats LoadPart(const float* p, int64_t count) {
  return _mm256_maskload_ps(p, LaneMask(count));
}
inline void StorePart(float* p, int64_t count, Floats v) {
  _mm256_maskstore_ps(p, LaneMask(count), v);
}

inline Floats Fma(Floats a, Floats b, Floats c) {
  return _mm256_fmadd_ps(a, b, c);
}  // a b + c
inline Floats NegatedFma(Floats a, Floats b, Floats c) {
  return _mm256_fnmadd_ps(a, b, c);
}
// A NaN in `b` is kept.
inline Floats Max(Floats a, Floats b) {
  return _mm256_max_ps(a, b);
}
inline Floats Min(Floats a, Floats b) {
  return _mm256_min_ps(a, b);
}
inline Floats Sqrt(Floats a) {
  return _mm256_sqrt_ps(a);
}
inline Floats Abs(Floats a) {
  return _mm256_andnot_ps(Set(-0.0F), a);
}
inline Floats Round(Floats a) {
  return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
// Masks: all bits of a lane are set where the comparison holds.
inline Floats Less(Floats a, Floats b) {
  return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
inline Floats Select(Floats mask, Floats a, Floats b) {
  return _mm256_blendv_ps(b, a, mask);
}
inline Floats And(Floats mask, Floats a) {
  return _mm256_and_ps(mask, a);
}
inline Floats Not(Floats mask) {
  return _mm256_xor_ps(mask, _mm256_castsi256_ps(_mm256_set1_epi32(-1)));
}
inline bool Any(Floats mask) {
  return _mm256_movemask_ps(mask) != 0;
}
inline uint32_t Bits(Floats mask) {
  return static_cast<uint32_t>(_mm256_movemask_ps(mask));
}

// 2^n for whole n in [-126, 127].
inline Floats PowerOfTwo(Floats n) {
  const Ints exponent = _mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127));
  return _mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23));
}

// The order of additions is fixed: ((0+4) + (2+6)) + ((1+5) + (3+7)).
inline float Sum(Floats v) {
  __m128 x = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  x = _mm_add_ps(x, _mm_movehl_ps(x, x));
  return _mm_cvtss_f32(_mm_add_ss(x, _mm_movehdup_ps(x)));
}
inline float Largest(Floats v) {
  __m128 x = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  x = _mm_max_ps(x, _mm_movehl_ps(x, x));
  return _mm_cvtss_f32(_mm_max_ss(x, _mm_movehdup_ps(x)));
}

// ---- doubles ----
inline Doubles ZeroDoubles() {
  return _mm256_setzero_pd();
}
inline Doubles Low(Floats v) {
  return _mm256_cvtps_pd(_mm256_castps256_ps128(v));
}
inline Doubles High(Floats v) {
  return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
}
inline double Sum(Doubles v) {
  const __m128d x = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
  return _mm_cvtsd_f64(_mm_add_sd(x, _mm_unpackhi_pd(x, x)));
}

// ---- integers ----
inline Ints SetInts(uint32_t x) {
  return _mm256_set1_epi32(static_cast<int32_t>(x));
}
inline Ints LoadInts(const uint32_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const Ints*>(p));
}
inline void StoreInts(uint32_t* p, Ints v) {
  _mm256_storeu_si256(reinterpret_cast<Ints*>(p), v);
}
inline Ints Xor(Ints a, Ints b) {
  return _mm256_xor_si256(a, b);
}
// Both halves of the 64-bit products of unsigned lanes.
inline void MultiplyWide(Ints a, Ints factor, Ints* high, Ints* low) {
  const Ints even = _mm256_mul_epu32(a, factor);
  const Ints odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), factor);
  *high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
  *low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
}
// All bits set where a < b, unsigned.
inline Floats LessUnsigned(Ints a, Ints b) {
  const Ints top = SetInts(0x80000000U);
  return _mm256_castsi256_ps(_mm256_cmpgt_epi32(Xor(b, top), Xor(a, top)));
}
// Writes lane i of words[0..3] to out[4 i .. 4 i + 3].
inline void StoreInterleaved(uint32_t* out, const Ints (&words)[4]) {
  const Ints a = _mm256_unpacklo_epi32(words[0], words[1]);
  const Ints b = _mm256_unpacklo_epi32(words[2], words[3]);
  const Ints c = _mm256_unpackhi_epi32(words[0], words[1]);
  const Ints d = _mm256_unpackhi_epi32(words[2], words[3]);
  const Ints blocks04 = _mm256_unpacklo_epi64(a, b);
  const Ints blocks15 = _mm256_unpackhi_epi64(a, b);
  const Ints blocks26 = _mm256_unpacklo_epi64(c, d);
  const Ints blocks37 = _mm256_unpackhi_epi64(c, d);
  StoreInts(out, _mm256_permute2x128_si256(blocks04, blocks15, 0x20));
  StoreInts(out + 8, _mm256_permute2x128_si256(blocks26, blocks37, 0x20));
  StoreInts(out + 16, _mm256_permute2x128_si256(blocks04, blocks15, 0x31));
  StoreInts(out + 24, _mm256_permute2x128_si256(blocks26, blocks37, 0x31));
}

// Transposes 8 x 8: column i of `rows` is stored at out + i * stride, in ascending order, so that
// with a stride below 8 a column's unused end is overwritten by the next.
inline void StoreTransposed(const Floats (&rows)[8], float* out, int64_t stride) {
  Floats pairs[8], quads[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    quads[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
    quads[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xEE);
    quads[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
    quads[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xEE);
  }
  for (int i = 0; i < 4; ++i) {
    Store(out + i * stride, _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x20));
  }
  for (int i = 0; i < 4; ++i) {
    Store(out + (i + 4) * stride, _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x31));
  }
}

}  // namespace heed::avx2
