#include "config/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "config/recipe_reader.h"
#include "error_text.h"

namespace heed {
namespace {

using testing::HasSubstr;

TEST(Validate, DefaultsAreValid) {
  EXPECT_NO_THROW(Validate(Recipe()));
}

struct Fault {
  const char* text;     // a recipe
  const char* message;  // part of its error
};

class BrokenRule : public testing::TestWithParam<Fault> {};

TEST_P(BrokenRule, IsReported) {
  EXPECT_THAT(ErrorText([&] { ParseRecipe(GetParam().text, "r.yaml"); }),
              HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Validate, BrokenRule,
    testing::Values(
        Fault{"model: {heads: 3}",
              "r.yaml:1:9: 'model.heads' (r.yaml:1:9) is 3 and does not divide"},
        Fault{"model: {model_width: 9, heads: 3}", "need an even width"},
        Fault{"vocabulary: {joint: false}",
              "'model.tie_embeddings' (by default) is 'all', which needs a joint vocabulary"},
        Fault{"vocabulary: {type: bpe, sampling: {alpha: 0.1}}", "alpha' is for unigram"},
        Fault{"vocabulary: {sampling: {dropout: 0.1}}", "dropout' is for bpe"},
        Fault{"vocabulary: {sampling: {nbest: 1}}", "leaves nothing to choose"},
        Fault{"vocabulary: {source_size: 100}", "'vocabulary.source_size' is for separate"},
        Fault{"vocabulary: {target_model: x}", "'vocabulary.target_model' is for separate"},
        Fault{"vocabulary: {joint: false, model: x}\nmodel: {tie_embeddings: none}",
              "'vocabulary.model' is a joint model"},
        Fault{"vocabulary: {shared_ids: true}", "'vocabulary.shared_ids' is for separate"},
        Fault{"vocabulary: {joint: false, source_model: x}\nmodel: {tie_embeddings: none}",
              "must be given together"},
        Fault{"vocabulary: {user_symbols: [a, b, a]}", "has 'a' twice"},
        Fault{"vocabulary: {user_symbols: ['']}", "has '' (nothing)"},
        Fault{"training: {schedule: {kind: linear}}", "needs 'training.schedule.total_updates'"},
        Fault{"training: {schedule: {kind: cosine, total_updates: 4000}}", "must be above"},
        Fault{"training: {schedule: {kind: cosine}, stop: {updates: 100}}",
              "'training.schedule.total_updates' (by default) is 100; it must be above"},
        Fault{"training: {schedule: {kind: linear, total_updates: 9000, final_rate: 1}}",
              "must be at most 'training.schedule.peak_rate' (by default), which is 0.0007"},
        Fault{"data: {filters: {min_length: 9, max_length: 8}}", "must be at most"},
        Fault{"training: {batch_tokens: 255}", "the longest training sentence must fit"},
        Fault{"model: {positions: {kind: learned, max_length: 256, offset: 1}}",
              "must fit from position 1"},
        Fault{"data: {train: [{source: a}]}",
              "'data.train[0]' needs 'source' and 'target', or 'tsv'"},
        Fault{"data: {train: [{source: a, target: b, tsv: c}]}", "has both 'tsv' and"},
        Fault{"data: {train: [{tsv: c, source_column: 2}]}", "from the same column 2"},
        Fault{"data: {train: [{source: a, target: b, target_column: 3}]}", "for 'tsv' files only"},
        Fault{"data: {valid: {target: b}}", "'data.valid' needs"},
        Fault{"decoding: {n_best: 5}",
              "'decoding.n_best' (r.yaml:1:12) is 5; it must be at most 'decoding.beam' (by "
              "default)"},
        Fault{"decoding: {max_length: {ratio: 0, extra: 0}}", "allows no token"},
        Fault{"decoding: {min_length: 9, max_length: {ratio: 0, extra: 8}}", "above the longest"},
        Fault{"training: {early_stopping: {metrics: [chrf]}}",
              "names 'chrf', which is not among 'validation.metrics'"},
        Fault{"training: {checkpoints: {best_metric: chrf}}", "best_metric' (r.yaml:1:26) names"},
        Fault{"validation: {metrics: [bleu, nll, bleu]}", "'validation.metrics' has 'bleu' twice"},
        Fault{"evaluation: {metrics: [ter, ter]}", "'evaluation.metrics' has 'ter' twice"},
        Fault{"evaluation: {test_sets: [{name: a, source: s, references: r}, "
              "{name: a, source: t, references: r}]}",
              "two test sets are called 'a'"},
        Fault{"evaluation: {test_sets: [{name: a, source: s, references: ['']}]}",
              "has no file name"},
        Fault{"name: a/b", "must not contain '/'"}));

TEST(Validate, RulesHoldOnlyWhereTheyApply) {
  for (const char* text :
       {"model: {model_width: 9, heads: 3, positions: {kind: none}}",
        "vocabulary: {joint: false, source_size: 100}\nmodel: {tie_embeddings: decoder}",
        "vocabulary: {joint: false, shared_ids: true}\nmodel: {tie_embeddings: all}",
        "vocabulary: {type: bpe, sampling: {dropout: 0.1}}",
        "decoding: {method: sampling, n_best: 5}",
        "training: {checkpoints: {keep_best: 0, best_metric: chrf}}",
        "training: {schedule: {kind: linear, warmup_updates: 0}, stop: {updates: 1}}",
        "data: {train: [{tsv: a.gz, source_column: 2, target_column: 1}]}"}) {
    EXPECT_NO_THROW(ParseRecipe(text, "r.yaml")) << text;
  }
}

TEST(Validate, WithoutPositionsKeysAreNamedAlone) {
  Recipe recipe;
  recipe.decoding.n_best = 9;
  EXPECT_EQ(ErrorText([&] { Validate(recipe); }),
            "recipe: 'decoding.n_best' is 9; it must be at most 'decoding.beam', which is 4");
}

TEST(CheckReadyToTrain, NeedsACorpusAndAnEnd) {
  Recipe recipe;
  recipe.name = "r";
  const std::string error = ErrorText([&] { CheckReadyToTrain(recipe); });
  EXPECT_THAT(error, HasSubstr("recipe 'r': nothing to train on"));
  EXPECT_THAT(error, HasSubstr("training would never end"));

  recipe.data.train.resize(1);
  recipe.training.stop.hours = 1;
  EXPECT_NO_THROW(CheckReadyToTrain(recipe));

  recipe.training.early_stopping.metrics = {ValidationMetric::kNll};
  EXPECT_THAT(ErrorText([&] { CheckReadyToTrain(recipe); }), HasSubstr("give 'data.valid'"));
}

TEST(CheckReadyToEvaluate, NeedsATestSet) {
  Recipe recipe;
  EXPECT_THAT(ErrorText([&] { CheckReadyToEvaluate(recipe); }), HasSubstr("test_sets"));
  recipe.evaluation.test_sets.resize(1);
  EXPECT_NO_THROW(CheckReadyToEvaluate(recipe));
}

}  // namespace
}  // namespace heed
