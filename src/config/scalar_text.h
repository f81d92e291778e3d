// Single values to recipe text and back. What is written reads back as the same value, also in
// other YAML readers: words that YAML 1.1 takes for booleans, null or numbers are quoted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

// Decimal digits with an optional minus sign; nothing for anything else or out of 64 bits.
std::optional<int64_t> ParseInteger(std::string_view text);

// A finite decimal number, with or without exponent.
std::optional<double> ParseNumber(std::string_view text);

// YAML 1.2's true and false only: yes, no, on and off are text.
std::optional<bool> ParseBoolean(std::string_view text);

// Shortest digits that read back as the same double, such as 0.0007 or 1.0e-09.
std::string FormatNumber(double value);

// The text itself if it is a plain word, else in double quotes with escapes.
std::string FormatText(std::string_view value);

}  // namespace heed
