#include "metrics/ter_tokenizer.h"

#include "metrics/punctuation_rules.h"
#include "metrics/unicode_text.h"

namespace heed {
namespace {

bool Between(char32_t c, char32_t first, char32_t last) {
  return c >= first && c <= last;
}

bool IsRemovablePunctuation(char32_t c) {
  return std::u32string_view(U".,?:;!\"()").find(c) != std::u32string_view::npos;
}

bool IsAsianPunctuation(char32_t c) {
  const bool is_cjk = c == 0x3001 || c == 0x3002 || Between(c, 0x3008, 0x3011) ||
                      Between(c, 0x3014, 0x301F) || Between(c, 0xFF61, 0xFF65) || c == 0x30FB;
  const bool is_full_width = c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || c == 0xFF1A ||
                             c == 0xFF1B || c == 0xFF01 || c == 0xFF02 || c == 0xFF08 ||
                             c == 0xFF09;
  return is_cjk || is_full_width;
}

// tercom's blocks. The one from U+3200 was meant to end at U+32FF; sacreBLEU has U+3F22, which adds
// nothing, as the blocks behind it are listed too. sacreBLEU's rules for kana runs can never match
// (they are anchored to the start of a text that begins with a space) and have no counterpart here.
bool IsAsianCharacter(char32_t c) {
  return Between(c, 0x2E80, 0x2EFF) || Between(c, 0x31C0, 0x31EF) || Between(c, 0x3200, 0x4DBF) ||
         Between(c, 0x4E00, 0x9FFF) || Between(c, 0xF900, 0xFAFF) || Between(c, 0xFE30, 0xFE4F) ||
         IsAsianPunctuation(c);
}

std::u32string Normalize(std::u32string_view line) {
  std::u32string text = ReplaceAll(line, U"\n-", U"");
  text = ReplaceAll(text, U"\n", U" ");
  text = PadWithSpace(ResolveEntities(text));
  text = IsolateCharacters(text, IsWesternPunctuation);
  text = ReplaceAll(text, U"'s ", U" 's ");
  return SeparateStopsAndHyphens(text);
}

}  // namespace

std::u32string TokenizeForTer(const TerTokenizerOptions& options, std::u32string_view line) {
  std::u32string text = options.case_sensitive ? std::u32string(line) : Lowercase(line);
  if (options.normalized) {
    text = Normalize(text);
    if (options.asian_support) {
      text = IsolateCharacters(text, IsAsianCharacter);
    }
  }
  if (options.no_punct) {
    std::erase_if(text, IsRemovablePunctuation);
    if (options.asian_support) {
      std::erase_if(text, IsAsianPunctuation);
    }
  }
  return JoinWithSpace(SplitOnSpace(text));
}

}  // namespace heed
