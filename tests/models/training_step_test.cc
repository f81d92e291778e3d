// Properties of a whole recorded step that training and planning rely on.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/models/transformer/model_fixture.h"
#include "tests/support/heap_counter.h"

namespace heed {
namespace {

void Step(TestModel& test, const Batch& batch) {
  Context ctx = test.Make(&test.tape, true);
  test.workspace.ResetStatistics();
  test.model->Loss(ctx, batch, {.label_smoothing = 0.1, .gradient_scale = 0.1});
  test.tape.Unwind(ctx);
}

ModelOptions WithDropout() {
  ModelOptions options = SmallModelOptions();
  options.dropout = {.residual = 0.1, .attention = 0.1, .activation = 0.1, .embedding = 0.1};
  return options;
}

const BackendOptions kBackends[] = {{.name = "reference", .real = DType::kFloat64},
                                    {.name = "reference", .real = DType::kFloat32},
                                    {.name = "cpu", .num_threads = 2}};

TEST(TrainingStep, ThirdAndLaterStepsTouchNoHeap) {
  const Batch batch = SmallBatch();
  for (const BackendOptions& backend : kBackends) {
    for (const bool checkpoint : {false, true}) {
      TestModel test(WithDropout(), checkpoint, backend);
      Step(test, batch);
      Step(test, batch);
      const int64_t before = NumHeapAllocations();
      for (int i = 0; i < 3; ++i) Step(test, batch);
      EXPECT_EQ(NumHeapAllocations() - before, 0) << backend.name;
    }
  }
}

TEST(TrainingStep, HeapCounterCounts) {
  const int64_t before = NumHeapAllocations();
  const auto value = std::make_unique<std::string>(100, 'x');
  EXPECT_GE(NumHeapAllocations() - before, 2);
}

TEST(TrainingStep, AddressesRepeatAndTheWorkspaceEndsEmpty) {
  const Batch batch = SmallBatch();
  for (const BackendOptions& backend : kBackends) {
    TestModel test(WithDropout(), false, backend);
    Step(test, batch);
    const uint64_t trace = test.workspace.trace();
    Step(test, batch);
    EXPECT_EQ(test.workspace.trace(), trace);
    EXPECT_TRUE(test.workspace.empty());
  }
}

TEST(TrainingStep, MeasuringPredictsTheWorkspaceToTheByte) {
  const Batch batch = SmallBatch();
  for (const bool checkpoint : {false, true}) {
    TestModel real(WithDropout(), checkpoint, {.name = "reference", .real = DType::kFloat32});
    TestModel measured(WithDropout(), checkpoint, {.name = "measuring", .real = DType::kFloat32});
    Step(real, batch);
    Step(measured, batch);
    EXPECT_EQ(measured.workspace.high_water_bytes(), real.workspace.high_water_bytes());
    EXPECT_EQ(measured.workspace.trace(), real.workspace.trace());
  }
}

TEST(TrainingStep, CheckpointedLayersNeedLessMemoryForTheSameGradient) {
  const Batch batch = SmallBatch();
  ModelOptions options = WithDropout();
  options.encoder_layers = 6;
  TestModel plain(options, false), checkpointed(options, true);
  Step(plain, batch);
  Step(checkpointed, batch);
  EXPECT_LT(checkpointed.workspace.high_water_bytes(), plain.workspace.high_water_bytes() * 3 / 4);
  const double* a = plain.store.flat_gradients().Row<double>(0);
  const double* b = checkpointed.store.flat_gradients().Row<double>(0);
  EXPECT_TRUE(std::equal(a, a + plain.store.flat_size(), b));
}

// Backward fills the flat gradient buffer from the front; the tied embedding, used first and last,
// comes last.
TEST(TrainingStep, GradientsBecomeReadyInTheOrderOfTheFlatBuffer) {
  const Batch batch = SmallBatch();
  for (const bool checkpoint : {false, true}) {
    TestModel test(WithDropout(), checkpoint);
    std::vector<std::string> ready;
    std::vector<int64_t> layer_offsets;
    test.tape.set_on_gradient_ready([&](Parameter& parameter) {
      ready.push_back(parameter.name);
      const std::string& name = parameter.name;
      if (name.find(".up.weight") != std::string::npos) layer_offsets.push_back(parameter.offset);
    });
    Step(test, batch);
    EXPECT_EQ(ready.size(), test.store.parameters().size());
    EXPECT_EQ(ready.front(), "output.bias");
    EXPECT_EQ(ready.back(), "embedding.weight");
    EXPECT_TRUE(std::is_sorted(layer_offsets.begin(), layer_offsets.end()));
  }
}

TEST(TrainingStep, ResultsDoNotDependOnTheNumberOfThreads) {
  const Batch batch = SmallBatch();
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 5}) {
    TestModel test(WithDropout(), false, {.name = "cpu", .num_threads = threads});
    Step(test, batch);
    const float* flat = test.store.flat_gradients().Row<float>(0);
    results.emplace_back(flat, flat + test.store.flat_size());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(TrainingStep, CpuGradientsEqualTheReference) {
  const Batch batch = SmallBatch();
  TestModel reference(WithDropout(), false, {.name = "reference", .real = DType::kFloat64});
  TestModel cpu(WithDropout(), false, {.name = "cpu"});
  Step(reference, batch);
  Step(cpu, batch);
  for (int64_t i = 0; i < cpu.store.flat_size(); ++i) {
    // float32 against double through two layers each way: about 1e-5 of the largest gradients.
    EXPECT_NEAR(cpu.store.flat_gradients().Row<float>(0)[i],
                reference.store.flat_gradients().Row<double>(0)[i], 2e-5);
  }
}

}  // namespace
}  // namespace heed
