#include "text/script.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>

#include "text/characters.h"
#include "util/check.h"

namespace heed {
namespace {

bool IsLetter(UChar32 character) {
  return u_isUAlphabetic(character) || (U_GET_GC_MASK(character) & U_GC_M_MASK) != 0;
}

// The scripts of characters that texts of a mixed script have.
std::vector<int32_t> Expand(UScriptCode code) {
  switch (code) {
    case USCRIPT_JAPANESE:
      return {USCRIPT_HAN, USCRIPT_HIRAGANA, USCRIPT_KATAKANA};
    case USCRIPT_KOREAN:
      return {USCRIPT_HANGUL, USCRIPT_HAN};
    case USCRIPT_SIMPLIFIED_HAN:
    case USCRIPT_TRADITIONAL_HAN:
      return {USCRIPT_HAN};
    default:
      return {code};
  }
}

}  // namespace

double LetterShare(std::string_view text) {
  int64_t letters = 0, characters = 0;
  internal::ForEachCharacter(text, [&](UChar32 character) {
    if (u_isUWhiteSpace(character)) return;
    ++characters;
    if (IsLetter(character)) ++letters;
  });
  return characters == 0 ? 0 : static_cast<double>(letters) / static_cast<double>(characters);
}

Script::Script(std::string_view name) {
  const std::string text(name);
  // uscript_getCode also takes names of locales ("en"), which would hide a mistaken language code.
  const int32_t value = u_getPropertyValueEnum(UCHAR_SCRIPT, text.c_str());
  if (value == UCHAR_INVALID_CODE || text.empty()) {
    ThrowUserError(
        "'{}' is no Unicode script; write its name or ISO 15924 code, such as Latin, "
        "Cyrillic, Arabic, Han or Jpan",
        name);
  }
  codes_ = Expand(static_cast<UScriptCode>(value));
}

bool Script::Has(int32_t character) const {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode code = uscript_getScript(character, &status);
  if (code == USCRIPT_COMMON || code == USCRIPT_INHERITED) return true;
  return std::any_of(codes_.begin(), codes_.end(), [&](int32_t wanted) {
    return uscript_hasScript(character, static_cast<UScriptCode>(wanted));
  });
}

double Script::ShareOf(std::string_view text) const {
  int64_t letters = 0, own = 0;
  internal::ForEachCharacter(text, [&](UChar32 character) {
    if (!IsLetter(character)) return;
    ++letters;
    if (Has(character)) ++own;
  });
  return letters == 0 ? 1 : static_cast<double>(own) / static_cast<double>(letters);
}

}  // namespace heed
