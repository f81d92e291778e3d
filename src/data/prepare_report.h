// What preparation did with each corpus, for people and for the manifest.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/filters.h"

namespace heed {

// One side of the kept pairs, in tokens with end marks.
struct SideReport {
  int64_t tokens = 0;
  int64_t unknown = 0;  // unknown tokens
  int64_t bytes = 0;    // tokens that spell one byte

  bool operator==(const SideReport&) const = default;
};

struct CorpusReport {
  std::string name;
  int64_t read = 0;  // pairs
  int64_t kept = 0;
  std::array<int64_t, kNumDropReasons> dropped{};  // by DropReason
  int64_t with_controls = 0;    // kept pairs with control characters, which count as spaces
  int64_t repaired = 0;         // pairs whose ill-formed UTF-8 was replaced by U+FFFD
  int64_t suspicious_line = 0;  // from which on the sides seem out of step; 0 = none
  SideReport source, target;

  bool operator==(const CorpusReport&) const = default;
};

struct VocabularyReport {
  int64_t size = 0;
  int64_t used = 0;  // pieces that occur in the training data

  bool operator==(const VocabularyReport&) const = default;
};

struct PrepareReport {
  std::vector<CorpusReport> train;
  std::optional<CorpusReport> valid;
  bool is_joint = false;
  VocabularyReport source, target;  // equal if joint

  // A table of pairs by corpus and rule, then the vocabularies; ends without a line break.
  std::string Format() const;
  bool operator==(const PrepareReport&) const = default;
};

void to_json(nlohmann::json& json, const PrepareReport& report);
void from_json(const nlohmann::json& json, PrepareReport& report);

}  // namespace heed
