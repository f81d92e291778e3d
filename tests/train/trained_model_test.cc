// From a corpus to translations of a model read back from disk.
#include <gtest/gtest.h>

#include "decode/loaded_model.h"
#include "tests/train/corpus_fixture.h"
#include "train/trainer.h"

namespace heed {
namespace {

TEST(TrainedModel, LearnsTheTaskAndTranslatesTheSameFromDisk) {
  const CorpusFixture corpus(3000);
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
  Trainer trainer(recipe);
  trainer.Run();
  EXPECT_GT(trainer.state().best.at("bleu").value, 90);

  const auto backend = MakeBackend({});
  std::vector<std::unique_ptr<LoadedModel>> models;
  models.push_back(LoadTranslationModel(recipe.output, *backend));
  Translator translator(MakeSystem(models, 1024), recipe.decoding, 1, *backend);
  EXPECT_EQ(translator.TranslateBest(std::vector<std::string>{"three one four", "", "nine"}),
            (std::vector<std::string>{"drei eins vier", "", "neun"}));
}

}  // namespace
}  // namespace heed
