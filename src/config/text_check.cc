#include "config/text_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace heed {
namespace {

// Bytes of the UTF-8 character at the start of `text` (RFC 3629: shortest form, no surrogates, at
// most U+10FFFF), or 0 if there is none.
size_t CharacterLength(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool is_overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool is_surrogate = first == 0xED && byte(1) >= 0xA0;
  const bool is_beyond = first == 0xF4 && byte(1) >= 0x90;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

}  // namespace

std::optional<BadCharacter> FindBadCharacter(std::string_view text) {
  int line = 1;
  size_t line_start = 0;
  for (size_t i = 0; i < text.size();) {
    const int column = static_cast<int>(i - line_start) + 1;
    const auto byte = static_cast<uint8_t>(text[i]);
    const size_t length = CharacterLength(text.substr(i, 4));
    if (length == 0) {
      return BadCharacter{line, column, fmt::format("byte 0x{:02X} is not UTF-8", byte)};
    }
    const bool is_space = byte == '\t' || byte == '\n' || byte == '\r';
    if ((byte < 0x20 && !is_space) || byte == 0x7F) {
      return BadCharacter{line, column, fmt::format("control character 0x{:02X}", byte)};
    }
    i += length;
    if (byte == '\n') {
      ++line;
      line_start = i;
    }
  }
  return std::nullopt;
}

bool QuoteIsClosed(std::string_view text, size_t start) {
  constexpr std::string_view kBlank = " \t\r\n";
  size_t i = std::min(start, text.size());
  while (i < text.size() && (text[i] == '&' || text[i] == '!')) {
    i = std::min(text.find_first_of(kBlank, i), text.size());
    i = std::min(text.find_first_not_of(kBlank, i), text.size());
  }
  if (i >= text.size() || (text[i] != '"' && text[i] != '\'')) return true;
  const char quote = text[i];
  for (++i; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool is_doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!is_doubled) return true;
      ++i;
    }
  }
  return false;
}

std::string_view WithoutByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::string_view LineOf(std::string_view text, int number) {
  for (int i = 1; i < number; ++i) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace heed
