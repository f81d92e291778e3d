// Well-formedness of UTF-8 and what Unicode says about the characters of a line.
//
// Everything but FindBadUtf8 takes any bytes: what is not UTF-8 counts as U+FFFD, one for each
// maximal ill-formed piece (Unicode 15, section 3.9, "U+FFFD Substitution of Maximal Subparts").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

// Offset of the first byte that does not belong to well-formed UTF-8, if any. Surrogates and
// overlong forms are ill-formed.
std::optional<int64_t> FindBadUtf8(std::string_view text);

// `text` with U+FFFD in place of ill-formed pieces.
std::string ReplaceBadUtf8(std::string_view text);

// Code points.
int64_t CountCharacters(std::string_view text);

// True if there is nothing but Unicode white space, which includes NBSP.
bool IsBlank(std::string_view text);

// Code points in the longest run without white space.
int64_t LongestWord(std::string_view text);

}  // namespace heed
