#include "models/transformer/decoding_session.h"

#include "tests/models/transformer/model_fixture.h"
#include "tests/models/transformer/padded_oracle.h"
#include "util/check.h"

namespace heed {
namespace {

std::vector<double> LogSoftmaxRow(const Tensor& logits, int64_t row) {
  const double* values = logits.view().Row<double>(row);
  double largest = values[0], sum = 0;
  for (int64_t i = 0; i < logits.columns(); ++i) largest = std::max(largest, values[i]);
  for (int64_t i = 0; i < logits.columns(); ++i) sum += std::exp(values[i] - largest);
  std::vector<double> result;
  for (int64_t i = 0; i < logits.columns(); ++i) {
    result.push_back(values[i] - largest - std::log(sum));
  }
  return result;
}

// Two sentences, a beam that forks, swaps and shrinks: each hypothesis must see its own past.
TEST(TransformerDecodingSession, StepsWithReorderedBeamsEqualTheWholePrefix) {
  const std::vector<std::vector<int32_t>> sources = {{5, 3, 9, 0}, {2, 0}};
  const std::vector<int32_t> ids = {5, 3, 9, 0, 2, 0};
  const std::vector<int32_t> lengths = {4, 2};
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  struct Step {
    std::vector<int32_t> tokens, parents, sentences;
  };
  const std::vector<Step> steps = {{{-1, -1}, {0, 0}, {0, 1}},
                                   {{4, 7, 3}, {0, 0, 1}, {0, 0, 1}},
                                   {{1, 2, 9, 8}, {1, 0, 0, 2}, {0, 0, 0, 1}},
                                   {{6, 5}, {2, 1}, {0, 0}}};
  for (const ModelOptions& options : ModelVariants()) {
    TestModel test(options);
    const PaddedOracle oracle(test.store, test.options);
    Context ctx = test.Make(nullptr);
    const auto session =
        test.model->StartDecoding(ctx, ids, layout, {.max_hypotheses = 4, .max_steps = 4});
    std::vector<std::vector<int32_t>> prefixes;
    for (size_t s = 0; s < steps.size(); ++s) {
      std::vector<std::vector<int32_t>> extended;
      for (size_t h = 0; h < steps[s].tokens.size(); ++h) {
        extended.push_back(s == 0 ? std::vector<int32_t>{}
                                  : prefixes[static_cast<size_t>(steps[s].parents[h])]);
        extended.back().push_back(steps[s].tokens[h]);
      }
      prefixes = std::move(extended);
      const DecodingStep step =
          session->Step(ctx, steps[s].tokens, steps[s].parents, steps[s].sentences);
      EXPECT_FALSE(step.attention);  // not asked for
      for (size_t h = 0; h < prefixes.size(); ++h) {
        const Matrix expected = oracle.LogProbabilities(
            sources[static_cast<size_t>(steps[s].sentences[h])], prefixes[h], 2);
        const std::vector<double> found = LogSoftmaxRow(step.logits, static_cast<int64_t>(h));
        for (size_t v = 0; v < found.size(); ++v) EXPECT_NEAR(found[v], expected.back()[v], 1e-11);
      }
    }
  }
}

// Sentences of different lengths, one of which ends: its columns and its rows must not shift.
TEST(TransformerDecodingSession, AttentionIsTheLastLayersMeanOverHeads) {
  const std::vector<std::vector<int32_t>> sources = {{5, 3, 9, 0}, {2, 0}, {4, 7, 0}};
  const std::vector<int32_t> ids = {5, 3, 9, 0, 2, 0, 4, 7, 0}, lengths = {4, 2, 3};
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  const std::vector<int32_t> start = {-1, -1, -1}, none = {0, 0, 0}, all = {0, 1, 2};
  const std::vector<int32_t> tokens = {4, 7, 1}, parents = {1, 2, 2}, rest = {1, 2, 2};
  for (const ModelOptions& options : ModelVariants()) {
    TestModel test(options);
    const PaddedOracle oracle(test.store, test.options);
    Context ctx = test.Make(nullptr);
    const auto session = test.model->StartDecoding(
        ctx, ids, layout, {.max_hypotheses = 3, .max_steps = 2, .with_attention = true});
    session->Step(ctx, start, none, all);
    const DecodingStep step = session->Step(ctx, tokens, parents, rest);
    for (size_t h = 0; h < tokens.size(); ++h) {
      Matrix expected;
      const auto& source = sources[static_cast<size_t>(rest[h])];
      oracle.LogProbabilities(source, {-1, tokens[h]}, 0, &expected);
      const double* found = step.attention.view().Row<double>(static_cast<int64_t>(h));
      ASSERT_GE(step.attention.columns(), std::ssize(source));
      for (size_t i = 0; i < source.size(); ++i) EXPECT_NEAR(found[i], expected[1][i], 1e-12);
      for (int64_t i = std::ssize(source); i < step.attention.columns(); ++i) {
        EXPECT_EQ(found[i], 0);
      }
    }
  }
}

TEST(TransformerDecodingSession, MoreThanTheLimitsIsOurBug) {
  TestModel test(SmallModelOptions());
  Context ctx = test.Make(nullptr);
  const std::vector<int32_t> ids = {2, 0}, lengths = {2}, token = {-1}, zero = {0};
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  const auto session =
      test.model->StartDecoding(ctx, ids, layout, {.max_hypotheses = 1, .max_steps = 1});
  session->Step(ctx, token, zero, zero);
  EXPECT_THROW(session->Step(ctx, token, zero, zero), InternalError);
}

}  // namespace
}  // namespace heed
