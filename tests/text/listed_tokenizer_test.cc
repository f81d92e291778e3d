#include "text/listed_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/text/sample_text.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::ElementsAre;
using Ids = std::vector<int32_t>;

const std::string& Model(SubwordKind kind, bool byte_fallback = false) {
  static const std::string unigram = SampleModel(SubwordKind::kUnigram, false);
  static const std::string bpe = SampleModel(SubwordKind::kBpe, false);
  static const std::string bytes = SampleModel(SubwordKind::kUnigram, true);
  return byte_fallback ? bytes : kind == SubwordKind::kBpe ? bpe : unigram;
}

// The model's pieces backwards, then a few more.
std::shared_ptr<const PieceList> Backwards(const std::string& model,
                                           const std::string& left_out = "") {
  const SentencePieceTokenizer cutter(model, "model");
  std::vector<std::string> pieces;
  for (auto id = static_cast<int32_t>(cutter.size()); id-- > 0;) {
    if (cutter.piece(id) != left_out) pieces.push_back(cutter.piece(id));
  }
  for (const char* piece : {">>deu<<", "▁漢字", "漢", "▁foreign"}) pieces.emplace_back(piece);
  return std::make_shared<const PieceList>(std::move(pieces), PieceMarks(),
                                           std::vector<std::string>{">>deu<<"}, "list");
}

ListedTokenizer Make(const std::string& model, const std::string& left_out = "") {
  return ListedTokenizer(std::make_unique<SentencePieceTokenizer>(model, "model"),
                         Backwards(model, left_out));
}

std::vector<std::string> Cut(const Tokenizer& tokenizer, std::string_view line) {
  Ids ids;
  tokenizer.Encode(line, &ids);
  std::vector<std::string> pieces;
  for (const int32_t id : ids) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

TEST(ListedTokenizer, TheListGivesTheIds) {
  const std::string& model = Model(SubwordKind::kUnigram);
  const SentencePieceTokenizer cutter(model, "model");
  const ListedTokenizer tokenizer = Make(model);
  Ids listed, own;
  for (const auto& line : SampleSentences(50)) {
    tokenizer.Encode(line, &listed);
    cutter.Encode(line, &own);
    ASSERT_EQ(listed.size(), own.size());
    for (size_t i = 0; i < own.size(); ++i) EXPECT_EQ(listed[i], cutter.size() - 1 - own[i]);
    EXPECT_EQ(tokenizer.Decode(listed), line);
  }
  EXPECT_EQ(tokenizer.eos_id(), cutter.size() - 1);
  EXPECT_EQ(tokenizer.unk_id(), cutter.size() - 2);
  EXPECT_EQ(tokenizer.bos_id(), -1);
  EXPECT_EQ(tokenizer.size(), cutter.size() + 4);
  tokenizer.Encode(" ", &listed);
  EXPECT_TRUE(listed.empty());
}

TEST(ListedTokenizer, APieceThatTheListLacksIsUnknown) {
  const std::string& model = Model(SubwordKind::kUnigram);
  const ListedTokenizer whole = Make(model);
  ASSERT_THAT(Cut(whole, "near the house"), testing::Contains("▁the"));
  const ListedTokenizer tokenizer = Make(model, "▁the");
  std::vector<std::string> expected = Cut(whole, "near the house");
  std::ranges::replace(expected, "▁the", "<unk>");
  EXPECT_EQ(Cut(tokenizer, "near the house"), expected);
}

// transformers looks pieces up by their text, also those that SentencePiece does not know.
TEST(ListedTokenizer, APieceThatTheModelLacksIsFoundIfItIsListed) {
  const ListedTokenizer tokenizer = Make(Model(SubwordKind::kUnigram));
  EXPECT_THAT(Cut(tokenizer, "漢"), ElementsAre("▁", "漢"));
  EXPECT_THAT(Cut(tokenizer, "字"), ElementsAre("▁", "<unk>"));
  const int32_t foreign = tokenizer.list()->Find("▁foreign");
  EXPECT_EQ(tokenizer.Decode(Ids{foreign, foreign}), "foreign foreign");
}

TEST(ListedTokenizer, APrefixIsOnePieceAtTheStartOnly) {
  const ListedTokenizer tokenizer = Make(Model(SubwordKind::kUnigram));
  const auto plain = Cut(tokenizer, "the house");
  for (const char* line : {">>deu<< the house", ">>deu<<the house", ">>deu<<   the house"}) {
    auto pieces = Cut(tokenizer, line);
    EXPECT_EQ(pieces.front(), ">>deu<<");
    pieces.erase(pieces.begin());
    EXPECT_EQ(pieces, plain) << line;
  }
  EXPECT_NE(Cut(tokenizer, "the >>deu<<").back(), ">>deu<<");
  EXPECT_THAT(Cut(tokenizer, ">>deu<<"), ElementsAre(">>deu<<"));
  Ids ids;
  tokenizer.Encode(">>deu<< the house", &ids);
  EXPECT_EQ(tokenizer.Decode(ids), "the house");
}

TEST(ListedTokenizer, SamplesAreTheCuttersSamples) {
  for (const SubwordKind kind : {SubwordKind::kUnigram, SubwordKind::kBpe}) {
    const SentencePieceTokenizer cutter(Model(kind), "model");
    const ListedTokenizer tokenizer = Make(Model(kind));
    const SubwordSampling sampling{.alpha = 0.1, .dropout = 0.5};
    Ids own, listed;
    for (uint32_t number = 0; number < 20; ++number) {
      const RandomStream stream{.seed = 3, .update = number};
      cutter.EncodeSampled("walking near the river 漢", sampling, stream, &own);
      tokenizer.EncodeSampled(">>deu<< walking near the river 漢", sampling, stream, &listed);
      ASSERT_EQ(listed.size(), own.size() + 1);
      EXPECT_EQ(tokenizer.piece(listed[0]), ">>deu<<");
      for (size_t i = 0; i < own.size(); ++i) {
        EXPECT_EQ(tokenizer.piece(listed[i + 1]), cutter.piece(own[i]));
      }
    }
  }
}

TEST(ListedTokenizer, BytesStayBytes) {
  const std::string& model = Model(SubwordKind::kUnigram, true);
  const ListedTokenizer tokenizer = Make(model);
  const int32_t feed = tokenizer.list()->Find("<0x0A>"), other = tokenizer.list()->Find("<0x41>");
  EXPECT_TRUE(tokenizer.IsByte(feed) && tokenizer.IsByte(other));
  EXPECT_TRUE(tokenizer.BreaksLine(feed));
  EXPECT_FALSE(tokenizer.BreaksLine(other));
  Ids ids;
  tokenizer.Encode("\xF0\x9F\x98\x80", &ids);
  EXPECT_EQ(ids.size(), 5U);
  EXPECT_EQ(tokenizer.Decode(ids), "\xF0\x9F\x98\x80");
  EXPECT_THROW(tokenizer.Decode(Ids{static_cast<int32_t>(tokenizer.size())}), InternalError);
}

TEST(ListedTokenizer, MarksAreNoTextAndTheUnknownPieceIsWrittenAsSentencePieceDoes) {
  const std::string& model = Model(SubwordKind::kUnigram);
  const SentencePieceTokenizer cutter(model, "model");
  const ListedTokenizer tokenizer = Make(model);
  EXPECT_EQ(tokenizer.Decode(Ids{tokenizer.eos_id()}), "");
  EXPECT_EQ(tokenizer.Decode(Ids{tokenizer.unk_id()}), cutter.Decode(Ids{cutter.unk_id()}));
}

TEST(ListedTokenizer, TheListStandsBesideTheModel) {
  const TemporaryDirectory directory;
  const std::string& model = Model(SubwordKind::kUnigram);
  WriteFile(directory / "v.model", model);
  const std::string alone = LoadTokenizer(directory / "v.model")->fingerprint();
  EXPECT_EQ(LoadTokenizer(directory / "v.model")->list(), nullptr);
  WriteFile(PieceListPath(directory / "v.model"), Backwards(model)->ToJson());
  EXPECT_TRUE(std::filesystem::exists(directory / "v.pieces.json"));
  const auto tokenizer = LoadTokenizer(directory / "v.model");
  EXPECT_TRUE(*tokenizer->list() == *Backwards(model));
  EXPECT_EQ(tokenizer->serialized(), model);
  EXPECT_NE(tokenizer->fingerprint(), alone);
  EXPECT_EQ(tokenizer->fingerprint(), Make(model).fingerprint());
  EXPECT_NE(tokenizer->fingerprint(), Make(model, "▁the").fingerprint());
}

}  // namespace
}  // namespace heed
