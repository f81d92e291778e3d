#include "train/training_model.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/train/corpus_fixture.h"

namespace heed {
namespace {

class TrainingModelTest : public testing::Test {
 protected:
  PreparedData Prepare(const Recipe& recipe) {
    return PrepareData(recipe, std::filesystem::path(recipe.output) / "data", threads_);
  }
  static std::vector<float> Values(const MatrixView& view) {
    return {view.Row<float>(0), view.Row<float>(0) + view.columns};
  }

  CorpusFixture corpus_;
  ThreadPool threads_{1};
};

TEST_F(TrainingModelTest, BuffersAreWeightsMomentsAndAnAverageIfThereIsOne) {
  Recipe recipe = corpus_.MakeRecipe("run");
  const PreparedData data = Prepare(recipe);
  TrainingModel averaged(recipe, data);
  std::vector<std::string> names;
  for (const FlatBuffer& buffer : averaged.Buffers()) {
    names.push_back(buffer.file + ":" + buffer.prefix);
    EXPECT_EQ(buffer.values.columns, averaged.parameters().flat_size());
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "model.safetensors:", "optimizer.safetensors:first_moment.",
                       "optimizer.safetensors:second_moment.", "average.safetensors:"}));
  recipe.training.average.decay = 0;
  EXPECT_EQ(TrainingModel(recipe, data).Buffers().size(), 3U);
}

TEST_F(TrainingModelTest, TheLargestBatchFitsAndChangesNothing) {
  const Recipe recipe = corpus_.MakeRecipe("run");
  const PreparedData data = Prepare(recipe);
  TrainingModel model(recipe, data);
  const std::vector<float> before = Values(model.parameters().flat_values());
  EXPECT_GT(model.TryLargestBatch(256), 0);
  EXPECT_GT(model.TryLargestBatch(100000), 0);  // as long as the limits allow
  EXPECT_EQ(Values(model.parameters().flat_values()), before);
  EXPECT_EQ(Values(model.Buffers()[1].values), std::vector<float>(before.size()));
}

TEST_F(TrainingModelTest, TheSeedDecidesTheWeights) {
  Recipe recipe = corpus_.MakeRecipe("run");
  const PreparedData data = Prepare(recipe);
  TrainingModel one(recipe, data), same(recipe, data);
  recipe.seed = 2;
  TrainingModel other(recipe, data);
  EXPECT_EQ(Values(one.parameters().flat_values()), Values(same.parameters().flat_values()));
  EXPECT_NE(Values(one.parameters().flat_values()), Values(other.parameters().flat_values()));
}

}  // namespace
}  // namespace heed
