#include "metrics/tokenizers.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <utility>

#include "metrics/punctuation_rules.h"
#include "metrics/unicode_text.h"
#include "util/check.h"

namespace heed {
namespace {

constexpr std::array<std::pair<BleuTokenizer, std::string_view>, 5> kNames = {{
    {BleuTokenizer::k13a, "13a"},
    {BleuTokenizer::kIntl, "intl"},
    {BleuTokenizer::kZh, "zh"},
    {BleuTokenizer::kChar, "char"},
    {BleuTokenizer::kNone, "none"},
}};

// First and last code points that "zh" sets apart. sacreBLEU means CJK extension B and its
// compatibility supplement by the strings '\u20000' and '\u2a6d6', '\u2f800' and '\u2fa1d', which
// Python reads as two characters each; compared with one character they cover U+2001...U+2A6D and
// U+2F81...U+2FA1. So general punctuation, arrows and mathematics count as Chinese, extension B
// does not. Scores are comparable only if we do the same.
constexpr std::array<std::pair<char32_t, char32_t>, 18> kChineseRanges = {{
    {0x2001, 0x2A6D},
    {0x2E80, 0x2EFF},
    {0x2F00, 0x2FDF},
    {0x2FF0, 0x2FFF},
    {0x3000, 0x303F},
    {0x3100, 0x312F},
    {0x31A0, 0x31BF},
    {0x31C0, 0x31EF},
    {0x3200, 0x32FF},
    {0x3300, 0x33FF},
    {0x3400, 0x4DB5},
    {0x4E00, 0x9FBB},
    {0xF900, 0xFA2D},
    {0xFA30, 0xFA6A},
    {0xFA70, 0xFAD9},
    {0xFE10, 0xFE1F},
    {0xFE30, 0xFE4F},
    {0xFF00, 0xFFEF},
}};

bool IsChinese(char32_t c) {
  return std::any_of(kChineseRanges.begin(), kChineseRanges.end(),
                     [c](const auto& range) { return c >= range.first && c <= range.second; });
}

bool HasCategory(char32_t c, uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & mask) != 0;
}
bool IsPunctuation(char32_t c) {
  return HasCategory(c, U_GC_P_MASK);
}
bool IsNotNumber(char32_t c) {
  return !HasCategory(c, U_GC_N_MASK);
}
bool IsSymbol(char32_t c) {
  return HasCategory(c, U_GC_S_MASK);
}

std::u32string CollapseSpace(std::u32string_view text) {
  return JoinWithSpace(SplitOnSpace(text));
}

std::u32string SeparateWestern(std::u32string_view text) {
  return CollapseSpace(SeparateStopsAndHyphens(IsolateCharacters(text, IsWesternPunctuation)));
}

std::u32string Tokenize13a(std::u32string_view line) {
  std::u32string text = ReplaceAll(line, U"<skipped>", U"");
  text = ReplaceAll(text, U"-\n", U"");
  text = ReplaceAll(text, U"\n", U" ");
  return SeparateWestern(PadWithSpace(ResolveEntities(text)));
}

// No space is added at the ends, so a full stop that follows a number and ends the line stays with
// it: mteval-v14.pl does so too.
std::u32string TokenizeIntl(std::u32string_view line) {
  std::u32string text = SeparatePairs(line, PairPadding::kAfter, IsNotNumber, IsPunctuation);
  text = SeparatePairs(text, PairPadding::kBefore, IsPunctuation, IsNotNumber);
  return CollapseSpace(IsolateCharacters(text, IsSymbol));
}

std::u32string TokenizeChar(std::u32string_view line) {
  std::u32string out;
  for (const char32_t c : line) {
    if (!out.empty()) {
      out += U' ';
    }
    out += c;
  }
  return out;
}

}  // namespace

std::string_view TokenizerName(BleuTokenizer tokenizer) {
  for (const auto& [kind, name] : kNames) {
    if (kind == tokenizer) {
      return name;
    }
  }
  HEED_CHECK(false, "tokenizer {} has no name", static_cast<int>(tokenizer));
  return "";
}

BleuTokenizer ParseBleuTokenizer(std::string_view name) {
  for (const auto& [kind, known] : kNames) {
    if (known == name) {
      return kind;
    }
  }
  ThrowUserError("unknown BLEU tokenizer '{}'; use 13a, intl, zh, char or none", name);
}

std::u32string TokenizeForBleu(BleuTokenizer tokenizer, std::u32string_view line) {
  switch (tokenizer) {
    case BleuTokenizer::k13a:
      return Tokenize13a(line);
    case BleuTokenizer::kIntl:
      return TokenizeIntl(line);
    case BleuTokenizer::kZh:
      return SeparateWestern(IsolateCharacters(Strip(line), IsChinese));
    case BleuTokenizer::kChar:
      return TokenizeChar(line);
    case BleuTokenizer::kNone:
      break;
  }
  return std::u32string(line);
}

}  // namespace heed
