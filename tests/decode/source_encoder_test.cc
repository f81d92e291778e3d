#include "decode/source_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/letter_tokenizer.h"
#include "util/logging.h"

namespace heed {
namespace {

using testing::ElementsAre;

const LetterTokenizer kTokenizer;

TEST(SourceEncoder, CutsSoThatTheEndMarkFits) {
  SourceEncoder encoder(kTokenizer, 4, 0);
  EXPECT_THAT(encoder.Encode("abc", 1), ElementsAre(2, 3, 4));
  EXPECT_EQ(encoder.cut_lines(), 0);
  EXPECT_THAT(encoder.Encode("abcd", 2), ElementsAre(2, 3, 4));
  EXPECT_THAT(encoder.Encode("", 3), ElementsAre());
  EXPECT_EQ(encoder.cut_lines(), 1);
}

TEST(SourceEncoder, TheModelsLimitWinsIfItIsSmaller) {
  SourceEncoder shorter(kTokenizer, 4, 3), longer(kTokenizer, 4, 9);
  EXPECT_EQ(shorter.Encode("abcdefghijkl", 1).size(), 2U);
  EXPECT_EQ(longer.Encode("abcdefghijkl", 1).size(), 3U);
}

TEST(SourceEncoder, NamesTheFirstCutLinesAndCountsAll) {
  SourceEncoder encoder(kTokenizer, 4, 0);
  StartLogging("info");
  testing::internal::CaptureStderr();
  for (int64_t line = 1; line <= 20; ++line) encoder.Encode("abcde", line);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, testing::HasSubstr("line 1 has 5 tokens and is cut after 3"));
  EXPECT_THAT(log, testing::HasSubstr("decoding.max_source_length is 4"));
  EXPECT_THAT(log, testing::HasSubstr("line 10 has"));
  EXPECT_THAT(log, testing::Not(testing::HasSubstr("line 11 has")));
  EXPECT_EQ(encoder.cut_lines(), 20);
}

}  // namespace
}  // namespace heed
