// Walks over a part of a mapped file. Whatever the bytes say, it never leaves the part: stepping
// over its end, like every other fault, is a UserError that names the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "util/check.h"
#include "util/mapped_file.h"

namespace heed {

class FileCursor {
 public:
  // Over bytes [begin, end). `kind` is what the file ought to be: "a Marian model".
  FileCursor(const MappedFile& file, std::string kind, int64_t begin, int64_t end)
      : file_(file), kind_(std::move(kind)), position_(begin), end_(end) {
    if (begin < 0 || begin > end || end > file.size()) {
      Fail(fmt::format("it names bytes {} to {} of {}", begin, end, file.size()));
    }
  }
  FileCursor(const MappedFile& file, std::string kind)
      : FileCursor(file, std::move(kind), 0, file.size()) {}

  // A little-endian integer.
  template <class Integer>
  Integer Next() {
    Integer value;
    std::memcpy(&value, Skip(sizeof value), sizeof value);
    return value;
  }

  // A size or count; one above 63 bits cannot be meant.
  int64_t NextSize() {
    const auto value = Next<uint64_t>();
    if (!std::in_range<int64_t>(value)) Fail(fmt::format("it holds the size {}", value));
    return static_cast<int64_t>(value);
  }

  std::string_view NextText(int64_t bytes) {
    return {reinterpret_cast<const char*>(Skip(bytes)), static_cast<size_t>(bytes)};
  }

  // A name of `bytes` bytes, of which the last and no other is zero, without that zero.
  std::string NextName(int64_t bytes) {
    const std::string_view name = NextText(bytes);
    if (name.empty() || name.find('\0') != name.size() - 1) {
      Fail("a name does not end where it should");
    }
    return std::string(name.substr(0, name.size() - 1));
  }

  const std::byte* Skip(int64_t bytes) {
    if (bytes < 0 || bytes > remaining()) {
      Fail(fmt::format("{} bytes are missing", bytes - remaining()));
    }
    return file_.data() + std::exchange(position_, position_ + bytes);
  }

  int64_t position() const { return position_; }
  int64_t remaining() const { return end_ - position_; }

  [[noreturn]] void Fail(std::string_view reason) const {
    ThrowUserError("{} is not {}, or is damaged: {}; use another copy of it", file_.path().string(),
                   kind_, reason);
  }

 private:
  const MappedFile& file_;
  std::string kind_;
  int64_t position_, end_;
};

// Bytes of an array of elements of `size` bytes; fails if a size is below 1 or the product
// overflows.
inline int64_t ArrayBytes(const FileCursor& cursor, std::string_view name, int64_t size,
                          const auto& shape) {
  int64_t bytes = size;
  for (const int64_t extent : shape) {
    if (extent < 1 || __builtin_mul_overflow(bytes, extent, &bytes)) {
      cursor.Fail(fmt::format("the shape of '{}' cannot be", name));
    }
  }
  return bytes;
}

}  // namespace heed
