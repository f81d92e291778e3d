// Looks at the bytes of a text before a parser does, for faults that parsers report badly or not at
// all (yaml-cpp takes byte 4 for the end of the file and replaces bad UTF-8 without a word).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

struct BadCharacter {
  int line = 0;    // from 1
  int column = 0;  // in bytes, from 1
  std::string message;
};

// The first byte that is not UTF-8, or control character other than tab and line ends.
std::optional<BadCharacter> FindBadCharacter(std::string_view text);

// True unless the YAML scalar at byte `start` begins with a quote, after any anchor or tag, that no
// later one closes. (yaml-cpp lets such a text run to the end of the file and swallow what
// follows.)
bool QuoteIsClosed(std::string_view text, size_t start);

// The text after a UTF-8 byte-order mark, if there is one.
std::string_view WithoutByteOrderMark(std::string_view text);

// Line `number` (from 1) without its end; empty beyond the last.
std::string_view LineOf(std::string_view text, int number);

}  // namespace heed
