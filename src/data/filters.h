// The rules by which training pairs are dropped. Each pair is counted under the first rule that it
// breaks, in the order of DropReason.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "config/data_options.h"
#include "text/script.h"

namespace heed {

enum class DropReason {
  kMissingColumn,  // a line of a TSV file with too few columns
  kBadUtf8,
  kEmpty,              // a side is empty or blank once control characters count as spaces
  kTooManyCharacters,  // before subwords are made
  kIdentical,          // both sides the same text
  kFewLetters,
  kLongWord,
  kOtherScript,
  kDuplicate,  // both sides equal to an earlier pair that came as far as this rule
  kTooShort,   // in tokens with end mark
  kTooLong,    // in tokens with end mark
  kRatio,      // of the lengths in tokens with end mark
};
inline constexpr size_t kNumDropReasons = 12;

// "bad UTF-8", as the report and the manifest write it.
std::string_view NameOf(DropReason reason);

class PairFilter {
 public:
  // Throws UserError for a script that does not exist.
  explicit PairFilter(const FilterOptions& options);

  // The rules about text, but that about duplicates. Ill-formed UTF-8 breaks the rule kBadUtf8
  // whatever the policy; the caller replaces it before, or stops.
  std::optional<DropReason> CheckText(std::string_view source, std::string_view target) const;

  // The rules about lengths, in tokens with end mark.
  std::optional<DropReason> CheckLengths(int64_t source, int64_t target) const;

  const FilterOptions& options() const { return options_; }

 private:
  std::optional<DropReason> CheckSide(std::string_view text,
                                      const std::optional<Script>& script) const;

  FilterOptions options_;
  std::optional<Script> source_script_, target_script_;
};

}  // namespace heed
