// Pairs of sentences from two files of lines or from columns of one file, strictly in step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "config/data_options.h"
#include "util/line_reader.h"

namespace heed {

enum class Side { kSource, kTarget };

// Valid until the reader's next pair.
struct CorpusPair {
  std::string_view source, target;
  int64_t line = 0;      // from 1
  bool has_both = true;  // false for a line of a TSV file that lacks a column; both are empty then
};

class ParallelCorpus {
 public:
  // Throws UserError if a file cannot be read.
  explicit ParallelCorpus(const CorpusOptions& options);

  // False at the end. Throws UserError there if one file has more lines than the other: the message
  // names both files, both counts and the first line that seems to have no partner.
  bool Next(CorpusPair* pair);

  // "corpus.en:12", the place of a line, for messages.
  std::string Where(Side side, int64_t line) const;

 private:
  bool NextOfFiles(CorpusPair* pair);
  bool NextOfColumns(CorpusPair* pair);
  [[noreturn]] void ThrowOutOfStep();

  CorpusOptions options_;
  std::unique_ptr<LineReader> source_, target_;  // only source_ for a TSV file
};

// "corpus.en + corpus.de", or the path of the TSV file.
std::string DescribeFiles(const CorpusOptions& options);

}  // namespace heed
