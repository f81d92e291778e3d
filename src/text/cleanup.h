// The one cleaning that every line gets before it is cut into subwords, in training as in
// translation: control characters become spaces, ill-formed UTF-8 becomes U+FFFD.
//
// NUL spoils SentencePiece models (sentencepiece#331: a NUL piece that later fails to load), a
// carriage return inside a line shifts pairs in tools that split at it. Tabs stay: SentencePiece's
// normalisation rules decide about them. Non-goal: other normalisation, which is SentencePiece's.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// U+0000 to U+001F but tab, and U+007F.
bool HasControlCharacters(std::string_view line);

// `line` itself if it is clean, otherwise its cleaned form, kept in `buffer`.
std::string_view CleanLine(std::string_view line, std::string* buffer);

}  // namespace heed
