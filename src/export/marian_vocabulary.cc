#include "export/marian_vocabulary.h"

#include <fmt/format.h>

#include <array>

namespace heed {
namespace {

struct PieceEscape {
  std::string_view character, escape;
};
// Line ends of Unicode, and characters that PyYAML refuses.
constexpr auto kPieceEscapes = std::to_array<PieceEscape>({{"\"", "\\\""},
                                                           {"\\", "\\\\"},
                                                           {"\x7F", "\\x7F"},
                                                           {"\xE2\x80\xA8", "\\u2028"},
                                                           {"\xE2\x80\xA9", "\\u2029"},
                                                           {"\xEF\xBF\xBE", "\\uFFFE"},
                                                           {"\xEF\xBF\xBF", "\\uFFFF"}});

// C0 and C1 controls: their escape, and how many bytes of `text` they take; 0 = it begins
// otherwise.
size_t TakeControl(std::string_view text, std::string& quoted) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x20) {
    quoted += fmt::format("\\x{:02X}", first);
    return 1;
  }
  const auto second = static_cast<unsigned char>(text.size() > 1 ? text[1] : 0);
  if (first != 0xC2 || second < 0x80 || second >= 0xA0) return 0;
  quoted += fmt::format("\\x{:02X}", second);
  return 2;
}

size_t TakeCharacter(std::string_view text, std::string& quoted) {
  if (const size_t taken = TakeControl(text, quoted); taken > 0) return taken;
  for (const PieceEscape& entry : kPieceEscapes) {
    if (!text.starts_with(entry.character)) continue;
    quoted += entry.escape;
    return entry.character.size();
  }
  quoted += text[0];
  return 1;
}

}  // namespace

std::string QuotedPiece(std::string_view piece) {
  std::string quoted = "\"";
  while (!piece.empty()) piece.remove_prefix(TakeCharacter(piece, quoted));
  return quoted + '"';
}

std::string MarianVocabularyYaml(const Tokenizer& tokenizer) {
  std::string yaml;
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    yaml += fmt::format("{}: {}\n", QuotedPiece(tokenizer.piece(id)), id);
  }
  return yaml;
}

}  // namespace heed
