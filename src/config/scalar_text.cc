#include "config/scalar_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace heed {
namespace {

template <class Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number value{};
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

bool IsAsciiLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsAsciiDigit(char c) {
  return c >= '0' && c <= '9';
}

// Words that some YAML reader takes for a boolean, null or number.
bool IsReservedWord(std::string_view value) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"y", "n", "yes", "no", "on", "off", "true", "false", "null", ".inf", ".nan"});
  std::string lower(value);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

bool IsPlainWord(std::string_view value) {
  if (value.empty() || IsReservedWord(value)) return false;
  const auto may_start = [](char c) { return IsAsciiLetter(c) || c == '/' || c == '_'; };
  const bool is_relative_path = value.starts_with("./") || value.starts_with("../");
  return (may_start(value[0]) || is_relative_path) &&
         std::all_of(value.begin(), value.end(), [](char c) {
           return IsAsciiLetter(c) || IsAsciiDigit(c) ||
                  std::string_view("_-./+").find(c) != std::string_view::npos;
         });
}

}  // namespace

std::optional<int64_t> ParseInteger(std::string_view text) {
  return ParseWhole<int64_t>(text);
}

std::optional<double> ParseNumber(std::string_view text) {
  const std::optional<double> value = ParseWhole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<bool> ParseBoolean(std::string_view text) {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

std::string FormatNumber(double value) {
  std::string text = fmt::format("{}", value);
  // YAML 1.1 readers take 1e-09 for text; 1.0e-09 is a number to all of them.
  const size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) {
    text.insert(exponent, ".0");
  }
  return text;
}

std::string FormatText(std::string_view value) {
  if (IsPlainWord(value)) return std::string(value);
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      quoted += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace heed
