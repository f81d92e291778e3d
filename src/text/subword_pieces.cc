#include "text/subword_pieces.h"

#include <bit>
#include <optional>

#include "util/check.h"

namespace heed {
namespace {

// Field numbers of sentencepiece_model.proto.
constexpr uint32_t kModelPieces = 1, kModelTrainerSpec = 2;
constexpr uint32_t kPieceText = 1, kPieceScore = 2, kPieceKind = 3;
constexpr uint32_t kTrainerKind = 3, kTrainerByteFallback = 35;

[[noreturn]] void ThrowDamaged() {
  ThrowUserError("this is no SentencePiece model, or a damaged one; train it again");
}

// One field of a protocol buffer message (protobuf.dev, "Encoding"): `number` for varints and
// fixed-width values, `bytes` for everything else.
struct Field {
  uint32_t id = 0;
  uint64_t number = 0;
  std::string_view bytes;
};

class MessageReader {
 public:
  explicit MessageReader(std::string_view message) : rest_(message) {}

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

  std::string_view rest_;
};

SubwordPiece ParsePiece(std::string_view message) {
  SubwordPiece piece;
  MessageReader reader(message);
  while (const std::optional<Field> field = reader.Next()) {
    if (field->id == kPieceText) piece.text = field->bytes;
    if (field->id == kPieceScore)
      piece.score = std::bit_cast<float>(static_cast<uint32_t>(field->number));
    if (field->id == kPieceKind) piece.kind = static_cast<PieceKind>(field->number);
  }
  return piece;
}

void ParseTrainerSpec(std::string_view message, SubwordPieces* result) {
  MessageReader reader(message);
  while (const std::optional<Field> field = reader.Next()) {
    if (field->id == kTrainerKind) result->kind = static_cast<SubwordKind>(field->number);
    if (field->id == kTrainerByteFallback) result->byte_fallback = field->number != 0;
  }
}

}  // namespace

SubwordPieces ParseSubwordPieces(std::string_view model) {
  SubwordPieces result;
  MessageReader reader(model);
  while (const std::optional<Field> field = reader.Next()) {
    if (field->id == kModelPieces) result.pieces.push_back(ParsePiece(field->bytes));
    if (field->id == kModelTrainerSpec) ParseTrainerSpec(field->bytes, &result);
  }
  if (result.pieces.empty()) ThrowDamaged();
  return result;
}

}  // namespace heed
