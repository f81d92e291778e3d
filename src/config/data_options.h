// Section `data` of a recipe: corpora, filters and the order in which sentences are seen.
//
// Paths are relative to the folder in which heed is started (as in Marian), never to the recipe;
// only `include` is relative to the recipe. Files may be plain, .gz or .zst.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/constraints.h"
#include "config/enum_names.h"

namespace heed {

enum class BadUtf8Policy { kDrop, kReplace, kError };
constexpr auto EnumNames(BadUtf8Policy /*tag*/) {
  return std::to_array<EnumName<BadUtf8Policy>>({{BadUtf8Policy::kDrop, "drop"},
                                                 {BadUtf8Policy::kReplace, "replace"},
                                                 {BadUtf8Policy::kError, "error"}});
}

enum class EmptyLinePolicy { kDrop, kError };
constexpr auto EnumNames(EmptyLinePolicy /*tag*/) {
  return std::to_array<EnumName<EmptyLinePolicy>>(
      {{EmptyLinePolicy::kDrop, "drop"}, {EmptyLinePolicy::kError, "error"}});
}

// Paired sentences: either two files of lines or one file of tab-separated columns.
struct CorpusOptions {
  std::string source;         // lines of source text
  std::string target;         // lines of target text, paired with `source`
  std::string tsv;            // instead of source and target
  int64_t source_column = 1;  // of `tsv`, from 1
  int64_t target_column = 2;  // of `tsv`, from 1

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("source", source, "File of source sentences, one per line");
    visit("target", target, "File of target sentences, line by line the partners of 'source'");
    visit("tsv", tsv, "File of tab-separated columns, instead of 'source' and 'target'");
    visit("source_column", source_column, "Column of 'tsv' with the source sentence, from 1",
          AtLeast{1});
    visit("target_column", target_column, "Column of 'tsv' with the target sentence, from 1",
          AtLeast{1});
  }
  bool IsGiven() const { return !source.empty() || !target.empty() || !tsv.empty(); }
  bool operator==(const CorpusOptions&) const = default;
};

// One of the corpora that training mixes.
struct TrainingCorpusOptions : CorpusOptions {
  std::string name;   // in reports; empty = the file name
  double weight = 1;  // how often each sentence is seen per epoch

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("name", name, "Name in reports; empty means the file name");
    CorpusOptions::VisitFields(visit);
    visit("weight", weight,
          "How often each sentence is seen per epoch: 2 = twice, 0.5 = every second one, another "
          "half each epoch",
          Above{0});
  }
  bool operator==(const TrainingCorpusOptions&) const = default;
};

// Clues of bad text that need no knowledge of the languages. A pair that fails one is dropped.
struct HeuristicOptions {
  double min_letter_share = 0;             // letters among characters without blanks, each side
  std::optional<int64_t> max_word_length;  // characters between blanks, each side
  std::string source_script;               // ISO 15924 or long name, such as Latin
  std::string target_script;
  double min_script_share = 0.5;  // letters of that script among letters

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit(
        "min_letter_share", min_letter_share,
        "Smallest share of letters among the characters that are not blank, on each side; 0 = off",
        InRange{0, 1});
    visit("max_word_length", max_word_length,
          "Longest run of characters without a blank, on each side", AtLeast{1});
    visit("source_script", source_script,
          "Unicode script of the source language, such as Latin or Cyrillic; empty = any");
    visit("target_script", target_script,
          "Unicode script of the target language, such as Latin or Cyrillic; empty = any");
    visit("min_script_share", min_script_share,
          "Smallest share of letters in the stated script among all letters of the sentence",
          InRange{0, 1});
  }
  bool operator==(const HeuristicOptions&) const = default;
};

// Which training pairs are dropped; each rule has its own count in the report of `heed prepare`.
// Lengths are in subword tokens and count the end mark, as the model sees them.
struct FilterOptions {
  int64_t min_length = 2;           // tokens with end mark, each side
  int64_t max_length = 256;         // tokens with end mark, each side
  std::optional<double> max_ratio;  // longer length / shorter length
  int64_t max_characters = 5000;    // of the raw line, each side; checked before encoding
  bool drop_identical = false;      // source text == target text
  bool drop_duplicates = false;     // both sides equal to an earlier pair
  BadUtf8Policy bad_utf8 = BadUtf8Policy::kDrop;
  EmptyLinePolicy empty_lines = EmptyLinePolicy::kDrop;
  HeuristicOptions heuristics;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("min_length", min_length,
          "Shortest sentence kept, in subword tokens with the end mark, on each side", AtLeast{1});
    visit("max_length", max_length,
          "Longest sentence kept, in subword tokens with the end mark, on each side", AtLeast{2});
    visit("max_ratio", max_ratio,
          "Largest length of one side over the length of the other, in tokens with the end mark",
          AtLeast{1});
    visit("max_characters", max_characters,
          "Longest raw line kept, in characters, on each side; checked before subwords are made",
          AtLeast{1});
    visit("drop_identical", drop_identical, "Drop pairs whose two sides are the same text");
    visit("drop_duplicates", drop_duplicates, "Drop pairs that equal an earlier pair");
    visit("bad_utf8", bad_utf8,
          "Lines that are not valid UTF-8: drop the pair, replace the bytes by U+FFFD, or stop");
    visit("empty_lines", empty_lines,
          "Pairs with an empty or blank side: drop the pair, or stop with its line number");
    visit("heuristics", heuristics, "Clues of bad text that need no knowledge of the languages");
  }
  bool operator==(const FilterOptions&) const = default;
};

struct DataOptions {
  std::string source_language;  // such as en; names columns, folders and exports
  std::string target_language;
  std::vector<TrainingCorpusOptions> train;
  CorpusOptions valid;    // never filtered
  std::string fetch;      // command shown when a file is missing
  FilterOptions filters;  // training data only
  bool shuffle = true;
  std::optional<int64_t> shuffle_seed;  // absent = Recipe::seed
  int64_t prefetch_batches = 8;         // batches

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("source_language", source_language, "Code of the source language, such as en");
    visit("target_language", target_language, "Code of the target language, such as de");
    visit(
        "train", train,
        "Training corpora, mixed by their weights; paths are relative to the folder in which heed "
        "is started");
    visit("valid", valid, "Corpus for validation; none of the filters applies to it");
    visit("fetch", fetch, "Command that fetches the data, shown when a file is missing");
    visit("filters", filters, "Which training pairs are dropped");
    visit("shuffle", shuffle, "Shuffle the training sentences anew for each epoch");
    visit("shuffle_seed", shuffle_seed, "Seed of that order; not set means the recipe's 'seed'",
          AtLeast{0});
    visit("prefetch_batches", prefetch_batches,
          "Batches prepared ahead by a second thread; 0 = none", AtLeast{0});
  }
  bool operator==(const DataOptions&) const = default;
};

}  // namespace heed
