// From the corpora of a recipe to data that is ready for training: vocabularies, encoded shards, a
// report. What is already there and still fits is used again.
//
// Files in the directory: vocabulary.model (or vocabulary.source.model and vocabulary.target.model)
// unless the recipe names its models, train.0.shard, train.1.shard, ..., valid.shard, and, written
// last, prepared.json with the report and the fingerprint of all inputs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/recipe.h"
#include "data/batch_planner.h"
#include "data/prepare_report.h"
#include "data/token_shard.h"
#include "data/vocabulary.h"
#include "util/thread_pool.h"

namespace heed {

struct PreparedData {
  Vocabularies vocabularies;
  std::vector<CorpusOptions> corpora;  // those of data.train
  std::vector<double> weights;         // of data.train
  std::vector<TokenShard> train;       // one for each
  std::optional<TokenShard> valid;     // with text
  PrepareReport report;
  std::string fingerprint;  // of corpora, filters and vocabularies; 16 hexadecimal digits
  bool is_fresh = false;    // made now, not found

  const Tokenizer& source_tokenizer() const { return *vocabularies.source; }
  const Tokenizer& target_tokenizer() const { return *vocabularies.target; }

  // Training pairs, over all corpora.
  int64_t num_pairs() const;
  // Where a sentence of Batch::sentence_ids stands: "corpus.en:12 + corpus.de:12".
  std::string Describe(int64_t sentence_id) const;
};

// Logs what it does and, when it has made anything, the report. Throws UserError for missing or
// faulty corpora, for sizes that do not suit the text, and if nothing is left to train on.
PreparedData PrepareData(const Recipe& recipe, const std::filesystem::path& directory,
                         ThreadPool& pool);

}  // namespace heed
