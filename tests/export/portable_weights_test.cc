#include "export/portable_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "models/model_factory.h"
#include "nn/sinusoid.h"
#include "tests/export/export_fixture.h"
#include "util/check.h"

namespace heed {
namespace {

TEST(PortableWeights, HalfSplitOrderPutsSinesFirst) {
  EXPECT_EQ(HalfSplitOrder(6), (std::vector<int64_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(HalfSplitOrder(7), (std::vector<int64_t>{0, 2, 4, 1, 3, 5, 6}));
  for (const int64_t width : {6, 7}) {
    PositionOptions half, interleaved;
    interleaved.layout = SinusoidLayout::kInterleaved;
    const std::vector<double> wanted = SinusoidTable(half, 5, width);
    const std::vector<double> from = SinusoidTable(interleaved, 5, width);
    const std::vector<int64_t> order = HalfSplitOrder(width);
    for (size_t row = 0; row < 5; ++row) {
      for (size_t i = 0; i < order.size(); ++i) {
        const size_t start = row * order.size();
        EXPECT_EQ(wanted[start + i], from[start + static_cast<size_t>(order[i])]);
      }
    }
  }
}

TEST(PortableWeights, UnknownParametersAreABug) {
  EXPECT_EQ(WidthAxisOf("decoder.layer1.cross_attention.output.weight"), WidthAxis::kOutputs);
  EXPECT_EQ(WidthAxisOf("output.weight"), WidthAxis::kColumns);
  EXPECT_EQ(WidthAxisOf("output.bias"), WidthAxis::kNone);
  EXPECT_EQ(WidthAxisOf("encoder.layer1.self_attention.output.bias"), WidthAxis::kOutputs);
  EXPECT_THROW(WidthAxisOf("encoder.layer1.gru.weight"), InternalError);
}

// Sets double values from a file's rows.
void Fill(const ParameterStore& store, const PortableWeights& weights) {
  for (const auto& parameter : store.parameters()) {
    const RowSource source = weights.Rows(parameter->name);
    std::vector<float> row(static_cast<size_t>(source.columns));
    for (int64_t i = 0; i < source.rows; ++i) {
      source.read(i, row);
      std::copy(row.begin(), row.end(), parameter->value.Row<double>(i));
    }
  }
}

void FillAsStored(const ParameterStore& store, const ModelSource& source) {
  for (const auto& parameter : store.parameters()) {
    source.weights().Read(parameter->name, parameter->value);
  }
}

// Two pairs of some tokens.
Batch SmallBatch() {
  Batch batch;
  batch.source_ids = {5, 3, 9, 0, 2, 0};
  batch.target_inputs = {-1, 7, 7, 2, 3, -1, 1};
  batch.target_labels = {7, 7, 2, 3, 0, 1, 0};
  batch.source = SequenceLayout::FromLengths(std::vector<int32_t>{4, 2});
  batch.target = SequenceLayout::FromLengths(std::vector<int32_t>{5, 2});
  batch.sentence_ids = {0, 1};
  return batch;
}

// In double, so that only the order of sums differs.
double LossOf(const TransformerShape& shape, const std::function<void(ParameterStore&)>& fill) {
  const auto backend = MakeBackend({.name = "reference", .real = DType::kFloat64});
  ParameterStore store;
  const auto model = MakeModel(store, shape, false);
  store.Allocate(DType::kFloat64, false, [&](int64_t bytes) { return backend->Allocate(bytes); });
  fill(store);
  const Memory slab = backend->Allocate(int64_t{1} << 30);
  Workspace workspace(slab.data(), slab.bytes());
  TensorPool tensors(workspace);
  Context ctx{.backend = *backend, .tensors = tensors};
  const Batch batch = SmallBatch();
  const Tensor losses = model->Loss(ctx, batch, {});
  double sum = 0;
  for (int64_t i = 0; i < losses.rows(); ++i) sum += losses.view().Row<double>(i)[1];
  return sum;
}

TEST(PortableWeights, InterleavedModelsComputeTheSameInHalves) {
  int checked = 0;
  for (const ModelVariant& variant : ExportVariants()) {
    if (variant.recipe.model.positions.layout != SinusoidLayout::kInterleaved) continue;
    const ModelOnDisk disk(variant.recipe);
    const ModelSource source(disk.path());
    const PortableWeights weights(source);
    TransformerShape shape = source.shape();
    const double wanted =
        LossOf(shape, [&](ParameterStore& store) { FillAsStored(store, source); });
    shape.options = weights.options();
    const double got = LossOf(shape, [&](ParameterStore& store) { Fill(store, weights); });
    EXPECT_NEAR(got, wanted, 1e-12 * wanted) << variant.name;
    if (variant.recipe.model.positions.kind != PositionKind::kSinusoidal) continue;
    EXPECT_EQ(shape.options.positions.layout, SinusoidLayout::kHalf);
    // The order matters: with the weights as they were, the model is another one.
    const double unmoved =
        LossOf(shape, [&](ParameterStore& store) { FillAsStored(store, source); });
    EXPECT_GT(std::abs(unmoved - wanted), 1e-3) << variant.name;
    ++checked;
  }
  EXPECT_EQ(checked, 2);
}

TEST(PortableWeights, PositionsAreTheFormulasTheLearnedOnesOrZero) {
  Recipe recipe = SmallRecipe();
  recipe.model.positions.offset = 3;
  const ModelOnDisk sinusoidal(recipe);
  recipe.model.positions.kind = PositionKind::kNone;
  const ModelOnDisk none(recipe);
  recipe.model.positions.kind = PositionKind::kLearned;
  recipe.model.positions.offset = 0;
  recipe.model.positions.max_length = 9;
  const ModelOnDisk learned(recipe);
  const auto row = [](const ModelOnDisk& disk, int64_t number, int64_t rows) {
    const ModelSource source(disk.path());
    const RowSource positions = PortableWeights(source).Positions("decoder", 20);
    EXPECT_EQ(positions.rows, rows);
    std::vector<float> values(16);
    positions.read(number, values);
    return values;
  };
  const std::vector<double> table = SinusoidTable({.offset = 3}, 20, 16);
  const std::vector<float> last = row(sinusoidal, 19, 20);
  for (size_t i = 0; i < last.size(); ++i) {
    EXPECT_EQ(last[i], static_cast<float>(table[19 * 16 + i]));
  }
  EXPECT_EQ(row(none, 19, 20), std::vector<float>(16, 0));
  EXPECT_NE(row(learned, 8, 9), std::vector<float>(16, 0));
}

}  // namespace
}  // namespace heed
