// Walking over the characters of UTF-8 text with ICU's macros; for the files of this folder.
#pragma once

#include <unicode/utf8.h>

#include <cstdint>
#include <string_view>

namespace heed::internal {

// The character at byte `position`, or a negative number if it is ill-formed; moves `position`
// behind it. Lines are far below 2^31 bytes (kLongestLine).
inline UChar32 NextCharacter(std::string_view text, int64_t* position) {
  const auto first = static_cast<unsigned char>(text[static_cast<size_t>(*position)]);
  if (first < 0x80) {
    ++*position;
    return first;
  }
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto length = static_cast<int64_t>(text.size());
  int64_t next = *position;
  UChar32 character = 0;
  U8_NEXT(bytes, next, length, character);
  *position = next;
  return character;
}

template <class Body>
void ForEachCharacter(std::string_view text, const Body& body) {
  const auto size = static_cast<int64_t>(text.size());
  for (int64_t position = 0; position < size;) {
    const UChar32 character = NextCharacter(text, &position);
    body(character < 0 ? 0xFFFD : character);
  }
}

}  // namespace heed::internal
