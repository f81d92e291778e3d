#include "tests/models/transformer/model_fixture.h"

namespace heed {

ModelOptions SmallModelOptions() {
  ModelOptions options;
  options.encoder_layers = 2;
  options.decoder_layers = 2;
  options.model_width = 8;
  options.feed_forward_width = 12;
  options.heads = 2;
  options.positions.max_length = 16;
  options.dropout = {.residual = 0, .attention = 0, .activation = 0, .embedding = 0};
  return options;
}

std::vector<ModelOptions> ModelVariants() {
  std::vector<ModelOptions> variants(6, SmallModelOptions());
  variants[1].norm = NormPosition::kBefore;
  variants[1].activation = ActivationKind::kGelu;
  variants[1].tie_embeddings = EmbeddingTying::kDecoder;
  variants[2].activation = ActivationKind::kSilu;
  variants[2].gated = true;
  variants[2].tie_embeddings = EmbeddingTying::kNone;
  variants[2].positions.kind = PositionKind::kLearned;
  variants[3].norm = NormPosition::kBefore;
  variants[3].gated = true;
  variants[3].projection_bias = false;
  variants[3].output_bias = false;
  variants[3].scale_embeddings = false;
  variants[4].positions.kind = PositionKind::kNone;
  variants[4].heads = 1;
  variants[5].encoder_layers = 1;
  variants[5].decoder_layers = 3;
  variants[5].heads = 4;
  variants[5].initialization.scheme = InitializationScheme::kDepthScaled;
  return variants;
}

Batch MakeBatch(const std::vector<std::vector<int32_t>>& sources,
                const std::vector<std::vector<int32_t>>& targets) {
  Batch batch;
  std::vector<int32_t> source_lengths, target_lengths;
  for (size_t i = 0; i < sources.size(); ++i) {
    batch.source_ids.insert(batch.source_ids.end(), sources[i].begin(), sources[i].end());
    source_lengths.push_back(static_cast<int32_t>(sources[i].size()));
    target_lengths.push_back(static_cast<int32_t>(targets[i].size()));
    batch.target_inputs.push_back(-1);
    batch.target_inputs.insert(batch.target_inputs.end(), targets[i].begin(), targets[i].end() - 1);
    batch.target_labels.insert(batch.target_labels.end(), targets[i].begin(), targets[i].end());
    batch.sentence_ids.push_back(static_cast<int64_t>(i));
  }
  batch.source = SequenceLayout::FromLengths(source_lengths);
  batch.target = SequenceLayout::FromLengths(target_lengths);
  return batch;
}

Batch SmallBatch() {
  return MakeBatch({{5, 3, 9, 0}, {2, 0}, {4, 4, 8, 1, 10, 0}}, {{7, 7, 2, 3, 0}, {1, 6, 0}, {0}});
}

TestModel::TestModel(const ModelOptions& model_options, bool checkpoint_layers,
                     const BackendOptions& backend_options)
    : options(model_options),
      backend(MakeBackend(backend_options)),
      slab(backend->Allocate(int64_t{1} << 28)),
      workspace(slab.data(), slab.bytes()) {
  const TransformerShape shape{.options = options,
                               .source_vocabulary = kTestVocabulary,
                               .target_vocabulary = kTestVocabulary};
  model = std::make_unique<Transformer>(store, shape, checkpoint_layers);
  store.Allocate(backend->real(), true, [this](int64_t bytes) { return backend->Allocate(bytes); });
  if (backend->computes()) store.Initialize(23);
}

double TestModel::LossSum(const Batch& batch, const ops::CrossEntropyOptions& loss_options,
                          bool is_training) {
  Context ctx = Make(nullptr, is_training);
  const Tensor losses = model->Loss(ctx, batch, loss_options);
  double sum = 0;
  for (int64_t i = 0; i < losses.rows(); ++i) {
    sum += losses.type() == DType::kFloat64 ? losses.view().Row<double>(i)[0]
                                            : static_cast<double>(losses.view().Row<float>(i)[0]);
  }
  return sum;
}

}  // namespace heed
