#include "models/transformer/decoding_session.h"

#include <algorithm>

#include "util/check.h"

namespace heed {

TransformerDecodingSession::TransformerDecodingSession(const Transformer& model, Context& ctx,
                                                       std::span<const int32_t> source_ids,
                                                       const SequenceLayout& sources,
                                                       const DecodingPlan& plan)
    : model_(model), sources_(sources), plan_(plan) {
  HEED_CHECK(!ctx.recording(), "decoding does not record");
  const Tensor memory = model.Encode(ctx, source_ids, sources);
  for (const DecoderLayer& layer : model.decoder_.layers()) {
    memory_keys_values_.push_back(layer.ProjectMemory(ctx, memory));
  }
  const int64_t rows = plan.max_steps * plan.max_hypotheses;
  for (size_t layer = 0; layer < memory_keys_values_.size(); ++layer) {
    caches_.push_back(ctx.New(rows, 2 * model.shape_.options.model_width));
  }
}

DecodingStep TransformerDecodingSession::Step(Context& ctx, std::span<const int32_t> tokens,
                                              std::span<const int32_t> parents,
                                              std::span<const int32_t> sentences) {
  const auto num_hypotheses = static_cast<int64_t>(tokens.size());
  HEED_CHECK(
      num_hypotheses > 0 && num_hypotheses <= plan_.max_hypotheses && step_ < plan_.max_steps &&
          parents.size() == tokens.size() && sentences.size() == tokens.size(),
      "step {} of {} with {} hypotheses of at most {}, {} parents, {} sentences", step_,
      plan_.max_steps, num_hypotheses, plan_.max_hypotheses, parents.size(), sentences.size());
  ExtendHistory(parents, num_hypotheses);
  const Groups groups = GroupBySentence(sentences);
  const std::vector<int32_t> positions(tokens.size(), static_cast<int32_t>(step_ - 1));

  Tensor x = model_.target_embedding_(ctx, tokens, positions);
  AttentionCache cache;
  cache.first_row = next_row_;
  cache.history = history_;
  cache.steps = step_;
  DecodingStep step;
  for (size_t i = 0; i < caches_.size(); ++i) {
    const bool gives_attention = plan_.with_attention && i + 1 == caches_.size();
    cache.keys_values = caches_[i].view();
    x = model_.decoder_.layers()[i].Step(ctx, x, cache,
                                         {.keys_values = memory_keys_values_[i],
                                          .targets = groups.hypotheses,
                                          .sources = groups.sources,
                                          .weights = gives_attention ? &step.attention : nullptr});
  }
  next_row_ += num_hypotheses;
  step.logits =
      ops::Linear(ctx, model_.decoder_.Finish(ctx, x), *model_.output_weight_, model_.output_bias_);
  return step;
}

void TransformerDecodingSession::ExtendHistory(std::span<const int32_t> parents,
                                               int64_t num_hypotheses) {
  std::swap(history_, previous_history_);
  history_.resize(static_cast<size_t>(num_hypotheses * (step_ + 1)));
  auto out = history_.begin();
  for (int64_t hypothesis = 0; hypothesis < num_hypotheses; ++hypothesis) {
    if (step_ > 0) {
      const int64_t parent = parents[static_cast<size_t>(hypothesis)];
      const auto from = previous_history_.begin() + parent * step_;
      HEED_CHECK(parent >= 0 && (parent + 1) * step_ <= std::ssize(previous_history_),
                 "hypothesis {} has parent {}", hypothesis, parent);
      out = std::copy(from, from + step_, out);
    }
    *out++ = static_cast<int32_t>(next_row_ + hypothesis);
  }
  ++step_;
}

TransformerDecodingSession::Groups TransformerDecodingSession::GroupBySentence(
    std::span<const int32_t> sentences) const {
  std::vector<int32_t> counts, starts, lengths;
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (i == 0 || sentences[i] != sentences[i - 1]) {
      HEED_CHECK(i == 0 || sentences[i] > sentences[i - 1], "sentences are not ascending");
      counts.push_back(0);
      starts.push_back(sources_.start(sentences[i]));
      lengths.push_back(sources_.length(sentences[i]));
    }
    ++counts.back();
  }
  return {SequenceLayout::FromLengths(counts),
          SequenceLayout::FromRanges(std::move(starts), std::move(lengths))};
}

}  // namespace heed
