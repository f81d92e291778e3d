// Breaks text at blanks into lines, for help and comments.
#pragma once

#include <string>
#include <vector>

namespace heed {

// Lines of at most `width` characters; a longer word stands on a line of its own.
std::vector<std::string> WrapText(const std::string& text, size_t width);

}  // namespace heed
