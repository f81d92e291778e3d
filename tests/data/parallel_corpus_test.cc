#include "data/parallel_corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/text/sample_text.h"
#include "tests/util/compression.h"
#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::vector<std::pair<std::string, std::string>> ReadAll(const CorpusOptions& options) {
  ParallelCorpus corpus(options);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (CorpusPair pair; corpus.Next(&pair);) {
    pairs.emplace_back(pair.source, pair.target);
    EXPECT_EQ(pair.line, static_cast<int64_t>(pairs.size()));
    EXPECT_TRUE(pair.has_both);
  }
  return pairs;
}

std::string ErrorOf(const CorpusOptions& options) {
  try {
    ReadAll(options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

class ParallelCorpusTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& content) {
    WriteFile(directory_ / name, content);
    return (directory_ / name).string();
  }
  CorpusOptions Files(const std::string& source, const std::string& target) {
    CorpusOptions options;
    options.source = Write("c.en", source);
    options.target = Write("c.de", target);
    return options;
  }
  TemporaryDirectory directory_;
};

TEST_F(ParallelCorpusTest, PairsLineByLineInAnyFormat) {
  const auto expected = ElementsAre(Pair("a", "1"), Pair("", "2"), Pair("c\xE2\x80\xA8", "3\r"));
  const std::string source = "a\r\n\nc\xE2\x80\xA8\n", target = "1\n2\n3\r\r";
  EXPECT_THAT(ReadAll(Files(source, target)), expected);
  EXPECT_THAT(ReadAll(Files(Gzip(source), Zstd(target))), expected);
  EXPECT_THAT(ReadAll(Files("", "")), ElementsAre());
}

TEST_F(ParallelCorpusTest, ColumnsMayBeAnyOfATsvFile) {
  CorpusOptions options;
  options.tsv = Write("c.tsv", "a\t1\tx\nb\t\ty y\n\t3\t\"z\"\r\n");
  EXPECT_THAT(ReadAll(options), ElementsAre(Pair("a", "1"), Pair("b", ""), Pair("", "3")));
  options.source_column = 3;
  options.target_column = 1;
  EXPECT_THAT(ReadAll(options), ElementsAre(Pair("x", "a"), Pair("y y", "b"), Pair("\"z\"", "")));
}

TEST_F(ParallelCorpusTest, LinesWithTooFewColumnsAreMarked) {
  CorpusOptions options;
  options.tsv = Write("c.tsv", "a\t1\nbroken\n\nc\t3\n");
  ParallelCorpus corpus(options);
  std::vector<bool> has_both;
  for (CorpusPair pair; corpus.Next(&pair);) has_both.push_back(pair.has_both);
  EXPECT_THAT(has_both, ElementsAre(true, false, false, true));
}

TEST_F(ParallelCorpusTest, UnequalCountsNameFilesCountsAndTheFirstSuspiciousLine) {
  std::string source, target;
  for (int64_t number = 0; number < 300; ++number) {
    const auto [english, german] = SamplePair(number);
    source += english + "\n";
    if (number == 100) source += "an advertisement that nobody translated, with the number 4711\n";
    target += german + "\n";
  }
  EXPECT_THAT(ErrorOf(Files(source, target)),
              AllOf(HasSubstr("c.en has 301 lines and "), HasSubstr("c.de has 300"),
                    HasSubstr("the first suspicious line is "), HasSubstr("c.en:102, "),
                    HasSubstr("an advertisement that nobody translated")));
  EXPECT_THAT(ErrorOf(Files(target, source)),
              AllOf(HasSubstr("c.en has 300 lines and "), HasSubstr("c.de:102, ")));
}

TEST_F(ParallelCorpusTest, ACutFileIsCalledSo) {
  EXPECT_THAT(ErrorOf(Files("a\nb\nc\n", "1\n2\n")),
              AllOf(HasSubstr("c.en has 3 lines and "), HasSubstr("c.de has 2, but"),
                    HasSubstr("c.de seems to be cut off at its end")));
  EXPECT_THAT(ErrorOf(Files("", "1\n")), HasSubstr("c.en seems to be cut off at its end"));
}

TEST_F(ParallelCorpusTest, AbsentFilesAndOptionsAreUserErrors) {
  CorpusOptions options = Files("a\n", "1\n");
  options.target = "/no/such/file";
  EXPECT_THAT(ErrorOf(options), HasSubstr("/no/such/file"));
  options.target.clear();
  EXPECT_THAT(ErrorOf(options), HasSubstr("a corpus needs 'source' and 'target', or 'tsv'"));
}

TEST_F(ParallelCorpusTest, PlacesAreFileAndLine) {
  const CorpusOptions options = Files("a\n", "1\n");
  const ParallelCorpus corpus(options);
  EXPECT_EQ(corpus.Where(Side::kSource, 7), options.source + ":7");
  EXPECT_EQ(corpus.Where(Side::kTarget, 7), options.target + ":7");
  EXPECT_EQ(DescribeFiles(options), options.source + " + " + options.target);
  CorpusOptions tsv;
  tsv.tsv = Write("c.tsv", "a\tb\n");
  EXPECT_EQ(ParallelCorpus(tsv).Where(Side::kTarget, 7), tsv.tsv + ":7");
  EXPECT_EQ(DescribeFiles(tsv), tsv.tsv);
}

}  // namespace
}  // namespace heed
