#include "export/marian_pieces.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "config/scalar_text.h"
#include "text/utf8.h"
#include "util/check.h"
#include "util/files.h"
#include "util/json_file.h"
#include "util/line_reader.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kLargestPieceFile = int64_t{1} << 27;  // bytes; 60,000 pieces have about 1 MB
constexpr int64_t kLongestPieceLine = int64_t{1} << 16;

using PlacedPieces = std::vector<std::pair<int64_t, std::string>>;  // id, piece

std::string_view TrimSpaces(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

// The character in UTF-8.
std::string CharacterText(uint32_t code) {
  const auto byte = [](uint32_t bits) { return static_cast<char>(bits); };
  const auto rest = [&](int shift) { return byte(0x80U | (code >> shift & 0x3FU)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0U | code >> 6), rest(0)};
  if (code < 0x10000) return {byte(0xE0U | code >> 12), rest(6), rest(0)};
  return {byte(0xF0U | code >> 18), rest(12), rest(6), rest(0)};
}

// Takes the digits of \x41, \u0041 or \U00000041 off `text`; nothing if they are wrong.
std::optional<std::string> TakeCodePoint(size_t digits, std::string_view* text) {
  if (text->size() < digits) return std::nullopt;
  uint32_t code = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + digits, code, 16);
  constexpr uint32_t kLastCharacter = 0x10FFFF;
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (error != std::errc() || end != text->data() + digits || is_surrogate ||
      code > kLastCharacter) {
    return std::nullopt;
  }
  text->remove_prefix(digits);
  return CharacterText(code);
}

// YAML 1.2, section 5.7: the escape of one letter.
std::optional<std::string> TakeEscape(std::string_view* text) {
  constexpr auto kEscapes =
      std::to_array<std::pair<char, std::string_view>>({{'"', "\""},
                                                        {'\\', "\\"},
                                                        {'/', "/"},
                                                        {'a', "\x07"},
                                                        {'b', "\x08"},
                                                        {'e', "\x1B"},
                                                        {'f', "\x0C"},
                                                        {'n', "\n"},
                                                        {'r', "\r"},
                                                        {'t', "\t"},
                                                        {'v', "\x0B"},
                                                        {' ', " "},
                                                        {'N', "\xC2\x85"},
                                                        {'_', "\xC2\xA0"},
                                                        {'L', "\xE2\x80\xA8"},
                                                        {'P', "\xE2\x80\xA9"}});
  if (text->empty()) return std::nullopt;
  const char letter = text->front();
  text->remove_prefix(1);
  if (letter == '0') return std::string(1, '\0');
  if (letter == 'x') return TakeCodePoint(2, text);
  if (letter == 'u') return TakeCodePoint(4, text);
  if (letter == 'U') return TakeCodePoint(8, text);
  for (const auto& [name, value] : kEscapes) {
    if (name == letter) return std::string(value);
  }
  return std::nullopt;
}

std::optional<std::string> ParseDoubleQuoted(std::string_view inside) {
  std::string piece;
  while (!inside.empty()) {
    const char c = inside.front();
    inside.remove_prefix(1);
    if (c == '"') return std::nullopt;
    if (c != '\\') {
      piece += c;
      continue;
    }
    const auto escaped = TakeEscape(&inside);
    if (!escaped) return std::nullopt;
    piece += *escaped;
  }
  return piece;
}

std::optional<std::string> ParseSingleQuoted(std::string_view inside) {
  std::string piece;
  for (size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '\'' && (++i == inside.size() || inside[i] != '\'')) return std::nullopt;
    piece += inside[i];
  }
  return piece;
}

std::optional<std::string> ParsePieceKey(std::string_view key) {
  key = TrimSpaces(key);
  if (key.empty()) return std::nullopt;
  const char quote = key.front();
  if (quote != '"' && quote != '\'') return std::string(key);
  if (key.size() < 2 || key.back() != quote) return std::nullopt;
  const std::string_view inside = key.substr(1, key.size() - 2);
  return quote == '"' ? ParseDoubleQuoted(inside) : ParseSingleQuoted(inside);
}

PlacedPieces ReadYamlPieces(const fs::path& path) {
  PlacedPieces pieces;
  std::optional<std::string> key;  // of "? key", whose ": id" is the next line
  LineReader lines(path, kLongestPieceLine);
  const auto fail = [&](std::string_view what) {
    ThrowUserError("{}:{}: {}; a vocabulary has lines such as \"piece\": 12", path.string(),
                   lines.line_number(), what);
  };
  for (std::string_view line; lines.Next(&line);) {
    if (FindBadUtf8(line)) fail("this line is not UTF-8");
    if (!key && (TrimSpaces(line).empty() || line.front() == '#' || line == "---")) continue;
    if (!key && line.starts_with("? ")) {
      key = ParsePieceKey(line.substr(2));
      if (!key) fail("the piece cannot be read");
      continue;
    }
    const size_t colon = line.rfind(':');
    if (colon == std::string_view::npos) fail("no piece with an id");
    const bool is_second = key.has_value();
    if (!is_second) key = ParsePieceKey(line.substr(0, colon));
    if (!key || (is_second && !TrimSpaces(line.substr(0, colon)).empty())) {
      fail("the piece cannot be read");
    }
    const auto id = ParseInteger(TrimSpaces(line.substr(colon + 1)));
    if (!id) fail("the id is no number");
    pieces.emplace_back(*id, *std::exchange(key, std::nullopt));
  }
  if (key) fail("the id of the last piece is missing");
  return pieces;
}

PlacedPieces ReadJsonPieces(const fs::path& path) {
  const nlohmann::json file = ReadJsonFile(path);
  PlacedPieces pieces;
  if (!file.is_object()) ThrowUserError("{} is not a map from pieces to ids", path.string());
  for (const auto& [piece, id] : file.items()) {
    if (!id.is_number_integer()) {
      ThrowUserError("{}: the id of '{}' is no number", path.string(), piece);
    }
    pieces.emplace_back(id.get<int64_t>(), piece);
  }
  return pieces;
}

// By id, which must be 0, 1, 2, ...
std::vector<std::string> InOrder(PlacedPieces placed, const fs::path& path) {
  std::ranges::sort(placed, {}, &PlacedPieces::value_type::first);
  std::vector<std::string> pieces;
  for (auto& [id, piece] : placed) {
    const int64_t wanted = std::ssize(pieces);
    if (id != wanted) {
      ThrowUserError("{}: id {} {}; ids must be 0, 1, 2 and so on", path.string(),
                     id < wanted ? id : wanted,
                     id < wanted ? "is below 0 or comes twice" : "is absent");
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

// Whether the file starts as JSON does.
bool IsJsonMap(const fs::path& path) {
  LineReader lines(path);
  for (std::string_view line; lines.Next(&line);) {
    line = TrimSpaces(line);
    if (!line.empty()) return line.front() == '{';
  }
  return false;
}

}  // namespace

std::vector<std::string> ReadMarianPieces(const fs::path& path) {
  if (FileSize(path) > kLargestPieceFile) {
    ThrowUserError("{} has {}; no vocabulary is that large", path.string(),
                   FormatBytes(FileSize(path)));
  }
  const std::string kind = path.extension().string();
  const bool is_map = kind == ".yml" || kind == ".yaml" || kind == ".json";
  if (!is_map) return ReadLines(path);
  return InOrder(IsJsonMap(path) ? ReadJsonPieces(path) : ReadYamlPieces(path), path);
}

}  // namespace heed
