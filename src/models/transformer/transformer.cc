#include "models/transformer/transformer.h"

#include <cmath>

#include "models/transformer/decoding_session.h"
#include "util/check.h"

namespace heed {
namespace {

Initializer EmbeddingInitializer(const ModelOptions& options) {
  return Initializer::Normal(options.initialization.embedding_std.value_or(
      1 / std::sqrt(static_cast<double>(options.model_width))));
}

}  // namespace

EmbeddingTables::EmbeddingTables(ParameterStore& store, const TransformerShape& shape) {
  const ModelOptions& options = shape.options;
  if (options.tie_embeddings == EmbeddingTying::kAll) {
    HEED_CHECK(shape.source_vocabulary == shape.target_vocabulary,
               "tied embeddings with vocabularies of {} and {}", shape.source_vocabulary,
               shape.target_vocabulary);
    source = target = &store.Add("embedding.weight", shape.source_vocabulary, options.model_width,
                                 EmbeddingInitializer(options));
    return;
  }
  source = &store.Add("source_embedding.weight", shape.source_vocabulary, options.model_width,
                      EmbeddingInitializer(options));
  target = &store.Add("target_embedding.weight", shape.target_vocabulary, options.model_width,
                      EmbeddingInitializer(options));
}

Transformer::Transformer(ParameterStore& store, const TransformerShape& shape,
                         bool checkpoint_layers)
    : shape_(shape),
      checkpoint_layers_(checkpoint_layers),
      tables_(store, shape),
      source_embedding_(store, "encoder", *tables_.source, shape.options),
      encoder_(store, "encoder", shape.options),
      target_embedding_(store, "decoder", *tables_.target, shape.options),
      decoder_(store, "decoder", shape.options),
      output_weight_(shape.options.tie_embeddings == EmbeddingTying::kNone
                         ? &store.Add("output.weight", shape.target_vocabulary,
                                      shape.options.model_width,
                                      EmbeddingInitializer(shape.options))
                         : tables_.target),
      output_bias_(shape.options.output_bias ? &store.Add("output.bias", 1, shape.target_vocabulary,
                                                          Initializer::Constant(0))
                                             : nullptr) {
  HEED_CHECK((shape.begin_id >= 0) == (shape.options.decoder_start == DecoderStart::kLearned),
             "a learned first decoder input needs a begin mark, a zero one has none; id {}",
             shape.begin_id);
}

Tensor Transformer::Encode(Context& ctx, std::span<const int32_t> ids,
                           const SequenceLayout& sources) const {
  return encoder_(ctx, source_embedding_(ctx, ids, sources.positions()), sources,
                  checkpoint_layers_);
}

Tensor Transformer::Loss(Context& ctx, const Batch& batch,
                         const ops::CrossEntropyOptions& options) const {
  const Tensor memory = Encode(ctx, batch.source_ids, batch.source);
  const Tensor decoded =
      decoder_(ctx, target_embedding_(ctx, batch.target_inputs, batch.target.positions()), memory,
               batch.target, batch.source, checkpoint_layers_);
  return ops::CrossEntropy(ctx, decoded, *output_weight_, output_bias_, batch.target_labels,
                           options);
}

std::unique_ptr<DecodingSession> Transformer::StartDecoding(Context& ctx,
                                                            std::span<const int32_t> source_ids,
                                                            const SequenceLayout& sources,
                                                            const DecodingPlan& plan) const {
  return std::make_unique<TransformerDecodingSession>(*this, ctx, source_ids, sources, plan);
}

}  // namespace heed
