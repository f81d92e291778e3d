#include "text/cleanup.h"

#include <algorithm>

#include "text/utf8.h"

namespace heed {
namespace {

constexpr bool IsControl(char character) {
  const auto byte = static_cast<unsigned char>(character);
  return (byte < 0x20 && byte != '\t') || byte == 0x7F;
}

}  // namespace

bool HasControlCharacters(std::string_view line) {
  return std::any_of(line.begin(), line.end(), IsControl);
}

std::string_view CleanLine(std::string_view line, std::string* buffer) {
  if (FindBadUtf8(line)) {
    *buffer = ReplaceBadUtf8(line);
  } else if (HasControlCharacters(line)) {
    buffer->assign(line);
  } else {
    return line;
  }
  std::replace_if(buffer->begin(), buffer->end(), IsControl, ' ');
  return *buffer;
}

}  // namespace heed
