// Text as Python sees it: code points, Python's whitespace and Python's lower-casing.
//
// The metrics must equal sacreBLEU, which is written in Python, so every notion of "character",
// "space" and "lower case" follows Python's str. Unicode data come from ICU. Non-goals: locales,
// normalisation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Decodes UTF-8. Each malformed sequence becomes U+FFFD, as bytes.decode(errors="replace") does
// (Unicode standard 15, section 3.9, "maximal subpart"). Never throws on bad text: the output of a
// model with byte fallback may be any bytes.
std::u32string DecodeUtf8(std::string_view bytes);
std::string EncodeUtf8(std::u32string_view text);

// str.lower(): the full mapping of the Unicode standard, with the final sigma, without a locale.
std::u32string Lowercase(std::u32string_view text);

// str.isspace() of one character: more than ASCII (U+00A0, U+2028, U+3000), also U+001C...U+001F.
bool IsSpace(char32_t character);

// str.strip() and str.rstrip(); views into `text`.
std::u32string_view Strip(std::u32string_view text);
std::u32string_view StripRight(std::u32string_view text);

// str.split(): the non-empty pieces between runs of whitespace; views into `text`.
std::vector<std::u32string_view> SplitOnSpace(std::u32string_view text);

// ' '.join(pieces)
std::u32string JoinWithSpace(const std::vector<std::u32string_view>& pieces);

// One space at each end.
std::u32string PadWithSpace(std::u32string_view text);

// str.replace(): every occurrence, left to right, without overlap.
std::u32string ReplaceAll(std::u32string_view text, std::u32string_view from,
                          std::u32string_view to);

}  // namespace heed
