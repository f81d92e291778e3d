#include "decode/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "decode/coverage.h"
#include "decode/length_rules.h"
#include "tests/decode/table_model.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::ElementsAre;

constexpr int32_t kEnd = 0;

class SearchTest : public testing::Test {
 protected:
  SearchTest() : backend_(MakeBackend({.name = "reference", .real = DType::kFloat64})) {}

  Context Make() { return {.backend = *backend_, .tensors = tensors_}; }

  // Translates sources of one token each (plus end mark), all in one batch.
  std::vector<std::vector<Hypothesis>> Run(const TableModel& model, const DecodingOptions& options,
                                           const std::vector<int32_t>& sources,
                                           const std::vector<std::vector<int32_t>>& prefixes = {},
                                           SearchVocabulary vocabulary = {}) {
    std::vector<int32_t> ids;
    std::vector<int64_t> numbers;
    for (const int32_t source : sources) {
      ids.insert(ids.end(), {source, kEnd});
      numbers.push_back(source);
    }
    const std::vector<int32_t> lengths(sources.size(), 2);
    const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
    Context ctx = Make();
    const Search search(options, 5, std::move(vocabulary), {&model});
    return search.Run(
        ctx,
        {.source_ids = ids, .sources = &layout, .prefixes = prefixes, .sentence_numbers = numbers});
  }

  Memory slab_ = Memory::Host(1 << 26);
  Workspace workspace_{slab_.data(), slab_.bytes()};
  TensorPool tensors_{workspace_};
  std::unique_ptr<Backend> backend_;
};

DecodingOptions Options(int64_t beam, int64_t max_length) {
  DecodingOptions options;
  options.beam = beam;
  options.max_length = {.ratio = 0, .extra = max_length};
  options.suppress_unknown = false;
  return options;
}

// All complete translations of at most `max_length` tokens.
void Enumerate(const TableModel& model, int32_t source, int64_t max_length,
               const Hypothesis& so_far, std::vector<Hypothesis>& all) {
  const std::vector<double> scores = model.LogProbabilities(source, so_far.tokens);
  for (int32_t token = 0; token < static_cast<int32_t>(scores.size()); ++token) {
    const bool at_limit = std::ssize(so_far.tokens) == max_length;
    if (at_limit && token != kEnd) continue;
    Hypothesis longer = so_far;
    longer.tokens.push_back(token);
    longer.log_probability += scores[static_cast<size_t>(token)];
    if (token == kEnd) {
      all.push_back(std::move(longer));
    } else {
      Enumerate(model, source, max_length, longer, all);
    }
  }
}

// Equation 14 of Wu et al. 2016 by its definition, for the two tokens of the sources of SearchTest.
double CoverageByDefinition(const TableModel& model, const std::vector<int32_t>& tokens) {
  double sum = 0;
  for (size_t i = 0; i < 2; ++i) {
    double attention = 0;
    for (size_t j = 0; j < tokens.size(); ++j) {
      const std::vector<int32_t> before(tokens.begin(), tokens.begin() + static_cast<int64_t>(j));
      attention += model.Attention(before, 2)[i];
    }
    sum += std::log(std::min(attention, 1.0));
  }
  return sum;
}

Hypothesis BestOf(const TableModel& model, int32_t source, const DecodingOptions& options) {
  std::vector<Hypothesis> all;
  Enumerate(model, source, options.max_length.extra, {}, all);
  for (Hypothesis& h : all) {
    h.score = h.log_probability / LengthPenalty(options.length_penalty, std::ssize(h.tokens)) +
              options.coverage_penalty * CoverageByDefinition(model, h.tokens);
  }
  return *std::max_element(all.begin(), all.end(), [](const Hypothesis& a, const Hypothesis& b) {
    return a.score < b.score;
  });
}

TEST_F(SearchTest, WideBeamEqualsExhaustiveSearchUnderEveryPenalty) {
  for (const LengthPenaltyKind kind :
       {LengthPenaltyKind::kNone, LengthPenaltyKind::kGnmt, LengthPenaltyKind::kAverage}) {
    DecodingOptions options = Options(400, 4);  // 3^4 unfinished prefixes and more
    options.length_penalty = {.kind = kind, .alpha = 1.3};
    for (uint64_t seed = 0; seed < 30; ++seed) {
      const TableModel model(seed, 4);
      const Hypothesis best = BestOf(model, 7, options);
      const Hypothesis found = Run(model, options, {7})[0].front();
      EXPECT_EQ(found.tokens, best.tokens);
      EXPECT_NEAR(found.score, best.score, 1e-12);
    }
  }
}

TEST_F(SearchTest, WideBeamWithCoveragePenaltyEqualsExhaustiveSearch) {
  DecodingOptions options = Options(400, 4);
  int64_t changed = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const TableModel model(seed, 4);
    options.coverage_penalty = 0;
    const Hypothesis without = Run(model, options, {7})[0].front();
    options.coverage_penalty = 0.7;
    const Hypothesis best = BestOf(model, 7, options);
    const Hypothesis found = Run(model, options, {7})[0].front();
    EXPECT_EQ(found.tokens, best.tokens);
    EXPECT_NEAR(found.score, best.score, 1e-12);
    changed += found.tokens != without.tokens ? 1 : 0;
  }
  EXPECT_GT(changed, 3);  // or the penalty has no effect
}

TEST_F(SearchTest, CoverageFollowsReorderedBeams) {
  DecodingOptions options = Options(3, 7);
  options.n_best = 3;
  options.coverage_penalty = 0.4;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const TableModel model(seed, 6);
    const auto all = Run(model, options, {4});
    for (const Hypothesis& found : all[0]) {
      const double length = LengthPenalty(options.length_penalty, std::ssize(found.tokens));
      EXPECT_NEAR(found.score,
                  found.log_probability / length + 0.4 * CoverageByDefinition(model, found.tokens),
                  1e-12);
    }
  }
}

TEST_F(SearchTest, SamplesCarryTheCoveragePenaltyToo) {
  const TableModel model(3, 6, 0.5);
  DecodingOptions options = Options(1, 6);
  options.method = DecodingMethod::kSampling;
  options.n_best = 5;
  options.coverage_penalty = 0.4;
  const auto draws = Run(model, options, {4});
  for (const Hypothesis& found : draws[0]) {
    const double length = LengthPenalty(options.length_penalty, std::ssize(found.tokens));
    EXPECT_NEAR(found.score,
                found.log_probability / length + 0.4 * CoverageByDefinition(model, found.tokens),
                1e-12);
  }
}

TEST_F(SearchTest, AttentionIsAskedForOnlyWithACoveragePenalty) {
  const TableModel model(3, 6);
  DecodingOptions options = Options(3, 6);
  Run(model, options, {4});
  EXPECT_FALSE(model.asked_attention());
  options.coverage_penalty = 1e-9;
  Run(model, options, {4});
  EXPECT_TRUE(model.asked_attention());
}

TEST_F(SearchTest, WidthOneIsGreedy) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const TableModel model(seed, 6);
    std::vector<int32_t> greedy;
    while (greedy.empty() || greedy.back() != kEnd) {
      const std::vector<double> scores = model.LogProbabilities(3, greedy);
      greedy.push_back(std::ssize(greedy) == 8
                           ? kEnd
                           : static_cast<int32_t>(std::max_element(scores.begin(), scores.end()) -
                                                  scores.begin()));
    }
    EXPECT_EQ(Run(model, Options(1, 8), {3})[0].front().tokens, greedy);
  }
}

// Greedy takes 1 and must go on with poor tokens; a beam sees that 2 pays.
TEST_F(SearchTest, BeamEscapesTheGreedyTrap) {
  TableModel model(1, 3);
  model.Set({}, {-9, 1.0, 0.9});
  model.Set({1}, {0, 0, 0});
  model.Set({2}, {9, 0, 0});
  EXPECT_THAT(Run(model, Options(1, 5), {3})[0].front().tokens, testing::Contains(1));
  EXPECT_THAT(Run(model, Options(2, 5), {3})[0].front().tokens, ElementsAre(2, kEnd));
}

TEST_F(SearchTest, StoppingEarlyNeverLosesABetterTranslation) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const TableModel model(seed, 5);
    DecodingOptions options = Options(2, 6);
    options.length_penalty = {.kind = LengthPenaltyKind::kAverage, .alpha = 1};
    const Hypothesis stopped = Run(model, options, {2})[0].front();
    // Never stopping early: a penalty bound that cannot be met is emulated by a third, unused slot.
    DecodingOptions wide = options;
    wide.beam = 300;
    EXPECT_GE(Run(model, wide, {2})[0].front().score, stopped.score - 1e-12);
  }
}

TEST_F(SearchTest, BestDoesNotDependOnNBest) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const TableModel model(seed, 6);
    DecodingOptions options = Options(5, 7);
    const auto one = Run(model, options, {4})[0];
    options.n_best = 5;
    const auto five = Run(model, options, {4})[0];
    EXPECT_EQ(one.size(), 1U);
    EXPECT_LE(five.size(), 5U);
    EXPECT_EQ(one[0].tokens, five[0].tokens);
    for (size_t i = 1; i < five.size(); ++i) EXPECT_LE(five[i].score, five[i - 1].score);
  }
}

TEST_F(SearchTest, TranslationDoesNotDependOnTheBatch) {
  const TableModel model(9, 7);
  for (const DecodingMethod method : {DecodingMethod::kBeam, DecodingMethod::kSampling}) {
    DecodingOptions options = Options(3, 9);
    options.method = method;
    options.coverage_penalty = 0.3;
    std::vector<int32_t> sources;
    for (int32_t i = 1; i <= 64; ++i) sources.push_back(i);
    const auto together = Run(model, options, sources);
    for (size_t i = 0; i < sources.size(); i += 9) {
      const auto alone = Run(model, options, {sources[i]})[0];
      ASSERT_EQ(alone.size(), together[i].size());
      EXPECT_EQ(alone[0].tokens, together[i][0].tokens);
      EXPECT_EQ(alone[0].score, together[i][0].score);
    }
  }
}

TEST_F(SearchTest, BeamWiderThanTheVocabularyWorks) {
  const TableModel model(2, 3);
  DecodingOptions options = Options(50, 3);
  options.n_best = 50;
  const auto result = Run(model, options, {1})[0];
  EXPECT_EQ(result.size(), 15U);  // 2^0 + ... + 2^3 complete translations
  for (const Hypothesis& hypothesis : result) EXPECT_TRUE(std::isfinite(hypothesis.score));
}

TEST_F(SearchTest, LengthRulesCountWithoutTheEndMark) {
  TableModel model(3, 3, 0.1);
  DecodingOptions options = Options(4, 0);
  EXPECT_THAT(Run(model, options, {1})[0].front().tokens, ElementsAre(kEnd));
  options.max_length = {.ratio = 2, .extra = 1};  // source length 1 without its end mark
  options.min_length = 3;
  EXPECT_EQ(Run(model, options, {1})[0].front().tokens.size(), 4U);
  options.min_length = 0;
  EXPECT_EQ(MaxTargetLength(options, 5), 11);
}

TEST_F(SearchTest, ScoresFollowThePenaltyFormulas) {
  EXPECT_DOUBLE_EQ(LengthPenalty({.kind = LengthPenaltyKind::kGnmt, .alpha = 0.6}, 7),
                   std::pow(2, 0.6));
  EXPECT_DOUBLE_EQ(LengthPenalty({.kind = LengthPenaltyKind::kAverage, .alpha = 1}, 7), 7);
  EXPECT_DOUBLE_EQ(LengthPenalty({.kind = LengthPenaltyKind::kNone, .alpha = 3}, 7), 1);
  const TableModel model(4, 5);
  const Hypothesis found = Run(model, Options(4, 6), {1})[0].front();
  double sum = 0;
  for (size_t i = 0; i < found.tokens.size(); ++i) {
    const std::vector<int32_t> prefix(found.tokens.begin(),
                                      found.tokens.begin() + static_cast<int64_t>(i));
    const double expected = model.LogProbabilities(1, prefix)[static_cast<size_t>(found.tokens[i])];
    EXPECT_NEAR(found.token_log_probabilities[i], expected, 1e-12);
    sum += expected;
  }
  EXPECT_NEAR(found.log_probability, sum, 1e-12);
  EXPECT_NEAR(found.score, sum / std::pow((5 + static_cast<double>(found.tokens.size())) / 6, 0.6),
              1e-12);
}

TEST_F(SearchTest, TranslationsRespectTheShortestModel) {
  TableModel short_one(3, 5, 0.1), shorter(4, 5, 0.1);
  short_one.SetMaxLength(7);
  shorter.SetMaxLength(4);
  DecodingOptions options = Options(2, 20);
  options.min_length = 20;
  EXPECT_EQ(Run(short_one, options, {1})[0].front().tokens.size(), 7U);
  const TableModel any(5, 5, 0.1);
  EXPECT_EQ(MaxModelLength(std::vector<const Seq2SeqModel*>{&any, &short_one, &shorter}), 4);
  EXPECT_EQ(MaxModelLength(std::vector<const Seq2SeqModel*>{&any}), 0);
}

TEST_F(SearchTest, PrefixIsKeptAndScored) {
  const TableModel model(5, 6);
  const auto result = Run(model, Options(3, 6), {1, 2}, {{4, 5, 2}, {}});
  const Hypothesis& forced = result[0].front();
  ASSERT_GE(forced.tokens.size(), 4U);
  EXPECT_THAT(std::vector<int32_t>(forced.tokens.begin(), forced.tokens.begin() + 3),
              ElementsAre(4, 5, 2));
  EXPECT_NEAR(forced.token_log_probabilities[1], model.LogProbabilities(1, {4})[5], 1e-12);
  EXPECT_EQ(result[1].front().tokens, Run(model, Options(3, 6), {2})[0].front().tokens);
}

TEST_F(SearchTest, SuppressedAndForbiddenTokensNeverAppear) {
  for (const DecodingMethod method : {DecodingMethod::kBeam, DecodingMethod::kSampling}) {
    TableModel model(6, 6, 0.2);
    DecodingOptions options = Options(4, 8);
    options.method = method;
    options.min_length = 4;
    options.suppress_unknown = true;
    for (int32_t source = 1; source < 20; ++source) {
      const auto found = Run(model, options, {source}, {}, {.forbidden = {3, 5}})[0].front();
      EXPECT_THAT(found.tokens, testing::Each(testing::AnyOf(0, 2, 4)));
      EXPECT_GE(found.tokens.size(), 5U);
    }
  }
}

TEST_F(SearchTest, SamplesFollowTheProbabilities) {
  TableModel model(7, 4);
  model.Set({}, {std::log(0.1), std::log(0.2), std::log(0.3), std::log(0.4)});
  DecodingOptions options = Options(1, 3);
  options.method = DecodingMethod::kSampling;
  std::vector<int32_t> sources;
  for (int32_t i = 0; i < 4000; ++i) sources.push_back(i);
  std::vector<double> counts(4, 0);
  for (const auto& sentence : Run(model, options, sources)) {
    ++counts[static_cast<size_t>(sentence[0].tokens[0])];
  }
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(counts[i] / 4000, 0.1 * (static_cast<double>(i) + 1), 0.03);
  }
}

TEST_F(SearchTest, SamplingGivesNBestDifferentDraws) {
  const TableModel model(8, 9, 0.1);
  DecodingOptions options = Options(1, 10);
  options.method = DecodingMethod::kSampling;
  options.n_best = 6;
  const auto draws = Run(model, options, {3})[0];
  ASSERT_EQ(draws.size(), 6U);
  EXPECT_NE(draws[0].tokens, draws[1].tokens);
}

TEST_F(SearchTest, EnsembleOfEqualModelsEqualsOneAndTwoAverageProbabilities) {
  const TableModel a(11, 5), b(12, 5);
  const std::vector<int32_t> ids = {2, kEnd}, lengths = {2};
  const SequenceLayout layout = SequenceLayout::FromLengths(lengths);
  Context ctx = Make();
  const SearchBatch batch{
      .source_ids = ids, .sources = &layout, .prefixes = {}, .sentence_numbers = {}};
  const auto same = Search(Options(3, 5), 1, {}, {&a, &a}).Run(ctx, batch)[0].front();
  const auto alone = Search(Options(3, 5), 1, {}, {&a}).Run(ctx, batch)[0].front();
  EXPECT_EQ(same.tokens, alone.tokens);
  EXPECT_NEAR(same.score, alone.score, 1e-12);
  DecodingOptions options = Options(3, 5);
  options.coverage_penalty = 0.5;
  const auto covered = Search(options, 1, {}, {&a, &b}).Run(ctx, batch)[0].front();
  std::vector<double> coverage(2, 0);
  for (size_t j = 0; j < covered.tokens.size(); ++j) {
    const std::vector<int32_t> before(covered.tokens.begin(),
                                      covered.tokens.begin() + static_cast<int64_t>(j));
    for (size_t i = 0; i < 2; ++i) {
      coverage[i] += (a.Attention(before, 2)[i] + b.Attention(before, 2)[i]) / 2;
    }
  }
  EXPECT_NEAR(
      covered.score,
      covered.log_probability / LengthPenalty(options.length_penalty, std::ssize(covered.tokens)) +
          CoveragePenalty(0.5, coverage),
      1e-12);
  const auto mixed = Search(Options(3, 5), 1, {}, {&a, &b}).Run(ctx, batch)[0].front();
  const auto first = static_cast<size_t>(mixed.tokens[0]);
  EXPECT_NEAR(
      std::exp(mixed.token_log_probabilities[0]),
      (std::exp(a.LogProbabilities(2, {})[first]) + std::exp(b.LogProbabilities(2, {})[first])) / 2,
      1e-12);
}

TEST_F(SearchTest, ContradictionsAreUserErrors) {
  DecodingOptions options = Options(2, 5);
  options.n_best = 3;
  const TableModel a(1, 5), b(1, 6);
  EXPECT_THROW(Search(options, 1, {}, {&a}), UserError);
  EXPECT_THROW(Search(Options(2, 5), 1, {}, {&a, &b}), UserError);
}

TEST_F(SearchTest, EmptyBatchGivesNothing) {
  const TableModel model(1, 5);
  EXPECT_TRUE(Run(model, Options(2, 5), {}).empty());
}

}  // namespace
}  // namespace heed
