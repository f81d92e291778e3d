// From text to ids: reads a corpus, filters it, encodes it on all threads and hands the pairs over
// in the order of the corpus.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/data_options.h"
#include "data/filters.h"
#include "data/fingerprint_set.h"
#include "data/parallel_corpus.h"
#include "data/prepare_report.h"
#include "data/token_shard.h"
#include "text/tokenizer.h"
#include "util/thread_pool.h"

namespace heed {

class CorpusEncoder {
 public:
  struct Tools {
    const Tokenizer* source_tokenizer = nullptr;
    const Tokenizer* target_tokenizer = nullptr;
    ThreadPool* pool = nullptr;
  };
  using Consumer = std::function<void(const ShardPair& pair)>;

  // With a filter, drops pairs by its rules; duplicates are found across all corpora that pass
  // through this encoder. Without one, every pair is kept. All pointers must outlive the encoder.
  CorpusEncoder(const Tools& tools, const PairFilter* filter);

  // Calls `consume` for the kept pairs in order. The result does not depend on the number of
  // threads. Throws UserError, with file and line, where a policy says stop, if over 1 % of the
  // lines of a TSV file lack a column, or if the sides are out of step.
  CorpusReport Run(const std::string& name, const CorpusOptions& corpus, const Consumer& consume);

  // How often each piece occurs in what has been kept.
  const std::vector<int64_t>& source_counts() const { return source_counts_; }
  const std::vector<int64_t>& target_counts() const { return target_counts_; }

 private:
  // A pair on its way through.
  struct Entry {
    std::string source, target;
    int64_t line = 0;
    bool has_both = true;
    bool is_repaired = false;
    std::optional<DropReason> dropped;
    uint64_t hash = 0;
    std::vector<int32_t> source_ids, target_ids;
  };

  bool ReadChunk(ParallelCorpus* corpus);
  void Process(Entry* entry) const;
  std::optional<DropReason> Judge(const Entry& entry);
  void Consume(const Entry& entry, const ParallelCorpus& corpus, CorpusReport* report,
               const Consumer& consume);
  void StopIfToldTo(const Entry& entry, const ParallelCorpus& corpus) const;

  Tools tools_;
  const PairFilter* filter_;
  FingerprintSet seen_;
  std::vector<int64_t> source_counts_, target_counts_;
  std::vector<Entry> chunk_;
  size_t chunk_size_ = 0;
};

}  // namespace heed
