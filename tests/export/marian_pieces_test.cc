#include "export/marian_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "export/marian_vocabulary.h"
#include "tests/text/sample_text.h"
#include "tests/util/temporary_directory.h"
#include "text/utf8.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class MarianPiecesTest : public testing::Test {
 protected:
  std::vector<std::string> Read(const std::string& text, const std::string& name = "v.yml") {
    WriteFile(directory_ / name, text);
    return ReadMarianPieces(directory_ / name);
  }
  std::string FaultOf(const std::string& text) {
    try {
      Read(text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryDirectory directory_;
};

TEST_F(MarianPiecesTest, KeysArePlainOrQuoted) {
  EXPECT_THAT(Read("</s>: 0\n<unk>: 1\n\"▁a\": 2\n'it''s': 3\n\"\\\"\": 4\n\":\": 5\n. : 6\n"
                   "'#': 7\n\"a: b\": 8\n? \"a long one\"\n: 9\n? plain\n: 10\n'\"': 11\n"),
              ElementsAre("</s>", "<unk>", "▁a", "it's", "\"", ":", ".", "#", "a: b", "a long one",
                          "plain", "\""));
}

TEST_F(MarianPiecesTest, EscapesAreYamls) {
  EXPECT_THAT(
      Read(R"("\\": 0
"\x85": 1
"\u2028\L": 2
"\U0001F600": 3
"\t\n\/": 4
)"),
      ElementsAre("\\", "\xC2\x85", "\xE2\x80\xA8\xE2\x80\xA8", "\xF0\x9F\x98\x80", "\t\n/"));
  for (const char* bad : {R"("\q": 0)", R"("\x8": 0)", R"("\uD800": 0)", R"("\U00110000": 0)",
                          R"("a": 0
"\": 1)",
                          R"("a"b": 0)", R"('a'b': 0)", R"("a: 0)"}) {
    EXPECT_THAT(FaultOf(bad), HasSubstr("the piece cannot be read")) << bad;
  }
}

TEST_F(MarianPiecesTest, OurOwnFilesComeBack) {
  const SentencePieceTokenizer tokenizer(SampleModel(SubwordKind::kUnigram, true), "sample");
  const auto pieces = Read(MarianVocabularyYaml(tokenizer));
  ASSERT_EQ(std::ssize(pieces), tokenizer.size());
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    EXPECT_EQ(pieces[static_cast<size_t>(id)], tokenizer.piece(id));
  }
}

TEST_F(MarianPiecesTest, TheIdsOrderThePieces) {
  EXPECT_THAT(Read("b: 1\n---\n# a comment\n\na: 0\nc: 2"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Read("{\"b\": 1, \"a\": 0}"), ElementsAre("a", "b"));
  EXPECT_THAT(Read("a\nb b\r\nc", "v.txt"), ElementsAre("a", "b b", "c"));
}

TEST_F(MarianPiecesTest, FaultsHaveTheirPlace) {
  EXPECT_THAT(FaultOf("a: 0\nb: 2\n"), HasSubstr("id 1 is absent"));
  EXPECT_THAT(FaultOf("a: 0\nb: 0\n"), HasSubstr("id 0 is below 0 or comes twice"));
  EXPECT_THAT(FaultOf("a: -1\n"), HasSubstr("id -1 is below 0"));
  EXPECT_THAT(FaultOf("a: 0\nb\n"), HasSubstr("v.yml:2: no piece with an id"));
  EXPECT_THAT(FaultOf("a: x\n"), HasSubstr("v.yml:1: the id is no number"));
  EXPECT_THAT(FaultOf("a: 99999999999999999999\n"), HasSubstr("the id is no number"));
  EXPECT_THAT(FaultOf("? a\nb: 1\n"), HasSubstr("v.yml:2: the piece cannot be read"));
  EXPECT_THAT(FaultOf("? a\n"), HasSubstr("the id of the last piece is missing"));
  EXPECT_THAT(FaultOf("\xC3: 0\n"), HasSubstr("v.yml:1: this line is not UTF-8"));
  EXPECT_THAT(FaultOf("{\"a\": \"0\"}"), HasSubstr("the id of 'a' is no number"));
  EXPECT_THAT(FaultOf("{\"a\": 18446744073709551615}"), HasSubstr("below 0"));
  EXPECT_THAT(FaultOf("{"), HasSubstr("v.yml"));
  EXPECT_THAT(FaultOf(std::string(1 << 17, 'x')), HasSubstr("v.yml"));
}

TEST_F(MarianPiecesTest, ALargeFileIsReadFast) {
  std::string text;
  for (int id = 0; id < 60000; ++id) text += fmt::format("\"▁piece{}\": {}\n", id, id);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Read(text).size(), 60000U);
  const auto seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(std::chrono::duration<double>(seconds).count(), 5);  // takes 0.02 s
}

}  // namespace
}  // namespace heed
