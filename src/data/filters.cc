#include "data/filters.h"

#include <algorithm>
#include <string>

#include "text/cleanup.h"
#include "text/utf8.h"

namespace heed {
namespace {

std::optional<Script> ScriptOf(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return Script(name);
}

bool IsBlankOnceCleaned(std::string_view text) {
  std::string buffer;
  return IsBlank(CleanLine(text, &buffer));
}

// The earlier of two broken rules.
std::optional<DropReason> First(std::optional<DropReason> a, std::optional<DropReason> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

std::string_view NameOf(DropReason reason) {
  static constexpr std::array<std::string_view, kNumDropReasons> kNames = {
      "missing column", "bad UTF-8",   "empty",     "too many characters",
      "identical",      "few letters", "long word", "other script",
      "duplicate",      "too short",   "too long",  "length ratio"};
  return kNames[static_cast<size_t>(reason)];
}

PairFilter::PairFilter(const FilterOptions& options)
    : options_(options),
      source_script_(ScriptOf(options.heuristics.source_script)),
      target_script_(ScriptOf(options.heuristics.target_script)) {}

std::optional<DropReason> PairFilter::CheckText(std::string_view source,
                                                std::string_view target) const {
  if (FindBadUtf8(source) || FindBadUtf8(target)) return DropReason::kBadUtf8;
  if (IsBlankOnceCleaned(source) || IsBlankOnceCleaned(target)) return DropReason::kEmpty;
  const auto is_too_long = [&](std::string_view text) {
    const auto most = options_.max_characters;
    return static_cast<int64_t>(text.size()) > most && CountCharacters(text) > most;
  };
  if (is_too_long(source) || is_too_long(target)) return DropReason::kTooManyCharacters;
  if (options_.drop_identical && source == target) return DropReason::kIdentical;
  return First(CheckSide(source, source_script_), CheckSide(target, target_script_));
}

std::optional<DropReason> PairFilter::CheckSide(std::string_view text,
                                                const std::optional<Script>& script) const {
  const HeuristicOptions& heuristics = options_.heuristics;
  if (heuristics.min_letter_share > 0 && LetterShare(text) < heuristics.min_letter_share) {
    return DropReason::kFewLetters;
  }
  if (heuristics.max_word_length && LongestWord(text) > *heuristics.max_word_length) {
    return DropReason::kLongWord;
  }
  if (script && script->ShareOf(text) < heuristics.min_script_share) {
    return DropReason::kOtherScript;
  }
  return std::nullopt;
}

std::optional<DropReason> PairFilter::CheckLengths(int64_t source, int64_t target) const {
  const auto [shorter, longer] = std::minmax(source, target);
  if (shorter < options_.min_length) return DropReason::kTooShort;
  if (longer > options_.max_length) return DropReason::kTooLong;
  const bool is_uneven =
      options_.max_ratio &&
      static_cast<double>(longer) > *options_.max_ratio * static_cast<double>(shorter);
  if (is_uneven) return DropReason::kRatio;
  return std::nullopt;
}

}  // namespace heed
