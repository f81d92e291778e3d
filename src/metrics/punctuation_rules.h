// Rewriting rules that the tokenizers of BLEU (13a, zh, intl) and TER share.
//
// Each works like one global regular-expression substitution: left to right, without overlap; a
// character that one match has taken cannot start the next.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Puts `pad_first` and `pad_second` around each pair (a, b) with is_first(a) and is_second(b):
//   kAfter   a b_  ->  "a b "       kBefore  " a b"
enum class PairPadding { kAfter, kBefore };

template <class IsFirst, class IsSecond>
std::u32string SeparatePairs(std::u32string_view text, PairPadding padding, IsFirst is_first,
                             IsSecond is_second) {
  std::u32string out;
  out.reserve(text.size() * 2);
  for (size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !is_first(text[i]) || !is_second(text[i + 1])) {
      out += text[i];
      continue;
    }
    if (padding == PairPadding::kBefore) {
      out += U' ';
    }
    out += text[i];
    out += U' ';
    out += text[i + 1];
    if (padding == PairPadding::kAfter) {
      out += U' ';
    }
    ++i;
  }
  return out;
}

// Puts a space on both sides of each character with `is_isolated`.
template <class IsIsolated>
std::u32string IsolateCharacters(std::u32string_view text, IsIsolated is_isolated) {
  std::u32string out;
  out.reserve(text.size() * 2);
  for (const char32_t c : text) {
    if (is_isolated(c)) {
      out += U' ';
      out += c;
      out += U' ';
    } else {
      out += c;
    }
  }
  return out;
}

// ASCII punctuation, symbols and the space, but not ' - , . (mteval-v13a.pl).
bool IsWesternPunctuation(char32_t character);

// Separates full stops and commas except between digits, and a hyphen after a digit.
std::u32string SeparateStopsAndHyphens(std::u32string_view text);

// &quot; &amp; &lt; &gt; in this order, so that "&amp;lt;" gives "<".
std::u32string ResolveEntities(std::u32string_view text);

}  // namespace heed
