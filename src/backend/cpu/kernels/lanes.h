// Loops over a row in steps of one vector, the rest with masked loads and stores, so that an
// element gets the same bits wherever it stands.
// Every header of this folder is compiled once per instruction set, into namespace HEED_ISA.
#pragma once

#include <cstdint>

namespace heed::HEED_ISA {

struct AllLanes {
  static constexpr bool kAll = true;
  static Floats Load(const float* p) { return HEED_ISA::Load(p); }
  static void Store(float* p, Floats v) { HEED_ISA::Store(p, v); }
};

struct SomeLanes {
  static constexpr bool kAll = false;
  int64_t count;  // 0 < count < kLanes
  Floats Load(const float* p) const { return LoadPart(p, count); }
  void Store(float* p, Floats v) const { StorePart(p, count, v); }
};

// body(offset, lanes) for offsets 0, 8, ... below n.
template <class Body>
inline void ForLanes(int64_t n, Body&& body) {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) body(i, AllLanes{});
  if (i < n) body(i, SomeLanes{n - i});
}

// All bits set in the first `count` lanes.
inline Floats FirstLanes(int64_t count) {
  alignas(32) static constexpr float kIndices[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  return Less(Load(kIndices), Set(static_cast<float>(count)));
}

// `v` in the lanes that are in use, `other` in the rest.
inline Floats KeepUsed(AllLanes, Floats v, Floats) {
  return v;
}
inline Floats KeepUsed(SomeLanes lanes, Floats v, Floats other) {
  return Select(FirstLanes(lanes.count), v, other);
}

}  // namespace heed::HEED_ISA
