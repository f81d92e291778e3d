// The languages of M2M100's tokenizers, in the order of their tokens' ids (Fan et al. 2020, "Beyond
// English-centric multilingual machine translation"; Tran et al. 2021 for WMT).
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace heed {

inline constexpr auto kM2m100Languages = std::to_array<std::string_view>(
    {"af", "am", "ar", "ast", "az", "ba", "be", "bg", "bn", "br",  "bs", "ca", "ceb", "cs", "cy",
     "da", "de", "el", "en",  "es", "et", "fa", "ff", "fi", "fr",  "fy", "ga", "gd",  "gl", "gu",
     "ha", "he", "hi", "hr",  "ht", "hu", "hy", "id", "ig", "ilo", "is", "it", "ja",  "jv", "ka",
     "kk", "km", "kn", "ko",  "lb", "lg", "ln", "lo", "lt", "lv",  "mg", "mk", "ml",  "mn", "mr",
     "ms", "my", "ne", "nl",  "no", "ns", "oc", "or", "pa", "pl",  "ps", "pt", "ro",  "ru", "sd",
     "si", "sk", "sl", "so",  "sq", "sr", "ss", "su", "sv", "sw",  "ta", "th", "tl",  "tn", "tr",
     "uk", "ur", "uz", "vi",  "wo", "xh", "yi", "yo", "zh", "zu"});
inline constexpr auto kWmt21Languages =
    std::to_array<std::string_view>({"en", "ha", "is", "ja", "cs", "ru", "zh", "de"});

// Of a tokenizer's key language_codes; empty if there is no such list.
inline std::span<const std::string_view> M2m100Languages(std::string_view codes) {
  if (codes == "m2m100") return kM2m100Languages;
  if (codes == "wmt21") return kWmt21Languages;
  return {};
}

}  // namespace heed
