#include "metrics/unicode_text.h"

#include <unicode/locid.h>
#include <unicode/stringpiece.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "util/check.h"

namespace heed {
namespace {

// ICU counts in int32; a line that long is not a sentence.
int32_t IcuLength(size_t length) {
  HEED_CHECK(length < static_cast<size_t>(std::numeric_limits<int32_t>::max() / 4),
             "a line of {} characters", length);
  return static_cast<int32_t>(length);
}

icu::UnicodeString ToIcu(std::u32string_view text) {
  return icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(text.data()),
                                       IcuLength(text.size()));
}

std::u32string FromIcu(const icu::UnicodeString& text) {
  std::u32string out(static_cast<size_t>(text.countChar32()), U'\0');
  UErrorCode status = U_ZERO_ERROR;
  text.toUTF32(reinterpret_cast<UChar32*>(out.data()), IcuLength(out.size()), status);
  HEED_CHECK(U_SUCCESS(status), "ICU toUTF32: {}", u_errorName(status));
  return out;
}

bool IsAscii(char32_t character) {
  return character < 0x80;
}

}  // namespace

std::u32string DecodeUtf8(std::string_view bytes) {
  return FromIcu(
      icu::UnicodeString::fromUTF8(icu::StringPiece(bytes.data(), IcuLength(bytes.size()))));
}

std::string EncodeUtf8(std::u32string_view text) {
  std::string out;
  ToIcu(text).toUTF8String(out);
  return out;
}

std::u32string Lowercase(std::u32string_view text) {
  if (std::all_of(text.begin(), text.end(), IsAscii)) {
    std::u32string out(text);
    for (char32_t& c : out) {
      c = c >= U'A' && c <= U'Z' ? c + (U'a' - U'A') : c;
    }
    return out;
  }
  return FromIcu(ToIcu(text).toLower(icu::Locale::getRoot()));
}

bool IsSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

std::u32string_view StripRight(std::u32string_view text) {
  while (!text.empty() && IsSpace(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::u32string_view Strip(std::u32string_view text) {
  text = StripRight(text);
  while (!text.empty() && IsSpace(text.front())) {
    text.remove_prefix(1);
  }
  return text;
}

std::vector<std::u32string_view> SplitOnSpace(std::u32string_view text) {
  std::vector<std::u32string_view> pieces;
  const auto* const end = text.data() + text.size();
  for (const auto* begin = text.data();;) {
    begin = std::find_if_not(begin, end, IsSpace);
    if (begin == end) {
      return pieces;
    }
    const auto* const stop = std::find_if(begin, end, IsSpace);
    pieces.emplace_back(begin, static_cast<size_t>(stop - begin));
    begin = stop;
  }
}

std::u32string JoinWithSpace(const std::vector<std::u32string_view>& pieces) {
  std::u32string out;
  for (const std::u32string_view piece : pieces) {
    if (!out.empty()) {
      out += U' ';
    }
    out += piece;
  }
  return out;
}

std::u32string PadWithSpace(std::u32string_view text) {
  std::u32string out(1, U' ');
  out += text;
  out += U' ';
  return out;
}

std::u32string ReplaceAll(std::u32string_view text, std::u32string_view from,
                          std::u32string_view to) {
  std::u32string out;
  size_t begin = 0;
  for (size_t found; (found = text.find(from, begin)) != std::u32string_view::npos;
       begin = found + from.size()) {
    out += text.substr(begin, found - begin);
    out += to;
  }
  out += text.substr(begin);
  return out;
}

}  // namespace heed
