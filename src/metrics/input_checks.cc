#include "metrics/input_checks.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "util/check.h"

namespace heed {
namespace {

constexpr int64_t kTokenizedLineLimit = 100;

constexpr std::array<std::string_view, 9> kMarkup = {
    "<seg", "<doc", "<refset", "<srcset", "<tstset", "<hyp ", "<ref ", "<?xml", "<!DOCTYPE"};

}  // namespace

void CheckLineCounts(std::span<const std::string> hypotheses, ReferenceStreams references) {
  if (references.empty()) {
    ThrowUserError("no reference to score against; give at least one reference file");
  }
  for (size_t r = 0; r < references.size(); ++r) {
    if (references[r].size() != hypotheses.size()) {
      ThrowUserError(
          "{} hypotheses but {} lines in reference {}; a score needs one reference line per "
          "hypothesis: check that both files come from the same test set and were not filtered",
          hypotheses.size(), references[r].size(), r + 1);
    }
  }
  if (hypotheses.empty()) {
    ThrowUserError("no line to score: hypotheses and references are empty");
  }
}

int64_t CountTokenizedPeriods(std::span<const std::string> lines) {
  return std::count_if(lines.begin(), lines.end(),
                       [](const std::string& line) { return line.ends_with(" ."); });
}

bool LooksTokenized(std::span<const std::string> lines) {
  return CountTokenizedPeriods(lines) >= kTokenizedLineLimit;
}

std::optional<int64_t> FindMarkupLine(std::span<const std::string> lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (std::any_of(kMarkup.begin(), kMarkup.end(),
                    [line](std::string_view tag) { return line.starts_with(tag); })) {
      return static_cast<int64_t>(i) + 1;
    }
  }
  return std::nullopt;
}

}  // namespace heed
