// Reads protocol buffer messages (protobuf.dev, "Encoding"), field by field, without copying.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "util/check.h"

namespace heed {

class ProtobufReader {
 public:
  // `number` for varints and fixed-width values, `bytes` for everything else.
  struct Field {
    uint32_t id = 0;
    uint64_t number = 0;
    std::string_view bytes;
  };

  // `complaint` says of what, and what to do, where the message breaks off: "this is no
  // SentencePiece model, or a damaged one; train it again". Both texts must outlive the reader.
  ProtobufReader(std::string_view message, std::string_view complaint)
      : rest_(message), complaint_(complaint) {}

  // Of a message that is a field of this one.
  ProtobufReader Inside(const Field& field) const { return {field.bytes, complaint_}; }

  // Throws UserError where the message breaks off.
  std::optional<Field> Next() {
    if (rest_.empty()) return std::nullopt;
    const uint64_t tag = TakeVarint();
    Field field;
    field.id = static_cast<uint32_t>(tag >> 3);
    switch (tag & 7) {
      case 0:
        field.number = TakeVarint();
        break;
      case 1:
        field.number = TakeFixed(8);
        break;
      case 2:
        field.bytes = Take(TakeVarint());
        break;
      case 5:
        field.number = TakeFixed(4);
        break;
      default:
        ThrowDamaged();
    }
    return field;
  }

  [[noreturn]] void ThrowDamaged() const { ThrowUserError("{}", complaint_); }

 private:
  std::string_view Take(uint64_t count) {
    if (count > rest_.size()) ThrowDamaged();
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  uint64_t TakeFixed(size_t bytes) {
    uint64_t value = 0;
    const std::string_view taken = Take(bytes);
    for (size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(taken[i]);
    return value;
  }

  uint64_t TakeVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(Take(1)[0]);
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    ThrowDamaged();
  }

  std::string_view rest_, complaint_;
};

}  // namespace heed
