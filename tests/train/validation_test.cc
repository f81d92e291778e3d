#include "train/validation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/model_factory.h"
#include "tests/train/corpus_fixture.h"

namespace heed {
namespace {

TEST(Validator, MetricsDoNotDependOnTheBatches) {
  const CorpusFixture corpus;
  Recipe recipe = corpus.MakeRecipe("run");
  recipe.validation.metrics = {ValidationMetric::kNll, ValidationMetric::kPerplexity,
                               ValidationMetric::kBleu, ValidationMetric::kChrf};
  ThreadPool threads(2);
  std::filesystem::create_directories(recipe.output);
  const PreparedData data = PrepareData(recipe, corpus.Path("run/data"), threads);
  const auto backend = MakeBackend({});
  ParameterStore store;
  const auto model = MakeModel(store,
                               {.options = recipe.model,
                                .source_vocabulary = data.source_tokenizer().size(),
                                .target_vocabulary = data.target_tokenizer().size()},
                               false);
  store.Allocate(DType::kFloat32, false, &Memory::Host);
  store.Initialize(1);
  const ValidationResult large = Validator(recipe, data, *model, *backend).Run().value();
  recipe.validation.batch_tokens = 7;
  recipe.decoding.batch_sentences = 1;
  const ValidationResult small = Validator(recipe, data, *model, *backend).Run().value();
  EXPECT_NEAR(large.metrics.at("nll"), small.metrics.at("nll"), 1e-12);
  EXPECT_EQ(large.metrics.at("perplexity"), std::exp(large.metrics.at("nll")));
  EXPECT_EQ(large.translations, small.translations);
  EXPECT_EQ(large.metrics.at("chrf"), small.metrics.at("chrf"));
  EXPECT_EQ(large.translations.size(), 30U);
  EXPECT_EQ(Validator(recipe, data, *model, *backend).Run(4)->translations.size(), 4U);
  for (const int64_t calls_before : {0, 2, 5}) {
    int64_t calls = 0;
    const auto interrupt = [&] { return calls++ >= calls_before; };
    EXPECT_FALSE(Validator(recipe, data, *model, *backend, interrupt).Run()) << calls_before;
    EXPECT_LE(calls, calls_before + 3);  // and little is done after it
  }
  EXPECT_NE(large.signatures.at("bleu").find("tok:13a"), std::string::npos);
}

}  // namespace
}  // namespace heed
