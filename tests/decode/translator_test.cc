#include "decode/translator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decode/scorer.h"
#include "models/transformer/transformer.h"
#include "text/prefixed_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "util/check.h"

namespace heed {
namespace {

std::unique_ptr<SentencePieceTokenizer> TrainTokenizer();

// A small random Transformer over a real vocabulary with byte fallback.
class TranslatorTest : public testing::Test {
 protected:
  TranslatorTest() : tokenizer_(TrainTokenizer()) {}

  struct System {
    System(const Tokenizer& tokenizer, const BackendOptions& backend_options,
           const PositionOptions& positions = {})
        : backend(MakeBackend(backend_options)) {
      ModelOptions options;
      options.positions = positions;
      options.encoder_layers = 2;
      options.decoder_layers = 2;
      options.model_width = 32;
      options.feed_forward_width = 64;
      options.heads = 4;
      model = std::make_unique<Transformer>(store,
                                            TransformerShape{.options = options,
                                                             .source_vocabulary = tokenizer.size(),
                                                             .target_vocabulary = tokenizer.size()},
                                            false);
      store.Allocate(DType::kFloat32, false, &Memory::Host);
      store.Initialize(4);
      system = {.models = {model.get()}, .source = &tokenizer, .target = &tokenizer};
    }
    std::unique_ptr<Backend> backend;
    ParameterStore store;
    std::unique_ptr<Transformer> model;
    TranslationSystem system;
  };

  static DecodingOptions Options() {
    DecodingOptions options;
    options.max_length = {.ratio = 1, .extra = 5};
    return options;
  }

  std::unique_ptr<SentencePieceTokenizer> tokenizer_;
};

std::string Houses(int count) {
  std::string text = "house";
  for (int i = 1; i < count; ++i) text += " house";
  return text;
}

const std::vector<std::string> kNasty = {
    "a small house",
    "",
    "   \t ",
    "zwei\r",
    std::string("x\0y", 3),
    "\xEF\xBB\xBFone",
    "u\xE2\x80\xA8v",
    "\xC2\x85",
    "bad \xFF utf8",
    "tab\tbed",
    "the house by the sea is small and old and it is for sale"};

TEST_F(TranslatorTest, LinesOutEqualLinesInAndNoLineBreaks) {
  System system(*tokenizer_, {});
  Translator translator(system.system, Options(), 1, *system.backend);
  const std::vector<std::string> result = translator.TranslateBest(kNasty);
  ASSERT_EQ(result.size(), kNasty.size());
  for (const std::string& line : result) EXPECT_EQ(line.find_first_of("\n\r"), std::string::npos);
  EXPECT_EQ(result[1], "");
  EXPECT_EQ(result[2], "");
  EXPECT_GE(translator.statistics().blank_lines, 2);
}

TEST_F(TranslatorTest, TranslationsDoNotDependOnBatchThreadsOrNBest) {
  std::vector<std::string> lines;
  for (int i = 0; i < 70; ++i) {
    lines.push_back(kNasty[static_cast<size_t>(i) % kNasty.size()] + " " + std::to_string(i));
  }
  using TextAndScore = std::pair<std::string, double>;
  const auto translate = [&](System& system, int64_t batch, int64_t n_best, double coverage) {
    DecodingOptions options = Options();
    options.batch_sentences = batch;
    options.n_best = n_best;
    options.coverage_penalty = coverage;
    Translator translator(system.system, options, 1, *system.backend);
    std::vector<TextAndScore> best;
    for (const auto& found : translator.Translate(lines)) {
      best.emplace_back(found[0].text, found[0].score);
    }
    return best;
  };
  System one(*tokenizer_, {.num_threads = 1}), three(*tokenizer_, {.num_threads = 3});
  for (const double coverage : {0.0, 0.5}) {
    const auto expected = translate(one, 1, 1, coverage);
    for (System* system : {&one, &three}) {
      for (const int64_t batch : {1, 7, 64}) {
        EXPECT_EQ(translate(*system, batch, 1, coverage), expected);  // scores to the bit
        EXPECT_EQ(translate(*system, batch, 4, coverage), expected);
      }
    }
  }
}

TEST_F(TranslatorTest, OverlongLineIsCutAndCounted) {
  System system(*tokenizer_, {});
  DecodingOptions options = Options();
  options.beam = 1;
  options.max_source_length = 8;
  Translator translator(system.system, options, 1, *system.backend);
  const std::string text = Houses(100);
  const auto found = translator.TranslateBest(std::vector<std::string>{text, "a", text});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NE(found[0], "");
  EXPECT_EQ(found[0], found[2]);
  EXPECT_EQ(translator.statistics().cut_lines, 2);
}

// A line, a translation and a prefix that need more positions than the model has.
TEST_F(TranslatorTest, LearnedPositionsCutInsteadOfFailing) {
  System system(*tokenizer_, {}, {.kind = PositionKind::kLearned, .max_length = 9});
  DecodingOptions options = Options();
  options.max_length = {.ratio = 5, .extra = 50};
  options.min_length = 50;
  Translator translator(system.system, options, 1, *system.backend);
  const std::vector<std::string> lines = {Houses(100), "a house"}, prefixes = {"", Houses(100)};
  for (const auto& found : translator.Translate(lines, prefixes)) {
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].tokens.size(), 8U);
  }
  EXPECT_EQ(translator.statistics().cut_lines, 1);
  const std::vector<std::string> one = {lines[0]}, same = {lines[0]}, brief = {"a"};
  EXPECT_EQ(ScorePairs(system.system, *system.backend, one, brief, {}).size(), 1U);
  EXPECT_THROW(ScorePairs(system.system, *system.backend, one, same, {}), UserError);
}

TEST_F(TranslatorTest, TranslationsThatWereEndedAreCounted) {
  System system(*tokenizer_, {});
  DecodingOptions options = Options();
  options.max_length = {.ratio = 0, .extra = 3};  // an untrained model does not end by itself
  Translator translator(system.system, options, 1, *system.backend);
  for (const auto& translations : translator.Translate(kNasty)) {
    EXPECT_LE(translations[0].tokens.size(), 3U);
  }
  const TranslationStatistics& done = translator.statistics();
  EXPECT_GT(done.ended_lines, 0);
  EXPECT_LE(done.ended_lines, done.lines - done.blank_lines);
}

TEST_F(TranslatorTest, AnInterruptLeavesTheRestUntranslated) {
  System system(*tokenizer_, {});
  DecodingOptions options = Options();
  options.batch_sentences = 2;
  Translator translator(system.system, options, 1, *system.backend);
  int64_t calls = 0;
  translator.SetInterrupt([&] { return calls++ >= 2; });
  const std::vector<std::string> lines(9, "a small house");
  const auto result = translator.Translate(lines);
  ASSERT_EQ(result.size(), lines.size());
  EXPECT_EQ(calls, 3);
  EXPECT_FALSE(result[3][0].tokens.empty());
  for (size_t i = 4; i < lines.size(); ++i) EXPECT_TRUE(result[i][0].tokens.empty()) << i;
}

TEST_F(TranslatorTest, PrefixBeginsTheTranslation) {
  System system(*tokenizer_, {});
  Translator translator(system.system, Options(), 1, *system.backend);
  const std::vector<std::string> lines = {"a small house"}, prefixes = {"the sea"};
  EXPECT_THAT(translator.Translate(lines, prefixes)[0][0].text, testing::StartsWith("the sea"));
}

TEST_F(TranslatorTest, APrefixOfAllTranslationsIsForcedAndLeftOutOfTheText) {
  const std::shared_ptr<const Tokenizer> base = TrainTokenizer();
  constexpr int32_t kPrefix = 20;
  const PrefixedTokenizer target(base, base->piece(kPrefix), "key");
  System system(*tokenizer_, {});
  system.system.target = &target;
  Translator translator(system.system, Options(), 1, *system.backend);
  const std::vector<std::string> lines = {"a small house", ""}, prefixes = {"the sea", ""};
  const auto free = translator.Translate(lines), begun = translator.Translate(lines, prefixes);
  for (const auto& found : {free[0][0], begun[0][0]}) {
    ASSERT_EQ(found.tokens.front(), kPrefix);
    EXPECT_EQ(found.text, base->Decode(std::span(found.tokens).subspan(1)));
  }
  EXPECT_THAT(begun[0][0].text, testing::StartsWith("the sea"));
  EXPECT_EQ(free[1][0].text, "");
}

TEST_F(TranslatorTest, ScoresOfTranslationsEqualTheirSearch) {
  System system(*tokenizer_, {});
  Translator translator(system.system, Options(), 1, *system.backend);
  const std::vector<std::string> sources = {"a small house", "the old sea", ""};
  const auto scored = ScorePairs(system.system, *system.backend, sources,
                                 std::vector<std::string>{"sea", "", "a"}, {.batch_tokens = 4});
  ASSERT_EQ(scored.size(), 3U);
  EXPECT_EQ(scored[1].pieces.size(), 1U);  // the end mark alone
  const auto together = ScorePairs(system.system, *system.backend, sources,
                                   std::vector<std::string>{"sea", "", "a"}, {});
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(scored[i].log_probability, together[i].log_probability);
  }
  EXPECT_THROW(ScorePairs(system.system, *system.backend, sources, {}, {}), UserError);
}

SubwordTrainingOptions TrainingOptions() {
  SubwordTrainingOptions options;
  options.size = 282;
  return options;
}

std::unique_ptr<SentencePieceTokenizer> TrainTokenizer() {
  const std::vector<std::string> text = {
      "a small house",  "the house by the sea", "an old house is for sale",
      "the sea is old", "a small sea",          "it is the end"};
  size_t next = 0;
  const std::string model = TrainSentencePiece(TrainingOptions(), [&](std::string_view* sentence) {
    if (next == text.size()) return false;
    *sentence = text[next++];
    return true;
  });
  return std::make_unique<SentencePieceTokenizer>(model, "test");
}

}  // namespace
}  // namespace heed
