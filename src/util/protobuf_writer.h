// Writes protocol buffer messages (protobuf.dev, "Encoding"), field by field.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace heed {

class ProtobufWriter {
 public:
  // Also of negative numbers, which take ten bytes.
  void Number(uint32_t id, int64_t value) {
    Varint(id << 3);
    Varint(static_cast<uint64_t>(value));
  }

  void Float(uint32_t id, float value) {
    Varint(id << 3 | 5);
    const auto bits = std::bit_cast<uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(bits >> shift & 0xFF);
  }

  // A text, bytes, or a message.
  void Bytes(uint32_t id, std::string_view value) {
    Begin(id, static_cast<int64_t>(value.size()));
    bytes_ += value;
  }

  // Announces `size` bytes of a text or message that follow this writer's bytes.
  void Begin(uint32_t id, int64_t size) {
    Varint(id << 3 | 2);
    Varint(static_cast<uint64_t>(size));
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace heed
