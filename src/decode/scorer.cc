#include "decode/scorer.h"

#include "decode/step_scores.h"
#include "text/piece_list.h"
#include "util/check.h"

namespace heed {
namespace {

struct PairBatch {
  Batch batch;
  std::vector<int32_t> source_lengths, target_lengths;

  void Add(const std::vector<int32_t>& source, const std::vector<int32_t>& target,
           int32_t start_token) {
    batch.source_ids.insert(batch.source_ids.end(), source.begin(), source.end());
    batch.target_inputs.push_back(start_token);
    batch.target_inputs.insert(batch.target_inputs.end(), target.begin(), target.end() - 1);
    batch.target_labels.insert(batch.target_labels.end(), target.begin(), target.end());
    source_lengths.push_back(static_cast<int32_t>(source.size()));
    target_lengths.push_back(static_cast<int32_t>(target.size()));
  }
};

void ScoreBatch(Context& ctx, const TranslationSystem& system, PairBatch& pairs,
                std::vector<ScoredPair>& result) {
  Batch& batch = pairs.batch;
  batch.source = SequenceLayout::FromLengths(pairs.source_lengths);
  batch.target = SequenceLayout::FromLengths(pairs.target_lengths);
  const Tensor losses = system.models.front()->Loss(ctx, batch, {});
  for (int64_t s = 0; s < batch.num_sentences(); ++s) {
    ScoredPair& pair = result.emplace_back();
    for (int32_t i = 0; i < batch.target.length(s); ++i) {
      const int64_t row = batch.target.start(s) + i;
      pair.pieces.push_back(system.target->piece(batch.target_labels[static_cast<size_t>(row)]));
      pair.piece_log_probabilities.push_back(-ElementOf(losses, row, 1));
      pair.log_probability += pair.piece_log_probabilities.back();
    }
  }
  pairs = {};
}

// With end mark; `longest` as from MaxModelLength.
std::vector<int32_t> EncodeTarget(const Tokenizer& tokenizer, const std::string& text,
                                  int64_t line_number, int64_t longest) {
  std::vector<int32_t> ids;
  tokenizer.Encode(text, &ids);
  ids.push_back(tokenizer.eos_id());
  if (longest > 0 && std::ssize(ids) > longest) {
    ThrowUserError("target line {} has {} tokens, but the model has positions for {} only",
                   line_number, ids.size(), longest);
  }
  return ids;
}

}  // namespace

std::vector<ScoredPair> ScorePairs(const TranslationSystem& system, Backend& backend,
                                   std::span<const std::string> sources,
                                   std::span<const std::string> targets,
                                   const ScoringOptions& options) {
  if (sources.size() != targets.size()) {
    ThrowUserError(
        "{} source lines, but {} target lines to score; they must be line by line "
        "partners",
        sources.size(), targets.size());
  }
  HEED_CHECK(system.models.size() == 1, "scores of an ensemble");
  const Memory slab = backend.Allocate(int64_t{1} << 38);
  Workspace workspace(slab.data(), slab.bytes());
  TensorPool tensors(workspace);
  Context ctx{.backend = backend, .tensors = tensors};
  std::vector<ScoredPair> result;
  PairBatch pairs;
  const int64_t longest = MaxModelLength(system.models);
  SourceEncoder encoder(*system.source, options.max_source_length, longest);
  for (size_t i = 0; i < sources.size(); ++i) {
    const int64_t number = static_cast<int64_t>(i) + 1;
    std::vector<int32_t> source = encoder.Encode(sources[i], number);
    if (EndsSource(*system.source, source.size())) source.push_back(system.source->eos_id());
    const auto target = EncodeTarget(*system.target, targets[i], number, longest);
    const auto tokens = std::ssize(pairs.batch.target_labels) + std::ssize(target);
    if (!pairs.target_lengths.empty() && tokens > options.batch_tokens) {
      ScoreBatch(ctx, system, pairs, result);
    }
    pairs.Add(source, target, system.models.front()->start_token());
  }
  if (!pairs.target_lengths.empty()) ScoreBatch(ctx, system, pairs, result);
  return result;
}

}  // namespace heed
