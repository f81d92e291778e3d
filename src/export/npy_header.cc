#include "export/npy_header.h"

#include <algorithm>
#include <array>

#include "config/scalar_text.h"

namespace heed {
namespace {

struct NpyType {
  std::string_view name;
  MarianType type;
};
// Marian reads text, bytes of either sign.
constexpr auto kNpyTypes = std::to_array<NpyType>({{"<f4", MarianType::kFloat32},
                                                   {"<f2", MarianType::kFloat16},
                                                   {"|i1", MarianType::kInt8},
                                                   {"|u1", MarianType::kInt8}});

// Takes the words and marks of the dictionary off its front.
class NpyParser {
 public:
  explicit NpyParser(std::string_view text) : text_(text) {}

  // Whether `word` is next; takes it then.
  bool Take(std::string_view word) {
    SkipSpace();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  // 'text'
  std::string_view TakeQuoted() {
    if (!Take("'")) return {};
    const size_t length = std::min(text_.find('\''), text_.size());
    const std::string_view quoted = text_.substr(0, length);
    text_.remove_prefix(length);
    return Take("'") ? quoted : std::string_view();
  }

  std::optional<int64_t> TakeNumber() {
    SkipSpace();
    const size_t length = std::min(text_.find_first_not_of("0123456789"), text_.size());
    const std::string_view digits = text_.substr(0, length);
    text_.remove_prefix(length);
    return ParseInteger(digits);
  }

  bool IsDone() {
    SkipSpace();
    return text_.empty();
  }

 private:
  void SkipSpace() { text_.remove_prefix(std::min(text_.find_first_not_of(" \n"), text_.size())); }

  std::string_view text_;
};

bool ParseNpyShape(NpyParser& parser, std::vector<int64_t>& shape) {
  if (!parser.Take("(")) return false;
  constexpr size_t kMostNpyAxes = 8;
  while (!parser.Take(")")) {
    const std::optional<int64_t> extent = parser.TakeNumber();
    if (!extent || shape.size() == kMostNpyAxes) return false;
    shape.push_back(*extent);
    if (!parser.Take(",")) return parser.Take(")") && shape.size() > 1;
  }
  return !shape.empty();
}

}  // namespace

std::optional<NpyHeader> ParseNpyHeader(std::string_view text) {
  NpyParser parser(text);
  NpyHeader header;
  if (!parser.Take("{") || parser.TakeQuoted() != "descr" || !parser.Take(":")) return std::nullopt;
  const auto found = std::ranges::find(kNpyTypes, parser.TakeQuoted(), &NpyType::name);
  if (found == kNpyTypes.end() || !parser.Take(",")) return std::nullopt;
  header.type = found->type;
  if (parser.TakeQuoted() != "fortran_order" || !parser.Take(":") || !parser.Take("False") ||
      !parser.Take(",")) {
    return std::nullopt;
  }
  if (parser.TakeQuoted() != "shape" || !parser.Take(":") || !ParseNpyShape(parser, header.shape)) {
    return std::nullopt;
  }
  parser.Take(",");
  if (!parser.Take("}") || !parser.IsDone()) return std::nullopt;
  return header;
}

}  // namespace heed
