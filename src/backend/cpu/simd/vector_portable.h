// Eight floats, eight integers or four doubles in pairs of 128-bit vectors, for machines without
// AVX2 (GCC's vector extensions: SSE2 on x86-64). Twin of vector_avx2.h, which says what each
// function does; multiply-adds round twice here, so results differ in the last bits.
// Included only by kernels_portable.cc.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace heed::portable {

inline constexpr int64_t kLanes = 8;
using FourFloats = float __attribute__((vector_size(16)));
using FourInts = uint32_t __attribute__((vector_size(16)));
using TwoDoubles = double __attribute__((vector_size(16)));
struct Floats {
  FourFloats low, high;
};
struct Ints {
  FourInts low, high;
};
struct Doubles {
  TwoDoubles low, high;
};

inline Floats operator+(Floats a, Floats b) {
  return {a.low + b.low, a.high + b.high};
}
inline Floats operator-(Floats a, Floats b) {
  return {a.low - b.low, a.high - b.high};
}
inline Floats operator*(Floats a, Floats b) {
  return {a.low * b.low, a.high * b.high};
}
inline Floats operator/(Floats a, Floats b) {
  return {a.low / b.low, a.high / b.high};
}
inline Floats& operator+=(Floats& a, Floats b) {
  return a = a + b;
}
inline Floats& operator*=(Floats& a, Floats b) {
  return a = a * b;
}
inline Floats operator-(Floats a) {
  return {-a.low, -a.high};
}
inline Doubles operator+(Doubles a, Doubles b) {
  return {a.low + b.low, a.high + b.high};
}
inline Doubles operator*(Doubles a, Doubles b) {
  return {a.low * b.low, a.high * b.high};
}
inline Doubles& operator+=(Doubles& a, Doubles b) {
  return a = a + b;
}

inline FourFloats Cast(FourInts v) {
  return reinterpret_cast<FourFloats>(v);
}
inline FourInts Cast(FourFloats v) {
  return reinterpret_cast<FourInts>(v);
}

inline Floats Zero() {
  return {FourFloats{}, FourFloats{}};
}
inline Floats Set(float x) {
  return {FourFloats{} + x, FourFloats{} + x};
}
inline Floats Load(const float* p) {
  Floats v;
  std::memcpy(&v.low, p, 16);
  std::memcpy(&v.high, p + 4, 16);
  return v;
}
inline void Store(float* p, Floats v) {
  std::memcpy(p, &v.low, 16);
  std::memcpy(p + 4, &v.high, 16);
}
inline Floats LoadPart(const float* p, int64_t count) {
  float lanes[8] = {};
  for (int64_t i = 0; i < count; ++i) lanes[i] = p[i];
  return Load(lanes);
}
inline void StorePart(float* p, int64_t count, Floats v) {
  float lanes[8];
  Store(lanes, v);
  for (int64_t i = 0; i < count; ++i) p[i] = lanes[i];
}

inline Floats Fma(Floats a, Floats b, Floats c) {
  return a * b + c;
}
inline Floats NegatedFma(Floats a, Floats b, Floats c) {
  return c - a * b;
}
inline FourFloats Choose(FourInts mask, FourFloats a, FourFloats b) {
  return Cast((mask & Cast(a)) | (~mask & Cast(b)));
}
inline FourInts Mask(FourFloats a, FourFloats b) {
  return reinterpret_cast<FourInts>(a < b);
}
inline Floats Max(Floats a, Floats b) {
  return {Choose(Mask(b.low, a.low), a.low, b.low), Choose(Mask(b.high, a.high), a.high, b.high)};
}
inline Floats Min(Floats a, Floats b) {
  return {Choose(Mask(a.low, b.low), a.low, b.low), Choose(Mask(a.high, b.high), a.high, b.high)};
}
inline Floats Sqrt(Floats a) {
  for (int i = 0; i < 4; ++i) {
    a.low[i] = std::sqrt(a.low[i]);
    a.high[i] = std::sqrt(a.high[i]);
  }
  return a;
}
inline Floats Abs(Floats a) {
  return {Cast(Cast(a.low) & 0x7FFFFFFFU), Cast(Cast(a.high) & 0x7FFFFFFFU)};
}
inline Floats Round(Floats a) {
  const Floats shift = Set(12582912.0F);  // 1.5 * 2^23: adding it leaves no fraction bits
  const Floats rounded = a + shift;
  return rounded - shift;
}
inline Floats Less(Floats a, Floats b) {
  return {Cast(Mask(a.low, b.low)), Cast(Mask(a.high, b.high))};
}
inline Floats Select(Floats mask, Floats a, Floats b) {
  return {Choose(Cast(mask.low), a.low, b.low), Choose(Cast(mask.high), a.high, b.high)};
}
inline Floats And(Floats mask, Floats a) {
  return {Cast(Cast(mask.low) & Cast(a.low)), Cast(Cast(mask.high) & Cast(a.high))};
}
inline Floats Not(Floats mask) {
  return {Cast(~Cast(mask.low)), Cast(~Cast(mask.high))};
}
inline uint32_t Bits(Floats mask) {
  const FourInts low = Cast(mask.low) >> 31, high = Cast(mask.high) >> 31;
  return low[0] | low[1] << 1 | low[2] << 2 | low[3] << 3 | high[0] << 4 | high[1] << 5 |
         high[2] << 6 | high[3] << 7;
}
inline bool Any(Floats mask) {
  return Bits(mask) != 0;
}
inline Floats PowerOfTwo(Floats n) {
  using SignedInts = int32_t __attribute__((vector_size(16)));
  const SignedInts low = (__builtin_convertvector(n.low, SignedInts) + 127) << 23;
  const SignedInts high = (__builtin_convertvector(n.high, SignedInts) + 127) << 23;
  return {reinterpret_cast<FourFloats>(low), reinterpret_cast<FourFloats>(high)};
}
inline float Sum(Floats v) {
  const FourFloats x = v.low + v.high;
  return (x[0] + x[2]) + (x[1] + x[3]);
}
inline float Largest(Floats v) {
  float largest = v.low[0];
  for (int i = 0; i < 4; ++i) {
    if (v.low[i] > largest) largest = v.low[i];
    if (v.high[i] > largest) largest = v.high[i];
  }
  return largest;
}

// ---- doubles ----
inline Doubles ZeroDoubles() {
  return {TwoDoubles{}, TwoDoubles{}};
}
inline Doubles Widen(FourFloats v) {
  return {TwoDoubles{static_cast<double>(v[0]), static_cast<double>(v[1])},
          TwoDoubles{static_cast<double>(v[2]), static_cast<double>(v[3])}};
}
inline Doubles Low(Floats v) {
  return Widen(v.low);
}
inline Doubles High(Floats v) {
  return Widen(v.high);
}
inline double Sum(Doubles v) {
  const TwoDoubles x = v.low + v.high;
  return x[0] + x[1];
}

// ---- integers ----
inline Ints SetInts(uint32_t x) {
  return {FourInts{} + x, FourInts{} + x};
}
inline Ints LoadInts(const uint32_t* p) {
  Ints v;
  std::memcpy(&v.low, p, 16);
  std::memcpy(&v.high, p + 4, 16);
  return v;
}
inline void StoreInts(uint32_t* p, Ints v) {
  std::memcpy(p, &v.low, 16);
  std::memcpy(p + 4, &v.high, 16);
}
inline Ints Xor(Ints a, Ints b) {
  return {a.low ^ b.low, a.high ^ b.high};
}
inline void MultiplyWide(Ints a, Ints factor, Ints* high, Ints* low) {
  uint32_t x[8], y[8], tops[8], bottoms[8];
  StoreInts(x, a);
  StoreInts(y, factor);
  for (int i = 0; i < 8; ++i) {
    const uint64_t product = uint64_t{x[i]} * y[i];
    tops[i] = static_cast<uint32_t>(product >> 32);
    bottoms[i] = static_cast<uint32_t>(product);
  }
  *high = LoadInts(tops);
  *low = LoadInts(bottoms);
}
inline Floats LessUnsigned(Ints a, Ints b) {
  return {reinterpret_cast<FourFloats>(a.low < b.low),
          reinterpret_cast<FourFloats>(a.high < b.high)};
}
inline void StoreInterleaved(uint32_t* out, const Ints (&words)[4]) {
  for (int word = 0; word < 4; ++word) {
    for (int i = 0; i < 4; ++i) {
      out[4 * i + word] = words[word].low[i];
      out[4 * (i + 4) + word] = words[word].high[i];
    }
  }
}

inline void StoreTransposed(const Floats (&rows)[8], float* out, int64_t stride) {
  for (int i = 0; i < 4; ++i) {
    for (int row = 0; row < 8; ++row) out[i * stride + row] = rows[row].low[i];
  }
  for (int i = 0; i < 4; ++i) {
    for (int row = 0; row < 8; ++row) out[(i + 4) * stride + row] = rows[row].high[i];
  }
}

}  // namespace heed::portable
