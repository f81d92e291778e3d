#include "metrics/punctuation_rules.h"

#include "metrics/unicode_text.h"

namespace heed {
namespace {

bool IsDigit(char32_t c) {
  return c >= U'0' && c <= U'9';
}
bool IsNotDigit(char32_t c) {
  return !IsDigit(c);
}
bool IsStop(char32_t c) {
  return c == U'.' || c == U',';
}
bool IsHyphen(char32_t c) {
  return c == U'-';
}

}  // namespace

bool IsWesternPunctuation(char32_t c) {
  return (c >= U' ' && c <= U'&') || (c >= U'(' && c <= U'+') || c == U'/' ||
         (c >= U':' && c <= U'@') || (c >= U'[' && c <= U'`') || (c >= U'{' && c <= U'~');
}

std::u32string SeparateStopsAndHyphens(std::u32string_view text) {
  std::u32string out = SeparatePairs(text, PairPadding::kAfter, IsNotDigit, IsStop);
  out = SeparatePairs(out, PairPadding::kBefore, IsStop, IsNotDigit);
  return SeparatePairs(out, PairPadding::kAfter, IsDigit, IsHyphen);
}

std::u32string ResolveEntities(std::u32string_view text) {
  if (text.find(U'&') == std::u32string_view::npos) {
    return std::u32string(text);
  }
  std::u32string out = ReplaceAll(text, U"&quot;", U"\"");
  out = ReplaceAll(out, U"&amp;", U"&");
  out = ReplaceAll(out, U"&lt;", U"<");
  return ReplaceAll(out, U"&gt;", U">");
}

}  // namespace heed
