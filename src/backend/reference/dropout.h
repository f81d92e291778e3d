// The factor by which dropout multiplies one element: 0 or 1 / (1 - rate).
#pragma once

#include "backend/backend.h"

namespace heed::reference {

inline double DropoutFactor(const DropoutSpec& dropout, int64_t element) {
  if (dropout.rate == 0) return 1;
  const bool keeps =
      DropoutKeeps(dropout.stream, static_cast<uint64_t>(element), DropoutThreshold(dropout.rate));
  return keeps ? 1 / (1 - dropout.rate) : 0;
}

}  // namespace heed::reference
