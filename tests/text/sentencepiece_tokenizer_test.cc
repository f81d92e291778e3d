#include "text/sentencepiece_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/text/sample_text.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::HasSubstr;
using Ids = std::vector<int32_t>;

Ids Encode(const Tokenizer& tokenizer, std::string_view line) {
  Ids ids;
  tokenizer.Encode(line, &ids);
  return ids;
}

Ids Sample(const Tokenizer& tokenizer, std::string_view line, const SubwordSampling& sampling,
           uint32_t number) {
  Ids ids;
  tokenizer.EncodeSampled(line, sampling, {.seed = 1, .update = number}, &ids);
  return ids;
}

const SentencePieceTokenizer& Unigram() {
  static const SentencePieceTokenizer tokenizer(SampleModel(SubwordKind::kUnigram, true),
                                                "unigram");
  return tokenizer;
}
const SentencePieceTokenizer& Bpe() {
  static const SentencePieceTokenizer tokenizer(SampleModel(SubwordKind::kBpe, true), "bpe");
  return tokenizer;
}
const SentencePieceTokenizer& BpeWithoutBytes() {
  static const SentencePieceTokenizer tokenizer(SampleModel(SubwordKind::kBpe, false, {"<de>"}),
                                                "bpe");
  return tokenizer;
}

TEST(SentencePieceTokenizer, DecodingUndoesEncoding) {
  for (const auto* tokenizer : {&Unigram(), &Bpe()}) {
    for (const char* line : {"walking near the river.", "sch\xC3\xB6n",
                             "\xE6\xBC\xA2\xE5\xAD\x97 \xF0\x9F\x98\x80", "", "123"}) {
      EXPECT_EQ(tokenizer->Decode(Encode(*tokenizer, line)), line);
    }
  }
}

TEST(SentencePieceTokenizer, BlankLinesHaveNoIds) {
  for (const char* line : {"", " ", "\t", "\r", "\xC2\xA0", "\xE2\x80\xA8"}) {
    EXPECT_EQ(Encode(Unigram(), line), Ids{}) << line;
    EXPECT_EQ(Sample(Unigram(), line, {.alpha = 0.1}, 1), Ids{});
    EXPECT_EQ(Sample(Unigram(), line, {.alpha = 0.1, .nbest = 5}, 1), Ids{});
    EXPECT_EQ(Sample(Bpe(), line, {.dropout = 0.5}, 1), Ids{});
  }
  EXPECT_EQ(Unigram().Decode({}), "");
}

TEST(SentencePieceTokenizer, AnyBytesAreEncoded) {
  const std::string all = [] {
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
    return bytes;
  }();
  EXPECT_FALSE(Encode(Unigram(), all).empty());
  EXPECT_EQ(Encode(Unigram(), std::string_view("old\0river", 9)), Encode(Unigram(), "old river"));
  EXPECT_EQ(Encode(Unigram(), "old\rriver"), Encode(Unigram(), "old river"));
  EXPECT_EQ(Encode(Unigram(), "old \xFF"), Encode(Unigram(), "old \xEF\xBF\xBD"));
  EXPECT_EQ(Encode(Unigram(), std::string(1 << 20, 'a')).empty(), false);
}

TEST(SentencePieceTokenizer, DecodedTextNeverBreaksTheLine) {
  int64_t breaking = 0;
  for (int32_t id = 0; id < Unigram().size(); ++id) {
    const std::string text = Unigram().Decode(Ids{id});
    EXPECT_EQ(text.find_first_of("\n\r"), std::string::npos) << Unigram().piece(id);
    if (!Unigram().BreaksLine(id)) continue;
    ++breaking;
    EXPECT_TRUE(Unigram().piece(id) == "<0x0A>" || Unigram().piece(id) == "<0x0D>");
    EXPECT_EQ(text, " ");
  }
  EXPECT_EQ(breaking, 2);
}

TEST(SentencePieceTokenizer, BytesAreTold) {
  int64_t bytes = 0;
  for (int32_t id = 0; id < Bpe().size(); ++id) bytes += Bpe().IsByte(id) ? 1 : 0;
  EXPECT_EQ(bytes, 256);
  EXPECT_FALSE(Bpe().IsByte(Bpe().eos_id()));
}

TEST(SentencePieceTokenizer, BpeWithoutDropoutIsSentencePiecesOwn) {
  std::vector<std::string> lines = SampleSentences(200);
  lines.insert(lines.end(),
               {"zzz \xE6\xBC\xA2\xE5\xAD\x97 q<de>q <de>", "treetreehouse", "  two   spaces "});
  for (const auto* tokenizer : {&Bpe(), &BpeWithoutBytes()}) {
    for (const std::string& line : lines) {
      EXPECT_EQ(Sample(*tokenizer, line, {.dropout = 1e-300}, 1), Encode(*tokenizer, line)) << line;
    }
  }
}

TEST(SentencePieceTokenizer, UnigramWithALargeAlphaIsSentencePiecesOwn) {
  std::vector<std::string> lines = SampleSentences(200);
  lines.insert(lines.end(), {"zzz \xE6\xBC\xA2\xE5\xAD\x97 q", "treetreehouse", "  two   spaces "});
  for (const std::string& line : lines) {
    EXPECT_EQ(Sample(Unigram(), line, {.alpha = 1e5}, 1), Encode(Unigram(), line)) << line;
    EXPECT_EQ(Sample(Unigram(), line, {.alpha = 1e5, .nbest = 10}, 1), Encode(Unigram(), line));
    EXPECT_EQ(Sample(Unigram(), line, {.nbest = 1}, 1), Encode(Unigram(), line));
  }
}

TEST(SentencePieceTokenizer, SamplesDifferAndSpellTheSameText) {
  const std::string line = "beautiful children playing on the mountain \xE6\xBC\xA2.";
  const std::pair<const Tokenizer*, SubwordSampling> cases[] = {
      {&Unigram(), {.alpha = 0.01}},
      {&Unigram(), {.alpha = 0.01, .nbest = 40}},
      {&Bpe(), {.dropout = 0.2}}};
  for (const auto& [tokenizer, sampling] : cases) {
    std::set<Ids> samples;
    for (uint32_t number = 0; number < 100; ++number) {
      samples.insert(Sample(*tokenizer, line, sampling, number));
      EXPECT_EQ(tokenizer->Decode(Sample(*tokenizer, line, sampling, number)), line);
    }
    EXPECT_GT(samples.size(), 20U);
  }
}

TEST(SentencePieceTokenizer, ASampleCanBeRepeated) {
  const std::string model = SampleModel(SubwordKind::kUnigram, true);
  const SentencePieceTokenizer again(model, "again");
  for (uint32_t number = 0; number < 50; ++number) {
    const auto [line, unused] = SamplePair(number);
    EXPECT_EQ(Sample(Unigram(), line, {.alpha = 0.1}, number),
              Sample(again, line, {.alpha = 0.1}, number));
  }
}

TEST(SentencePieceTokenizer, NormalizeGivesWhatThePiecesSpell) {
  EXPECT_EQ(Unigram().Normalize("  a \xC2\xBD \xE6\xBC\xA2 "),
            "\xE2\x96\x81"
            "a\xE2\x96\x81"
            "1\xE2\x81\x84"
            "2\xE2\x96\x81\xE6\xBC\xA2");
}

TEST(SentencePieceTokenizer, SerializedModelsLoadAgain) {
  const TemporaryDirectory directory;
  WriteFile(directory / "m.model", Bpe().serialized());
  const auto loaded = SentencePieceTokenizer::Load(directory / "m.model");
  EXPECT_EQ(loaded->fingerprint(), Bpe().fingerprint());
  EXPECT_NE(loaded->fingerprint(), Unigram().fingerprint());
  EXPECT_EQ(Encode(*loaded, "green house"), Encode(Bpe(), "green house"));
}

std::string ErrorOfLoading(const std::string& model) {
  try {
    const SentencePieceTokenizer tokenizer(model, "some/file.model");
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

// Protocol buffers merge, so what is appended to a model adds to it or wins over what it holds.
TEST(SentencePieceTokenizer, MarksWithTheSameIdAreRefused) {
  const std::string trainer_spec_with_begin_piece_of_end("\x12\x07\xF2\x02\x04</s>", 9);
  EXPECT_THAT(ErrorOfLoading(Bpe().serialized() + trainer_spec_with_begin_piece_of_end),
              HasSubstr("some/file.model: two marks of this SentencePiece model have the same id"));
}

// Old versions of SentencePiece made such models of text with NUL (sentencepiece#331, #1308).
TEST(SentencePieceTokenizer, AModelWithANulPieceIsAUserErrorIfItDoesNotLoad) {
  const std::string nul_piece("\x0A\x08\x0A\x01\x00\x15\x00\x00\x00\x00", 10);
  EXPECT_THAT(ErrorOfLoading(Unigram().serialized() + nul_piece), HasSubstr("some/file.model: "));
  const SentencePieceTokenizer bpe(Bpe().serialized() + nul_piece, "bpe");
  EXPECT_EQ(Encode(bpe, std::string_view("old\0river", 9)), Encode(Bpe(), "old river"));
}

TEST(SentencePieceTokenizer, WrongModelsAreUserErrorsThatNameTheFile) {
  const auto error_of = &ErrorOfLoading;
  EXPECT_THAT(error_of("text"), HasSubstr("some/file.model: this is no SentencePiece model"));
  EXPECT_THAT(error_of(""), HasSubstr("some/file.model: "));
  const std::string& model = Bpe().serialized();
  EXPECT_THAT(error_of(model.substr(0, model.size() / 2)), HasSubstr("some/file.model: "));
  EXPECT_THROW(SentencePieceTokenizer::Load("/no/such.model"), UserError);
}

TEST(SentencePieceTokenizer, IdsOutOfRangeAreBugs) {
  EXPECT_THROW(Bpe().Decode(Ids{-1}), InternalError);
  EXPECT_THROW(Bpe().Decode(Ids{346}), InternalError);
  EXPECT_THROW(Bpe().piece(346), InternalError);
  EXPECT_THROW(Bpe().IsByte(-1), InternalError);
}

}  // namespace
}  // namespace heed
