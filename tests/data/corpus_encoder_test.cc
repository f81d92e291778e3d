#include "data/corpus_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/data/letter_tokenizer.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

int64_t Dropped(const CorpusReport& report, DropReason reason) {
  return report.dropped[static_cast<size_t>(reason)];
}

class CorpusEncoderTest : public testing::Test {
 protected:
  CorpusOptions Files(const std::string& source, const std::string& target) {
    CorpusOptions options;
    options.source = (directory_ / "c.en").string();
    options.target = (directory_ / "c.de").string();
    WriteFile(options.source, source);
    WriteFile(options.target, target);
    return options;
  }

  CorpusOptions Tsv(const std::string& content) {
    CorpusOptions options;
    options.tsv = (directory_ / "c.tsv").string();
    WriteFile(options.tsv, content);
    return options;
  }

  // Kept pairs as "line source|target".
  CorpusReport Run(CorpusEncoder* encoder, const CorpusOptions& corpus) {
    kept_.clear();
    return encoder->Run("sample", corpus, [&](const ShardPair& pair) {
      kept_.push_back(fmt::format("{} {}|{}", pair.line, pair.source_text, pair.target_text));
      EXPECT_EQ(tokenizer_.Decode(pair.source_ids).size(), pair.source_ids.size());
    });
  }

  CorpusReport Run(const FilterOptions& filters, const CorpusOptions& corpus) {
    const PairFilter filter(filters);
    CorpusEncoder encoder({&tokenizer_, &tokenizer_, &pool_}, &filter);
    return Run(&encoder, corpus);
  }

  std::string ErrorOf(const FilterOptions& filters, const CorpusOptions& corpus) {
    try {
      Run(filters, corpus);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryDirectory directory_;
  LetterTokenizer tokenizer_;
  ThreadPool pool_{3};
  std::vector<std::string> kept_;
};

// Every kind of line that has broken a toolkit.
const std::string kNasty = std::string(
                               "\xEF\xBB\xBF"
                               "bom\n"
                               "plain\n"
                               "\n"
                               "windows\r\n"
                               "lone\rreturn\n"
                               "n\0l\n",
                               39) +
                           "a\xE2\x80\xA8"
                           "b\n"
                           "a\xC2\x85"
                           "b\n"
                           "tab\tbed\n"
                           "n\xC2\xA0s\n"
                           "bad\xFFutf\n" +
                           std::string(1 << 20, 'x') + "\n" + " \xC2\xA0\t\r\n" +
                           "last without a line feed";
constexpr int64_t kNastyLines = 14;

std::string Letters(int64_t lines) {
  std::string text;
  for (int64_t i = 0; i < lines; ++i) text += fmt::format("{}b\n", static_cast<char>('a' + i));
  return text;
}

TEST_F(CorpusEncoderTest, NastyLinesAreDroppedByRuleAndCounted) {
  FilterOptions filters;
  const CorpusReport report = Run(filters, Files(kNasty, Letters(kNastyLines)));
  EXPECT_EQ(report.read, kNastyLines);
  EXPECT_EQ(Dropped(report, DropReason::kEmpty), 2);              // lines 3 and 13
  EXPECT_EQ(Dropped(report, DropReason::kBadUtf8), 1);            // line 11
  EXPECT_EQ(Dropped(report, DropReason::kTooManyCharacters), 1);  // line 12
  EXPECT_EQ(report.kept, 10);
  EXPECT_EQ(report.with_controls, 2);  // lines 5 and 6
  EXPECT_EQ(report.repaired, 0);
  const std::string nul("6 n\0l|fb", 8);
  EXPECT_THAT(kept_,
              ElementsAre("1 bom|ab", "2 plain|bb", "4 windows|db", "5 lone\rreturn|eb", nul,
                          "7 a\xE2\x80\xA8"
                          "b|gb",
                          "8 a\xC2\x85"
                          "b|hb",
                          "9 tab\tbed|ib", "10 n\xC2\xA0s|jb", "14 last without a line feed|nb"));
}

TEST_F(CorpusEncoderTest, BadUtf8CanBeReplaced) {
  FilterOptions filters;
  filters.bad_utf8 = BadUtf8Policy::kReplace;
  filters.max_characters = 1 << 20;
  filters.max_length = 1 << 21;
  const CorpusReport report = Run(filters, Files(kNasty, Letters(kNastyLines)));
  EXPECT_EQ(report.kept, 12);
  EXPECT_EQ(report.repaired, 1);
  EXPECT_EQ(kept_[9], "11 bad\xEF\xBF\xBDutf|kb");
  EXPECT_EQ(kept_[10].size(), 3 + (1 << 20) + 3);
}

TEST_F(CorpusEncoderTest, PoliciesCanStopWithThePlace) {
  FilterOptions filters;
  filters.bad_utf8 = BadUtf8Policy::kError;
  EXPECT_THAT(ErrorOf(filters, Files(kNasty, Letters(kNastyLines))),
              HasSubstr("c.en:11:4: not UTF-8 from this byte on; convert the file"));
  EXPECT_THAT(ErrorOf(filters, Files("a\nb\n", "a\nb\xFF\n")), HasSubstr("c.de:2:2: not UTF-8"));
  filters = {};
  filters.empty_lines = EmptyLinePolicy::kError;
  EXPECT_THAT(ErrorOf(filters, Files(kNasty, Letters(kNastyLines))),
              HasSubstr("c.en:3: an empty line; remove the pair, or set data.filters.empty_lines"));
  EXPECT_THAT(ErrorOf(filters, Files("a\nb\n", "a\n \n")), HasSubstr("c.de:2: an empty line"));
}

TEST_F(CorpusEncoderTest, LengthRulesCountTokensWithEndMark) {
  FilterOptions filters;
  filters.min_length = 3;
  filters.max_length = 5;
  filters.max_ratio = 1.5;
  const CorpusReport report =
      Run(filters, Files("a\nab\nabcd\nabcde\nab\nabc\n", "ab\nab\nabcd\nabcd\nabcd\nab\n"));
  EXPECT_THAT(kept_, ElementsAre("2 ab|ab", "3 abcd|abcd", "6 abc|ab"));
  EXPECT_EQ(Dropped(report, DropReason::kTooShort), 1);
  EXPECT_EQ(Dropped(report, DropReason::kTooLong), 1);
  EXPECT_EQ(Dropped(report, DropReason::kRatio), 1);
  EXPECT_EQ(report.source.tokens, 3 + 5 + 4);
  EXPECT_EQ(report.target.tokens, 3 + 5 + 3);
}

TEST_F(CorpusEncoderTest, DuplicatesAreFoundAcrossCorpora) {
  FilterOptions filters;
  filters.drop_duplicates = true;
  const PairFilter filter(filters);
  CorpusEncoder encoder({&tokenizer_, &tokenizer_, &pool_}, &filter);
  const CorpusReport first = Run(&encoder, Files("a\nb\na\na\n", "x\ny\nx\ny\n"));
  EXPECT_EQ(Dropped(first, DropReason::kDuplicate), 1);
  EXPECT_THAT(kept_, ElementsAre("1 a|x", "2 b|y", "4 a|y"));
  const CorpusReport second = Run(&encoder, Files("c\nb\n", "x\ny\n"));
  EXPECT_EQ(Dropped(second, DropReason::kDuplicate), 1);
  EXPECT_THAT(kept_, ElementsAre("1 c|x"));
  EXPECT_EQ(Dropped(Run(FilterOptions{}, Files("a\na\n", "x\nx\n")), DropReason::kDuplicate), 0);
}

TEST_F(CorpusEncoderTest, UnknownTokensAndPiecesAreCounted) {
  const PairFilter filter({});
  CorpusEncoder encoder({&tokenizer_, &tokenizer_, &pool_}, &filter);
  const CorpusReport report = Run(&encoder, Files("ab1\n2\n", "bb\nzz\n"));
  EXPECT_EQ(report.source, (SideReport{6, 2, 0}));
  EXPECT_EQ(report.target, (SideReport{6, 0, 0}));
  EXPECT_EQ(encoder.source_counts()[0], 2);  // end marks
  EXPECT_EQ(encoder.source_counts()[1], 2);  // unknown
  EXPECT_EQ(encoder.source_counts()[2], 1);
  EXPECT_EQ(encoder.target_counts()[3], 2);
  EXPECT_EQ(encoder.target_counts()[27], 2);
}

TEST_F(CorpusEncoderTest, FewBrokenLinesOfATsvFileAreDroppedManyStop) {
  std::string content;
  for (int i = 0; i < 199; ++i) content += "ab\tcd\n";
  EXPECT_EQ(Dropped(Run(FilterOptions{}, Tsv(content + "broken\n")), DropReason::kMissingColumn),
            1);
  EXPECT_EQ(kept_.size(), 199U);
  EXPECT_THAT(ErrorOf({}, Tsv("ab\tcd\n" + content + "broken\n\nbroken\n")),
              HasSubstr("c.tsv:201: 3 of 203 lines lack column 1 or 2, this one first"));
}

TEST_F(CorpusEncoderTest, WithoutAFilterEverythingIsKept) {
  CorpusEncoder encoder({&tokenizer_, &tokenizer_, &pool_}, nullptr);
  const CorpusReport report = Run(&encoder, Files(kNasty, Letters(kNastyLines)));
  EXPECT_EQ(report.read, kNastyLines);
  EXPECT_EQ(report.kept, kNastyLines);
  EXPECT_EQ(report.repaired, 1);
  EXPECT_THROW(Run(&encoder, Tsv("a\tb\nbroken\n")), UserError);
}

TEST_F(CorpusEncoderTest, LongCorporaKeepTheirOrderForAnyNumberOfThreads) {
  std::string source, target;
  for (int i = 0; i < 20000; ++i) {
    source += fmt::format("a{}\n", i % 5 == 0 ? "" : std::string(static_cast<size_t>(i % 40), 'b'));
    target += fmt::format("c{} {}\n", std::string(static_cast<size_t>(i % 37), 'd'), i);
  }
  FilterOptions filters;
  filters.max_length = 30;
  const CorpusOptions corpus = Files(source, target);
  const CorpusReport report = Run(filters, corpus);
  const std::vector<std::string> kept = kept_;
  EXPECT_EQ(report.read, 20000);
  EXPECT_EQ(report.kept, static_cast<int64_t>(kept.size()));
  const PairFilter filter(filters);
  ThreadPool alone(1);
  CorpusEncoder encoder({&tokenizer_, &tokenizer_, &alone}, &filter);
  EXPECT_EQ(Run(&encoder, corpus), report);
  EXPECT_EQ(kept_, kept);
}

}  // namespace
}  // namespace heed
