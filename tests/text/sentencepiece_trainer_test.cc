#include "text/sentencepiece_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/text/sample_text.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::HasSubstr;

SubwordTrainingOptions Small(SubwordKind kind, int64_t size, bool byte_fallback = false) {
  SubwordTrainingOptions options;
  options.kind = kind;
  options.size = size;
  options.byte_fallback = byte_fallback;
  return options;
}

std::string Train(const SubwordTrainingOptions& options,
                  const std::vector<std::string>& sentences) {
  return TrainSentencePiece(options, StreamOf(sentences));
}

std::string ErrorOf(const SubwordTrainingOptions& options,
                    const std::vector<std::string>& sentences) {
  try {
    Train(options, sentences);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SentencePieceTrainer, SameInputGivesTheSameModel) {
  for (const SubwordKind kind : {SubwordKind::kUnigram, SubwordKind::kBpe}) {
    EXPECT_EQ(SampleModel(kind, true), SampleModel(kind, true));
  }
}

TEST(SentencePieceTrainer, IdsOfMarksAreFixed) {
  for (const bool has_begin_mark : {false, true}) {
    SubwordTrainingOptions options = Small(SubwordKind::kUnigram, 90);
    options.has_begin_mark = has_begin_mark;
    const SentencePieceTokenizer tokenizer(Train(options, SampleSentences(300)), "sample");
    EXPECT_EQ(tokenizer.size(), 90);
    EXPECT_EQ(tokenizer.eos_id(), 0);
    EXPECT_EQ(tokenizer.unk_id(), 1);
    EXPECT_EQ(tokenizer.bos_id(), has_begin_mark ? 2 : -1);
  }
}

TEST(SentencePieceTrainer, NothingIsWrittenToTheTerminal) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  SampleModel(SubwordKind::kUnigram, false);
  ErrorOf(Small(SubwordKind::kBpe, 5000), SampleSentences(20));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(SentencePieceTrainer, TooLargeSizesNameTheLargestThatWorks) {
  for (const SubwordKind kind : {SubwordKind::kUnigram, SubwordKind::kBpe}) {
    const std::vector<std::string> sentences = SampleSentences(20);
    const std::string message = ErrorOf(Small(kind, 4000), sentences);
    EXPECT_THAT(message, HasSubstr("a vocabulary of 4000 pieces is too large for this text"));
    const std::string marker = "set vocabulary.size to ";
    const int64_t proposed = std::stol(message.substr(message.find(marker) + marker.size()));
    EXPECT_EQ(ErrorOf(Small(kind, proposed), sentences), "no error");
    EXPECT_NE(ErrorOf(Small(kind, proposed + 1), sentences), "no error");
  }
}

TEST(SentencePieceTrainer, TooSmallSizesNameALargerOne) {
  EXPECT_THAT(ErrorOf(Small(SubwordKind::kBpe, 20), SampleSentences(20)),
              HasSubstr("too small for the characters of this text: set vocabulary.size to more"));
  EXPECT_THAT(ErrorOf(Small(SubwordKind::kUnigram, 200, true), SampleSentences(20)),
              HasSubstr("this text and 256 pieces for bytes: set vocabulary.size to more than 2"));
}

TEST(SentencePieceTrainer, NoTextIsAUserError) {
  const SubwordTrainingOptions options = Small(SubwordKind::kUnigram, 90);
  EXPECT_THAT(ErrorOf(options, {}), HasSubstr("there is no text to train a vocabulary on"));
  EXPECT_THAT(ErrorOf(options, {"", " ", "\t"}), HasSubstr("there is no text"));
  // SentencePiece leaves out sentences with its own mark for boundaries, U+2585.
  EXPECT_THAT(ErrorOf(options, {"a \xE2\x96\x85"}), HasSubstr("none of 1 sentences can be used"));
}

TEST(SentencePieceTrainer, NulAndOtherControlsNeverBecomePieces) {
  std::vector<std::string> sentences = SampleSentences(100);
  for (std::string& sentence : sentences) {
    sentence += std::string(" a\0b\rc\x01", 7);
  }
  SubwordTrainingOptions options = Small(SubwordKind::kUnigram, 80);
  options.character_coverage = 1;
  options.normalization = "identity";
  const SubwordPieces result = ParseSubwordPieces(Train(options, sentences));
  for (const SubwordPiece& piece : result.pieces) {
    EXPECT_EQ(piece.text.find_first_of(std::string("\0\r\x01", 3)), std::string::npos);
  }
}

TEST(SentencePieceTrainer, UserSymbolsMayHoldCommasAndQuotes) {
  SubwordTrainingOptions options = Small(SubwordKind::kUnigram, 90);
  options.user_symbols = {"<a,b>", "\"q\"", ","};
  const SentencePieceTokenizer tokenizer(Train(options, SampleSentences(300)), "sample");
  for (int32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(tokenizer.piece(2 + i), options.user_symbols[static_cast<size_t>(i)]);
  }
  options.user_symbols = {"ok", " "};
  EXPECT_THAT(ErrorOf(options, SampleSentences(300)), HasSubstr("blank symbol"));
}

TEST(SentencePieceTrainer, OtherFailuresKeepSentencePiecesWords) {
  SubwordTrainingOptions options = Small(SubwordKind::kUnigram, 90);
  options.normalization = "no_such_rule";
  EXPECT_THAT(ErrorOf(options, SampleSentences(300)), HasSubstr("SentencePiece cannot train"));
}

TEST(SentencePieceTrainer, ErrorsOfTheReaderPassThrough) {
  int count = 0;
  const SentenceStream failing = [&](std::string_view* sentence) {
    *sentence = "some text";
    if (++count > 3) throw std::runtime_error("disk on fire");
    return true;
  };
  EXPECT_THROW(TrainSentencePiece(Small(SubwordKind::kUnigram, 90), failing), std::runtime_error);
}

}  // namespace
}  // namespace heed
