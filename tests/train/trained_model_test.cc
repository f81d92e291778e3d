// From a corpus to translations of a model read back from disk.
#include <gtest/gtest.h>

#include "decode/loaded_model.h"
#include "tests/train/corpus_fixture.h"
#include "train/trainer.h"
#include "util/check.h"

namespace heed {
namespace {

Recipe RecipeThatLearns(const CorpusFixture& corpus) {
  Recipe recipe = corpus.MakeRecipe("run");
  recipe.model.norm = NormPosition::kBefore;
  recipe.model.encoder_layers = 2;
  recipe.model.decoder_layers = 2;
  recipe.model.model_width = 64;
  recipe.model.feed_forward_width = 128;
  recipe.model.heads = 4;
  recipe.model.dropout = {.residual = 0, .attention = 0, .activation = 0, .embedding = 0};
  recipe.decoding.max_length = {.ratio = 1, .extra = 30};
  recipe.training.average.decay = 0;
  recipe.training.batch_tokens = 1500;
  recipe.training.schedule.peak_rate = 5e-3;
  recipe.training.schedule.warmup_updates = 30;
  recipe.training.stop.updates = 300;
  recipe.training.checkpoints.every = 300;
  recipe.validation.every = 300;
  return recipe;
}

void ExpectTranslates(const Recipe& recipe) {
  const auto backend = MakeBackend({});
  std::vector<std::unique_ptr<LoadedModel>> models;
  models.push_back(LoadTranslationModel(recipe.output, *backend));
  Translator translator(MakeSystem(models), recipe.decoding, 1, *backend);
  EXPECT_EQ(translator.TranslateBest(std::vector<std::string>{"three one four", "", "nine"}),
            (std::vector<std::string>{"drei eins vier", "", "neun"}));
}

TEST(TrainedModel, LearnsTheTaskAndTranslatesTheSameFromDisk) {
  const CorpusFixture corpus(3000);
  const Recipe recipe = RecipeThatLearns(corpus);
  Trainer trainer(recipe);
  trainer.Run();
  EXPECT_GT(trainer.state().best.at("bleu").value, 90);
  ExpectTranslates(recipe);
}

TEST(TrainedModel, LearnsGoesOnAndTranslatesWithALearnedDecoderStart) {
  const CorpusFixture corpus(3000);
  Recipe recipe = RecipeThatLearns(corpus);
  recipe.model.decoder_start = DecoderStart::kLearned;
  recipe.vocabulary.size = 45;  // a piece more, the begin mark
  Recipe first = recipe;
  first.training.stop.updates = 150;
  Trainer(first).Run();
  Trainer trainer(recipe);
  trainer.Run();
  EXPECT_EQ(trainer.state().update, 300);
  EXPECT_GT(trainer.state().best.at("bleu").value, 90);
  ExpectTranslates(recipe);

  recipe.model.decoder_start = DecoderStart::kZero;
  recipe.training.stop.updates = 310;
  EXPECT_THROW(Trainer{recipe}, UserError);  // another model
}

// SentencePiece models usually have a begin mark; it does not matter to a model that starts with a
// zero vector.
TEST(TrainedModel, AGivenVocabularyMayHaveABeginMarkThatIsNotUsed) {
  const CorpusFixture corpus;
  Recipe marked = corpus.MakeRecipe("marked");
  marked.model.decoder_start = DecoderStart::kLearned;
  marked.training.stop.updates = 1;
  Trainer(marked).Run();
  Recipe recipe = corpus.MakeRecipe("run");
  recipe.vocabulary.model = marked.output + "/vocabulary/vocabulary.model";
  EXPECT_EQ(Trainer(recipe).Run(), TrainingEnd::kStopRule);
  const auto backend = MakeBackend({});
  const auto loaded = LoadTranslationModel(recipe.output, *backend);
  EXPECT_EQ(loaded->model->start_token(), -1);
  EXPECT_GE(loaded->target_tokenizer->bos_id(), 0);
}

}  // namespace
}  // namespace heed
