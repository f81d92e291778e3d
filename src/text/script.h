// Which script a line is written in: clues of bad text that need no knowledge of the language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Letters (with the marks that belong to them) among the characters that are not white space; 0 for
// a blank line.
double LetterShare(std::string_view text);

// A Unicode script, or the set of scripts that one language mixes (Jpan, Kore).
class Script {
 public:
  // An ISO 15924 code or a long name, in any case: "Latn", "Latin", "cyrillic", "Jpan". Throws
  // UserError for any other.
  explicit Script(std::string_view name);

  // Letters of this script among the letters of the text. Letters that all scripts share count as
  // this one; so does a text without letters.
  double ShareOf(std::string_view text) const;

 private:
  bool Has(int32_t character) const;

  std::vector<int32_t> codes_;  // ICU's numbers of scripts
};

}  // namespace heed
