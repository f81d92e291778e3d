#include "text/prefixed_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/text/sample_text.h"
#include "text/listed_tokenizer.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::HasSubstr;
using Ids = std::vector<int32_t>;

// SentencePiece's pieces and two languages.
std::shared_ptr<const Tokenizer> TwoLanguages() {
  auto cutter =
      std::make_unique<SentencePieceTokenizer>(SampleModel(SubwordKind::kUnigram, false), "model");
  std::vector<std::string> pieces;
  for (int32_t id = 0; id < cutter->size(); ++id) pieces.push_back(cutter->piece(id));
  pieces.insert(pieces.end(), {"__de__", "__fr__"});
  return std::make_shared<ListedTokenizer>(
      std::move(cutter),
      std::make_shared<PieceList>(std::move(pieces), PieceMarks(),
                                  std::vector<std::string>{"__de__", "__fr__"}, "list"));
}

Ids Encode(const Tokenizer& tokenizer, std::string_view line) {
  Ids ids;
  tokenizer.Encode(line, &ids);
  return ids;
}

TEST(PrefixedTokenizer, EveryLineBeginsWithThePieceAndIsReadWithoutIt) {
  const auto base = TwoLanguages();
  const PrefixedTokenizer tokenizer(base, "__de__", "key");
  const auto german = static_cast<int32_t>(base->size()) - 2;
  EXPECT_EQ(tokenizer.prefix_id(), german);
  EXPECT_EQ(&tokenizer.base(), base.get());
  for (const std::string& line : SampleSentences(5)) {
    Ids wanted = Encode(*base, line);
    wanted.insert(wanted.begin(), german);
    EXPECT_EQ(Encode(tokenizer, line), wanted);
    EXPECT_EQ(tokenizer.Decode(wanted), line);
    Ids sampled;
    tokenizer.EncodeSampled(line, {.alpha = 0.1}, {.seed = 3}, &sampled);
    EXPECT_EQ(sampled.front(), german);
    EXPECT_EQ(tokenizer.Decode(sampled), line);
  }
  EXPECT_NE(tokenizer.fingerprint(), base->fingerprint());
}

TEST(PrefixedTokenizer, ALineKeepsAPrefixOfItsOwnAndABlankOneStaysBlank) {
  const auto base = TwoLanguages();
  const PrefixedTokenizer tokenizer(base, "__de__", "key");
  EXPECT_EQ(Encode(tokenizer, "__fr__ a house"), Encode(*base, "__fr__ a house"));
  EXPECT_EQ(Encode(tokenizer, "__de__ a house"), Encode(*base, "__de__ a house"));
  EXPECT_EQ(Encode(tokenizer, "  "), Ids());
}

TEST(PrefixedTokenizer, APrefixMustBeAPiece) {
  const auto fault = [](const std::string& prefix) -> std::string {
    try {
      const PrefixedTokenizer tokenizer(TwoLanguages(), prefix, "vocabulary.source_prefix");
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(fault("__xx__"),
              HasSubstr("vocabulary.source_prefix is '__xx__', which is no piece"));
  EXPECT_THAT(fault("</s>"), HasSubstr("no piece of the vocabulary that a line may start with"));
}

}  // namespace
}  // namespace heed
