#include "train/initial_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/model_source.h"
#include "tests/train/corpus_fixture.h"
#include "train/trainer.h"
#include "util/check.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<float> Values(const MatrixView& view) {
  std::vector<float> values;
  for (int64_t row = 0; row < view.rows; ++row) {
    values.insert(values.end(), view.Row<float>(row), view.Row<float>(row) + view.columns);
  }
  return values;
}

std::string FileOf(const Recipe& recipe, std::string_view name) {
  return ReadFile(fs::path(recipe.output) / "last" / name);
}

class InitialWeights : public testing::Test {
 protected:
  InitialWeights() : old_(corpus_.MakeRecipe("old")) { Trainer(old_).Run(); }

  // A new run that starts from the last checkpoint of the old one.
  Recipe FineTuning(const std::string& run) const {
    Recipe recipe = corpus_.MakeRecipe(run);
    recipe.model.initialise_from = old_.output + "/last";
    recipe.vocabulary.model = old_.output + "/last/vocabulary.model";
    return recipe;
  }
  PreparedData Prepare(const Recipe& recipe) {
    return PrepareData(recipe, fs::path(recipe.output) / "data", threads_);
  }
  std::vector<float> OldValues(const std::string& parameter, std::string_view file) const {
    const SafetensorsReader reader(fs::path(old_.output) / "last" / file);
    const RowSource rows = TensorRows(reader.Get(parameter));
    std::vector<float> values;
    std::vector<float> row(static_cast<size_t>(rows.columns));
    for (int64_t i = 0; i < rows.rows; ++i) {
      rows.read(i, row);
      values.insert(values.end(), row.begin(), row.end());
    }
    return values;
  }
  std::string ErrorOf(const Recipe& recipe) {
    try {
      Trainer trainer(recipe);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  CorpusFixture corpus_;
  ThreadPool threads_{1};
  Recipe old_;
};

TEST_F(InitialWeights, AreTheAverageOfTheOtherModel) {
  const Recipe recipe = FineTuning("new");
  const PreparedData data = Prepare(recipe);
  TrainingModel model(recipe, data);
  EXPECT_EQ(InitialiseFromModel(recipe, data.vocabularies, &model), 0);
  for (const auto& parameter : model.parameters().parameters()) {
    EXPECT_EQ(Values(parameter->value), OldValues(parameter->name, kAverageFile))
        << parameter->name;
  }
  EXPECT_EQ(Values(model.step().average()->average()), Values(model.parameters().flat_values()));
  EXPECT_THAT(Values(model.step().optimizer().first_moment()), testing::Each(0.0F));
}

TEST_F(InitialWeights, WithTheOptimizerAreTheLastOnes) {
  Recipe recipe = FineTuning("new");
  recipe.training.optimizer.initialise = true;
  const PreparedData data = Prepare(recipe);
  TrainingModel model(recipe, data);
  EXPECT_EQ(InitialiseFromModel(recipe, data.vocabularies, &model), old_.training.stop.updates);
  const ParameterStore& store = model.parameters();
  for (const auto& parameter : store.parameters()) {
    EXPECT_EQ(Values(parameter->value), OldValues(parameter->name, kModelFile)) << parameter->name;
    EXPECT_EQ(Values(store.Slice(model.step().optimizer().second_moment(), *parameter)),
              OldValues("second_moment." + parameter->name, kOptimizerFile))
        << parameter->name;
  }
}

TEST_F(InitialWeights, OfNewPiecesStayAsTheyWereDrawn) {
  Recipe recipe = FineTuning("new");
  recipe.vocabulary.user_symbols = {"<one>", "<two>"};
  const PreparedData data = Prepare(recipe);
  TrainingModel model(recipe, data);
  const Parameter& table = *model.parameters().Find("embedding.weight");
  const Parameter& bias = *model.parameters().Find("output.bias");
  const std::vector<float> drawn = Values(table.value);
  InitialiseFromModel(recipe, data.vocabularies, &model);
  std::vector<float> expected = OldValues("embedding.weight", kAverageFile);
  const auto old_size = static_cast<std::ptrdiff_t>(expected.size());
  ASSERT_EQ(table.size(), old_size + 2 * table.columns);
  expected.insert(expected.end(), drawn.begin() + old_size, drawn.end());
  EXPECT_EQ(Values(table.value), expected);
  std::vector<float> biases = OldValues("output.bias", kAverageFile);
  biases.insert(biases.end(), {0, 0});
  EXPECT_EQ(Values(bias.value), biases);
}

TEST_F(InitialWeights, FollowTheirPiecesIntoAnotherVocabulary) {
  Recipe recipe = FineTuning("new");
  recipe.vocabulary.model.clear();  // trains one of another size
  recipe.vocabulary.size = 40;
  const PreparedData data = Prepare(recipe);
  TrainingModel model(recipe, data);
  InitialiseFromModel(recipe, data.vocabularies, &model);
  const ModelSource old(old_.output);
  const Tokenizer& before = *old.vocabularies().target;
  const Tokenizer& now = *data.vocabularies.target;
  const MatrixView table = model.parameters().Find("embedding.weight")->value;
  const std::vector<float> rows = OldValues("embedding.weight", kAverageFile);
  int moved = 0;
  for (int32_t id = 0; id < now.size(); ++id) {
    for (int32_t other = 0; other < before.size(); ++other) {
      if (now.piece(id) != before.piece(other)) continue;
      moved += id != other ? 1 : 0;
      EXPECT_EQ(table.Row<float>(id)[0], rows[static_cast<size_t>(other * table.columns)])
          << now.piece(id);
    }
  }
  EXPECT_GT(moved, 0);
}

TEST_F(InitialWeights, FrozenParametersNeverChange) {
  Recipe recipe = FineTuning("new");
  recipe.training.freeze = {"embedding", "encoder"};
  recipe.training.optimizer = {.name = OptimizerKind::kAdamW, .weight_decay = 0.1};
  Trainer(recipe).Run();
  for (const std::string_view file : {kModelFile, kAverageFile}) {
    const SafetensorsReader now(fs::path(recipe.output) / "last" / file);
    for (const StoredTensor& tensor : now.tensors()) {
      const RowSource rows = TensorRows(tensor);
      std::vector<float> first(static_cast<size_t>(rows.columns));
      rows.read(0, first);
      std::vector<float> before = OldValues(tensor.name, kAverageFile);
      before.resize(first.size());
      const bool is_frozen =
          tensor.name.starts_with("embedding.") || tensor.name.starts_with("encoder.");
      EXPECT_EQ(first == before, is_frozen) << tensor.name;
    }
  }
}

TEST_F(InitialWeights, AnInterruptedFineTuningEqualsAnUninterruptedOne) {
  Recipe whole = FineTuning("whole");
  whole.training.optimizer.initialise = true;
  whole.training.freeze = {"decoder.layer1"};
  Trainer(whole).Run();
  Recipe parts = whole;
  parts.output = corpus_.Path("parts");
  parts.training.stop.updates = 7;
  Trainer(parts).Run();
  fs::rename(old_.output, old_.output + ".gone");  // the start is needed once
  parts.vocabulary.model = old_.output + ".gone/last/vocabulary.model";
  parts.training.stop.updates = 12;
  Trainer(parts).Run();
  for (const std::string_view file : {kModelFile, kOptimizerFile, kAverageFile}) {
    EXPECT_EQ(FileOf(whole, file), FileOf(parts, file)) << file;
  }
}

TEST_F(InitialWeights, OfAnotherKindOfModelAreRefusedWithEveryDifference) {
  Recipe recipe = FineTuning("new");
  recipe.model.heads = 4;
  recipe.model.norm = NormPosition::kBefore;
  recipe.model.dropout.residual = 0.5;
  const std::string error = ErrorOf(recipe);
  EXPECT_THAT(error, HasSubstr("model.heads: 2 -> 4"));
  EXPECT_THAT(error, HasSubstr("model.norm"));
  EXPECT_THAT(error, testing::Not(HasSubstr("dropout")));
}

TEST_F(InitialWeights, WithoutAnOptimizerOrADirectoryAreRefused) {
  Recipe recipe = FineTuning("new");
  recipe.model.initialise_from = "nowhere";
  EXPECT_THAT(ErrorOf(recipe), HasSubstr("nowhere does not exist"));
  recipe = FineTuning("unknown");
  recipe.training.freeze = {"encoder", "decodre"};
  EXPECT_THAT(ErrorOf(recipe), HasSubstr("'decodre', but no parameter's name begins so; there are "
                                         "decoder, embedding, encoder, output"));
  recipe.training.freeze = {"encoder", "decoder", "embedding", "output"};
  EXPECT_THAT(ErrorOf(recipe), HasSubstr("leaves nothing to train"));
}

}  // namespace
}  // namespace heed
