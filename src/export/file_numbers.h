// Numbers as binary files store them: little-endian, of a fixed width.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "util/check.h"
#include "util/files.h"

namespace heed {

// Throws InternalError if the value does not fit.
template <class Integer>
Integer Narrowed(int64_t value) {
  HEED_CHECK(std::in_range<Integer>(value), "{} does not fit into {} bytes", value,
             sizeof(Integer));
  return static_cast<Integer>(value);
}

template <class Integer>
void WriteNumber(AtomicFile& file, int64_t value) {
  const auto stored = Narrowed<Integer>(value);
  file.Write(&stored, sizeof stored);
}

template <class Integer>
void AppendNumber(std::string& record, int64_t value) {
  const auto stored = Narrowed<Integer>(value);
  record.append(reinterpret_cast<const char*>(&stored), sizeof stored);
}

}  // namespace heed
