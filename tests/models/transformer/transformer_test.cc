#include "models/transformer/transformer.h"

#include <cmath>

#include "tests/models/transformer/model_fixture.h"
#include "tests/models/transformer/padded_oracle.h"
#include "util/check.h"

namespace heed {
namespace {

// (L(w + e v) - L(w - e v)) / 2e against g.v for a random direction v.
void CheckDirection(TestModel& test, bool is_training) {
  const Batch batch = SmallBatch();
  const ops::CrossEntropyOptions options{.label_smoothing = 0.1, .max_logits = 25};
  test.backend->Fill(test.store.flat_gradients(), 0);
  {
    Context ctx = test.Make(&test.tape, is_training);
    test.model->Loss(ctx, batch, options);
    test.tape.Unwind(ctx);
  }
  EXPECT_TRUE(test.workspace.empty());
  double* values = test.store.flat_values().Row<double>(0);
  const double* gradients = test.store.flat_gradients().Row<double>(0);
  const auto size = static_cast<size_t>(test.store.flat_size());
  std::vector<double> direction(size);
  double expected = 0;
  for (size_t i = 0; i < size; ++i) {
    direction[i] = RandomUniform({.seed = 77}, i) - 0.5;
    expected += direction[i] * gradients[i];
  }
  constexpr double kStep = 1e-7;  // small enough to cross no kink of a ReLU
  const auto move = [&](double step) {
    for (size_t i = 0; i < size; ++i) values[i] += step * direction[i];
  };
  move(kStep);
  const double above = test.LossSum(batch, options, is_training);
  move(-2 * kStep);
  const double below = test.LossSum(batch, options, is_training);
  move(kStep);
  const double found = (above - below) / (2 * kStep);
  EXPECT_NEAR(found / expected, 1, 1e-5) << found << " " << expected;
}

TEST(Transformer, GradientAlongADirectionMatchesDifferencesInEveryVariant) {
  for (ModelOptions options : ModelVariants()) {
    for (const double rate : {0.0, 0.2}) {
      options.dropout = {
          .residual = rate, .attention = rate, .activation = rate, .embedding = rate};
      for (const bool checkpoint : {false, true}) {
        TestModel test(options, checkpoint);
        CheckDirection(test, true);
      }
    }
  }
}

TEST(Transformer, PackedEqualsPaddedAndMaskedInEveryVariant) {
  const Batch batch = SmallBatch();
  for (const ModelOptions& options : ModelVariants()) {
    TestModel test(options);
    const PaddedOracle oracle(test.store, test.options);
    Context ctx = test.Make(nullptr);
    const Tensor losses = test.model->Loss(ctx, batch, {});
    for (int64_t s = 0; s < batch.num_sentences(); ++s) {
      const auto part = [&](const std::vector<int32_t>& ids, const SequenceLayout& layout) {
        return std::vector<int32_t>(ids.begin() + layout.start(s),
                                    ids.begin() + layout.start(s) + layout.length(s));
      };
      const Matrix expected = oracle.LogProbabilities(part(batch.source_ids, batch.source),
                                                      part(batch.target_inputs, batch.target), 3);
      for (int32_t i = 0; i < batch.target.length(s); ++i) {
        const int64_t row = batch.target.start(s) + i;
        const auto label = static_cast<size_t>(batch.target_labels[static_cast<size_t>(row)]);
        EXPECT_NEAR(losses.view().Row<double>(row)[1], -expected[static_cast<size_t>(i)][label],
                    1e-11);
      }
    }
  }
}

TEST(Transformer, PackedEqualsOneSentenceAtATimeToTheBit) {
  const std::vector<std::vector<int32_t>> sources = {{5, 3, 9, 0}, {2, 0}, {4, 4, 8, 1, 10, 0}};
  const std::vector<std::vector<int32_t>> targets = {{7, 7, 2, 3, 0}, {1, 6, 0}, {0}};
  for (const BackendOptions& backend :
       {BackendOptions{.name = "reference", .real = DType::kFloat32}, BackendOptions{}}) {
    TestModel test(SmallModelOptions(), false, backend);
    const Batch all = MakeBatch(sources, targets);
    Context ctx = test.Make(nullptr);
    const Tensor together = test.model->Loss(ctx, all, {});
    for (size_t s = 0; s < sources.size(); ++s) {
      const Batch one = MakeBatch({sources[s]}, {targets[s]});
      const Tensor alone = test.model->Loss(ctx, one, {});
      for (int64_t i = 0; i < alone.rows(); ++i) {
        const int64_t row = all.target.start(static_cast<int64_t>(s)) + i;
        EXPECT_EQ(alone.view().Row<float>(i)[1], together.view().Row<float>(row)[1]);
      }
    }
  }
}

TEST(Transformer, TyingDecidesTheTables) {
  const auto count = [](EmbeddingTying tying) {
    ModelOptions options = SmallModelOptions();
    options.tie_embeddings = tying;
    return TestModel(options).store.num_parameters();
  };
  const int64_t table = kTestVocabulary * 8;
  EXPECT_EQ(count(EmbeddingTying::kDecoder), count(EmbeddingTying::kAll) + table);
  EXPECT_EQ(count(EmbeddingTying::kNone), count(EmbeddingTying::kAll) + 2 * table);
}

}  // namespace
}  // namespace heed
