#include "text/utf8.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "text/characters.h"

namespace heed {

std::optional<int64_t> FindBadUtf8(std::string_view text) {
  const auto size = static_cast<int64_t>(text.size());
  for (int64_t position = 0; position < size;) {
    const int64_t start = position;
    if (internal::NextCharacter(text, &position) < 0) return start;
  }
  return std::nullopt;
}

std::string ReplaceBadUtf8(std::string_view text) {
  std::string replaced;
  const auto size = static_cast<int64_t>(text.size());
  for (int64_t position = 0; position < size;) {
    const int64_t start = position;
    const bool is_good = internal::NextCharacter(text, &position) >= 0;
    replaced += is_good
                    ? text.substr(static_cast<size_t>(start), static_cast<size_t>(position - start))
                    : std::string_view("\xEF\xBF\xBD");
  }
  return replaced;
}

int64_t CountCharacters(std::string_view text) {
  int64_t count = 0;
  internal::ForEachCharacter(text, [&](UChar32 /*character*/) { ++count; });
  return count;
}

bool IsBlank(std::string_view text) {
  const auto size = static_cast<int64_t>(text.size());
  for (int64_t position = 0; position < size;) {
    if (!u_isUWhiteSpace(internal::NextCharacter(text, &position))) return false;
  }
  return true;
}

int64_t LongestWord(std::string_view text) {
  int64_t longest = 0, current = 0;
  internal::ForEachCharacter(text, [&](UChar32 character) {
    current = u_isUWhiteSpace(character) ? 0 : current + 1;
    longest = std::max(longest, current);
  });
  return longest;
}

}  // namespace heed
