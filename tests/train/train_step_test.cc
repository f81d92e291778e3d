#include "train/train_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "models/transformer/transformer.h"

namespace heed {
namespace {

constexpr int64_t kVocabulary = 9;

Recipe SmallRecipe() {
  Recipe recipe;
  recipe.model.encoder_layers = 1;
  recipe.model.decoder_layers = 1;
  recipe.model.model_width = 8;
  recipe.model.feed_forward_width = 16;
  recipe.model.heads = 2;
  recipe.model.dropout = {.residual = 0, .attention = 0, .activation = 0, .embedding = 0};
  return recipe;
}

// Pairs whose target repeats the source; lengths differ.
Batch CopyBatch(std::vector<std::vector<int32_t>> sentences) {
  Batch batch;
  std::vector<int32_t> lengths;
  for (const auto& sentence : sentences) {
    lengths.push_back(static_cast<int32_t>(sentence.size()));
    batch.source_ids.insert(batch.source_ids.end(), sentence.begin(), sentence.end());
    batch.target_labels.insert(batch.target_labels.end(), sentence.begin(), sentence.end());
    batch.target_inputs.push_back(-1);
    batch.target_inputs.insert(batch.target_inputs.end(), sentence.begin(), sentence.end() - 1);
  }
  batch.source = batch.target = SequenceLayout::FromLengths(lengths);
  batch.sentence_ids.assign(lengths.size(), 0);
  return batch;
}

struct Trainee {
  explicit Trainee(const Recipe& run_recipe, DType real = DType::kFloat64)
      : recipe(run_recipe), backend(MakeBackend({.name = "reference", .real = real})) {
    model = std::make_unique<Transformer>(store,
                                          TransformerShape{.options = recipe.model,
                                                           .source_vocabulary = kVocabulary,
                                                           .target_vocabulary = kVocabulary},
                                          false);
    store.Allocate(real, true, &Memory::Host);
    store.Initialize(3);
    step = std::make_unique<TrainStep>(recipe, *model, store, *backend, int64_t{1} << 26);
  }
  UpdateReport Update(int64_t number, std::vector<Batch> batches, double rate = 1e-2) {
    step->Begin(number);
    for (const Batch& batch : batches) step->Accumulate(batch);
    return step->Finish(rate);
  }
  std::vector<double> Values() {
    const double* flat = store.flat_values().Row<double>(0);
    return {flat, flat + store.flat_size()};
  }

  Recipe recipe;
  std::unique_ptr<Backend> backend;
  ParameterStore store;
  std::unique_ptr<Transformer> model;
  std::unique_ptr<TrainStep> step;
};

TEST(TrainStep, OneBatchIsLearntByHeart) {
  Recipe recipe = SmallRecipe();
  recipe.training.label_smoothing = 0;
  Trainee run(recipe);
  const Batch batch = CopyBatch({{3, 5, 0}, {8, 0}, {4, 4, 7, 2, 0}});
  double first = 0, last = 0;
  for (int64_t number = 1; number <= 200; ++number) {
    last = run.Update(number, {batch}).loss();
    if (number == 1) first = last;
  }
  EXPECT_GT(first, 1.5);
  EXPECT_LT(last, 0.02);
}

// Uneven micro-batches: 8 + 2 tokens against 10 at once.
TEST(TrainStep, AccumulationEqualsTheWholeBatch) {
  Trainee whole(SmallRecipe()), split(SmallRecipe());
  const UpdateReport a = whole.Update(1, {CopyBatch({{3, 5, 0}, {4, 4, 7, 2, 0}, {8, 0}})});
  const UpdateReport b =
      split.Update(1, {CopyBatch({{3, 5, 0}, {4, 4, 7, 2, 0}}), CopyBatch({{8, 0}})});
  EXPECT_EQ(a.target_tokens, 10);
  EXPECT_EQ(b.target_tokens, 10);
  EXPECT_NEAR(a.loss_sum, b.loss_sum, 1e-12);
  EXPECT_NEAR(a.gradient_norm, b.gradient_norm, 1e-12);
  const std::vector<double> u = whole.Values(), v = split.Values();
  for (size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], v[i], 1e-9);
}

TEST(TrainStep, ClippingBoundsTheStepButNotTheReport) {
  Recipe recipe = SmallRecipe();
  recipe.training.clip_norm = 1e-3;
  Trainee clipped(recipe), free(SmallRecipe());
  const Batch batch = CopyBatch({{3, 5, 0}});
  EXPECT_EQ(clipped.Update(1, {batch}).gradient_norm, free.Update(1, {batch}).gradient_norm);
  const double* moments = clipped.step->optimizer().first_moment().Row<double>(0);
  double squares = 0;
  for (int64_t i = 0; i < clipped.store.flat_size(); ++i) squares += moments[i] * moments[i];
  EXPECT_NEAR(std::sqrt(squares), 0.1 * 1e-3, 1e-9);  // (1 - beta1) times the clipped gradient
}

TEST(TrainStep, NonFiniteGradientChangesNothingAndIsNamed) {
  Trainee run(SmallRecipe());
  run.store.Find("decoder.layer1.feed_forward.up.bias")->value.Row<double>(0)[3] =
      std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> before = run.Values();
  const UpdateReport report = run.Update(1, {CopyBatch({{3, 5, 0}})});
  EXPECT_THAT(report.non_finite, testing::HasSubstr("gradient of "));
  EXPECT_THAT(report.non_finite, testing::HasSubstr("weight"));
  const std::vector<double> after = run.Values();
  for (size_t i = 0; i < before.size(); ++i) {
    if (!std::isnan(before[i])) {
      EXPECT_EQ(before[i], after[i]);
    }
  }
}

TEST(TrainStep, DropoutDependsOnSeedAndUpdateOnly) {
  Recipe recipe = SmallRecipe();
  recipe.model.dropout = {.residual = 0.2, .attention = 0.1, .activation = 0.1, .embedding = 0.1};
  const Batch batch = CopyBatch({{3, 5, 0}, {8, 0}});
  Trainee a(recipe), b(recipe);
  recipe.seed = 2;
  Trainee other_seed(recipe);
  EXPECT_EQ(a.Update(7, {batch}).loss_sum, b.Update(7, {batch}).loss_sum);
  EXPECT_NE(Trainee(a.recipe).Update(8, {batch}).loss_sum,
            Trainee(a.recipe).Update(7, {batch}).loss_sum);
  EXPECT_NE(other_seed.Update(7, {batch}).loss_sum, Trainee(a.recipe).Update(7, {batch}).loss_sum);
}

TEST(TrainStep, AverageFollowsTheWeights) {
  Recipe recipe = SmallRecipe();
  recipe.training.average.decay = 0.9;
  Trainee run(recipe);
  const std::vector<double> start = run.Values();
  run.Update(1, {CopyBatch({{3, 5, 0}})});
  const std::vector<double> now = run.Values();
  const double* average = run.step->average()->average().Row<double>(0);
  for (size_t i = 0; i < now.size(); ++i) {
    EXPECT_NEAR(average[i], 2.0 / 11 * start[i] + 9.0 / 11 * now[i], 1e-12);
  }
}

}  // namespace
}  // namespace heed
