#include "train/memory_plan.h"

#include <gtest/gtest.h>

#include "models/transformer/transformer.h"

namespace heed {
namespace {

Recipe SmallRecipe() {
  Recipe recipe;
  recipe.model.encoder_layers = 2;
  recipe.model.decoder_layers = 1;
  recipe.model.model_width = 16;
  recipe.model.feed_forward_width = 32;
  recipe.model.heads = 2;
  return recipe;
}

TransformerShape Shape(const Recipe& recipe) {
  return {.options = recipe.model, .source_vocabulary = 50, .target_vocabulary = 50};
}

TEST(MemoryPlan, RealStepFitsThePlanExactly) {
  const Recipe recipe = SmallRecipe();
  const MemoryPlan plan = PlanMemory(
      recipe, Shape(recipe), {.target_tokens = 200, .source_tokens = 200, .sentences = 200});
  const auto backend = MakeBackend({.name = "reference"});
  const Memory slab = Memory::Host(plan.workspace_bytes);
  Workspace workspace(slab.data(), slab.bytes());
  TensorPool tensors(workspace);
  ParameterStore store;
  const Transformer model(store, Shape(recipe), false);
  store.Allocate(DType::kFloat32, true, &Memory::Host);
  store.Initialize(1);
  Tape tape;
  Context ctx{.backend = *backend, .tensors = tensors, .tape = &tape, .is_training = true};
  for (const int32_t length : {1, 10, 50, 200}) {
    const Batch batch = UniformBatch(200 / length, length, length);
    model.Loss(ctx, batch, {.label_smoothing = 0.1});
    tape.Unwind(ctx);
    EXPECT_LE(workspace.high_water_bytes(), plan.workspace_bytes) << length;
  }
  EXPECT_EQ(workspace.high_water_bytes(), plan.workspace_bytes);
  EXPECT_EQ(plan.num_parameters, store.num_parameters());
}

TEST(MemoryPlan, CheckpointingAndAveragingShow) {
  Recipe recipe = SmallRecipe();
  recipe.model.encoder_layers = 8;
  const BatchLimits limits{.target_tokens = 200, .source_tokens = 200, .sentences = 200};
  const MemoryPlan plain = PlanMemory(recipe, Shape(recipe), limits);
  recipe.training.activation_checkpointing = true;
  recipe.training.average.decay = 0.999;
  const MemoryPlan other = PlanMemory(recipe, Shape(recipe), limits);
  EXPECT_LT(other.workspace_bytes, plain.workspace_bytes / 2);
  EXPECT_EQ(other.average_bytes, plain.value_bytes);
  EXPECT_EQ(plain.average_bytes, 0);
}

}  // namespace
}  // namespace heed
