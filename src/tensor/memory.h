// A block of device or host memory with one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace heed {

class Memory {
 public:
  using Free = void (*)(void* data, int64_t bytes);

  Memory() = default;
  Memory(void* data, int64_t bytes, Free free) : data_(data), bytes_(bytes), free_(free) {}
  Memory(Memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)),
        free_(other.free_) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(free_, other.free_);
    return *this;
  }
  ~Memory() {
    if (data_ != nullptr && free_ != nullptr) free_(data_, bytes_);
  }

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  int64_t bytes() const { return bytes_; }

  // Zeroed host memory, aligned to a page. Pages are backed when they are first touched, so a
  // generous size costs nothing. Throws UserError when the machine refuses.
  static Memory Host(int64_t bytes);
  // Addresses that must never be read or written: for measuring.
  static Memory Unbacked(int64_t bytes);

 private:
  void* data_ = nullptr;
  int64_t bytes_ = 0;
  Free free_ = nullptr;
};

}  // namespace heed
