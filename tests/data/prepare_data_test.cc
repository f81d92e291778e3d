#include "data/prepare_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/data/sample_recipe.h"
#include "text/sentencepiece_tokenizer.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class PrepareDataTest : public testing::Test {
 protected:
  PreparedData Prepare() { return PrepareData(recipe_, sample_.work(), pool_); }
  std::string ErrorOf() {
    try {
      Prepare();
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }

  SampleRecipe sample_{400};
  Recipe& recipe_ = sample_.recipe;
  ThreadPool pool_{2};
};

TEST_F(PrepareDataTest, MakesVocabularyShardsAndReport) {
  const PreparedData data = Prepare();
  EXPECT_TRUE(data.is_fresh);
  EXPECT_EQ(data.num_pairs(), 400);
  EXPECT_EQ(data.report.train[0].read, 400);
  EXPECT_EQ(data.report.train[0].name, "train.en");
  EXPECT_EQ(data.report.source.size, 346);
  EXPECT_GT(data.report.source.used, 50);
  EXPECT_EQ(data.report.source, data.report.target);
  EXPECT_FALSE(data.train[0].has_text());
  ASSERT_TRUE(data.valid.has_value());
  EXPECT_EQ(data.valid->size(), 40);
  for (int64_t i = 0; i < 40; ++i) {
    const auto [english, german] = SamplePair(400 + i);
    EXPECT_EQ(data.valid->source_text(i), english);
    EXPECT_EQ(data.valid->target_text(i), german);
    std::vector<int32_t> ids;
    data.valid->AppendTargetIds(i, &ids);
    EXPECT_EQ(data.target_tokenizer().Decode(ids), german);
  }
  for (int64_t i = 0; i < 400; ++i) {
    std::vector<int32_t> ids;
    data.train[0].AppendSourceIds(i, &ids);
    EXPECT_EQ(data.source_tokenizer().Decode(ids), SamplePair(i).first);
  }
}

TEST_F(PrepareDataTest, WhatIsUpToDateIsUsedAgain) {
  const PreparedData first = Prepare();
  recipe_.seed = 5;
  recipe_.data.train[0].name = "renamed";
  recipe_.data.train[0].weight = 2;
  const PreparedData second = Prepare();
  EXPECT_FALSE(second.is_fresh);
  EXPECT_EQ(second.fingerprint, first.fingerprint);
  EXPECT_EQ(second.num_pairs(), 400);
  EXPECT_EQ(second.weights, std::vector<double>{2});
  EXPECT_EQ(second.report.train[0].name, "renamed");
  EXPECT_EQ(second.report.train[0].source, first.report.train[0].source);
}

TEST_F(PrepareDataTest, PreparationIsDeterministic) {
  const PreparedData first = Prepare();
  const std::string shard = ReadFile(sample_.work() / "train.0.shard");
  std::filesystem::remove_all(sample_.work());
  ThreadPool alone(1);
  const PreparedData second = PrepareData(recipe_, sample_.work(), alone);
  EXPECT_TRUE(second.is_fresh);
  EXPECT_EQ(second.fingerprint, first.fingerprint);
  EXPECT_EQ(ReadFile(sample_.work() / "train.0.shard"), shard);
}

TEST_F(PrepareDataTest, ChangesMakeAgainWhatDependsOnThem) {
  const PreparedData first = Prepare();
  recipe_.data.filters.max_length = 12;
  const PreparedData filtered = Prepare();
  EXPECT_TRUE(filtered.is_fresh);
  EXPECT_LT(filtered.num_pairs(), 400);
  EXPECT_GT(filtered.num_pairs(), 100);
  EXPECT_EQ(filtered.source_tokenizer().fingerprint(), first.source_tokenizer().fingerprint());
  recipe_.vocabulary.size = 330;
  const PreparedData smaller = Prepare();
  EXPECT_TRUE(smaller.is_fresh);
  EXPECT_EQ(smaller.source_tokenizer().size(), 330);
  sample_.Write("train", 3, 400, &recipe_.data.train[0]);
  EXPECT_TRUE(Prepare().is_fresh);
  EXPECT_FALSE(Prepare().is_fresh);
}

TEST_F(PrepareDataTest, DamagedFilesAreMadeAgain) {
  const PreparedData first = Prepare();
  for (const char* name : {"train.0.shard", "valid.shard", "vocabulary.model", "prepared.json"}) {
    const std::string whole = ReadFile(sample_.work() / name);
    WriteFile(sample_.work() / name, whole.substr(0, whole.size() / 2));
    const PreparedData again = Prepare();
    EXPECT_TRUE(again.is_fresh || std::string(name) == "vocabulary.model") << name;
    EXPECT_EQ(again.fingerprint, first.fingerprint) << name;
    EXPECT_EQ(ReadFile(sample_.work() / name), whole) << name;
    std::filesystem::remove(sample_.work() / name);
    EXPECT_EQ(Prepare().fingerprint, first.fingerprint) << name;
  }
}

TEST_F(PrepareDataTest, AnInterruptedPreparationKeepsItsVocabulary) {
  recipe_.data.filters.bad_utf8 = BadUtf8Policy::kError;
  WriteFile(recipe_.data.train[0].source, ReadFile(recipe_.data.train[0].source) + "a\xFF\n");
  WriteFile(recipe_.data.train[0].target, ReadFile(recipe_.data.train[0].target) + "b\n");
  EXPECT_THAT(ErrorOf(), HasSubstr("train.en:401:2: not UTF-8"));
  const auto written = std::filesystem::last_write_time(sample_.work() / "vocabulary.model");
  EXPECT_THAT(ErrorOf(), HasSubstr("train.en:401:2: not UTF-8"));
  EXPECT_EQ(std::filesystem::last_write_time(sample_.work() / "vocabulary.model"), written);
}

TEST_F(PrepareDataTest, SeveralCorporaKeepTheirPlaces) {
  recipe_.data.train.resize(2);
  sample_.Write("more", 1000, 30, &recipe_.data.train[1]);
  recipe_.data.train[1].name = "more";
  const PreparedData data = Prepare();
  EXPECT_EQ(data.num_pairs(), 430);
  EXPECT_EQ(data.train[1].size(), 30);
  EXPECT_EQ(data.report.train[1].name, "more");
  const auto place = [&](size_t corpus, int64_t line) {
    const CorpusOptions& options = recipe_.data.train[corpus];
    return fmt::format("{}:{} + {}:{}", options.source, line, options.target, line);
  };
  EXPECT_EQ(data.Describe(0), place(0, 1));
  EXPECT_EQ(data.Describe(399), place(0, 400));
  EXPECT_EQ(data.Describe(400), place(1, 1));
  EXPECT_EQ(data.Describe(429), place(1, 30));
  EXPECT_THROW(data.Describe(430), InternalError);
}

TEST_F(PrepareDataTest, SamplingKeepsTheTextOfTrainingData) {
  recipe_.vocabulary.sampling.alpha = 0.1;
  const PreparedData data = Prepare();
  EXPECT_TRUE(data.train[0].has_text());
  EXPECT_EQ(data.train[0].source_text(7), SamplePair(7).first);
}

TEST_F(PrepareDataTest, TsvFilesAndGivenSeparateVocabularies) {
  std::string tsv;
  for (int64_t i = 0; i < 50; ++i) {
    const auto [english, german] = SamplePair(i);
    tsv += german + "\t" + english + "\n";
  }
  TrainingCorpusOptions corpus;
  corpus.tsv = (sample_.directory / "c.tsv").string();
  corpus.source_column = 2;
  corpus.target_column = 1;
  WriteFile(corpus.tsv, tsv);
  recipe_.data.train = {corpus};
  recipe_.data.valid = {};
  recipe_.vocabulary.joint = false;
  recipe_.vocabulary.source_model = (sample_.directory / "s.model").string();
  recipe_.vocabulary.target_model = (sample_.directory / "t.model").string();
  WriteFile(recipe_.vocabulary.source_model, SampleModel(SubwordKind::kUnigram, true));
  WriteFile(recipe_.vocabulary.target_model, SampleModel(SubwordKind::kBpe, true));
  const PreparedData data = Prepare();
  EXPECT_FALSE(data.vocabularies.is_joint());
  EXPECT_FALSE(data.valid.has_value());
  EXPECT_EQ(data.Describe(4), corpus.tsv + ":5");
  EXPECT_FALSE(std::filesystem::exists(sample_.work() / "vocabulary.model"));
  std::vector<int32_t> ids;
  data.train[0].AppendSourceIds(4, &ids);
  EXPECT_EQ(data.source_tokenizer().Decode(ids), SamplePair(4).first);
  EXPECT_FALSE(Prepare().is_fresh);
  WriteFile(recipe_.vocabulary.target_model, SampleModel(SubwordKind::kBpe, true, {"<x>"}));
  EXPECT_TRUE(Prepare().is_fresh);
}

TEST_F(PrepareDataTest, MissingFilesAreAllNamedBeforeAnyWork) {
  recipe_.data.train[0].target = "no/such.de";
  recipe_.data.valid.source = "no/valid.en";
  EXPECT_THAT(ErrorOf(),
              AllOf(HasSubstr("no such file: no/such.de, no/valid.en; check the paths")));
  recipe_.data.fetch = "data_scripts/fetch.sh";
  EXPECT_THAT(ErrorOf(), HasSubstr("fetch the data with: data_scripts/fetch.sh"));
  EXPECT_FALSE(std::filesystem::exists(sample_.work()));
}

TEST_F(PrepareDataTest, WhatIsNoFileIsAUserErrorThatNamesIt) {
  const std::string path = recipe_.data.train[0].source;
  std::filesystem::remove(path);
  std::filesystem::create_symlink("train.en", path);  // to itself
  EXPECT_THAT(ErrorOf(), AllOf(HasSubstr("cannot read " + path), HasSubstr("symbolic links")));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_THAT(ErrorOf(), AllOf(HasSubstr(path), HasSubstr("folder")));
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);  // nobody writes to it: waiting would be for ever
  EXPECT_THAT(ErrorOf(), AllOf(HasSubstr(path), HasSubstr("pipe")));
  recipe_.data.train[0].source = std::string(5000, 'a');
  EXPECT_THAT(ErrorOf(), HasSubstr("name too long"));
}

TEST_F(PrepareDataTest, AValidationCorpusWithoutLinesIsAUserError) {
  WriteFile(recipe_.data.valid.source, "");
  WriteFile(recipe_.data.valid.target, "");
  EXPECT_THAT(ErrorOf(), HasSubstr("valid.de) has no line"));
}

TEST_F(PrepareDataTest, AnotherVocabularyInItsPlaceIsNotUsed) {
  const PreparedData first = Prepare();
  WriteFile(sample_.work() / "vocabulary.model", SampleModel(SubwordKind::kUnigram, true));
  EXPECT_EQ(Prepare().fingerprint, first.fingerprint);
}

TEST_F(PrepareDataTest, AReportThatDoesNotFitTheShardsIsNotUsed) {
  const PreparedData first = Prepare();
  const auto path = sample_.work() / "prepared.json";
  auto manifest = nlohmann::json::parse(ReadFile(path));
  manifest["report"]["train"][0]["kept"] = 399;
  WriteFile(path, manifest.dump());
  const PreparedData again = Prepare();
  EXPECT_TRUE(again.is_fresh);
  EXPECT_EQ(again.report, first.report);
  manifest["report"]["train"] = nlohmann::json::array();
  WriteFile(path, manifest.dump());
  EXPECT_TRUE(Prepare().is_fresh);
}

TEST_F(PrepareDataTest, NothingLeftIsAUserErrorWithTheReport) {
  recipe_.data.filters.min_length = 200;
  EXPECT_THAT(ErrorOf(), AllOf(HasSubstr("no training pair is left"), HasSubstr("too short")));
}

TEST_F(PrepareDataTest, AVocabularyOfAnotherLanguageIsRefused) {
  const std::string path = (sample_.directory / "given.model").string();
  WriteFile(path, SampleModel(SubwordKind::kBpe, false));
  recipe_.vocabulary.model = path;
  std::string russian;
  for (int64_t i = 0; i < 400; ++i)
    russian += "\xD0\xB4\xD0\xBE\xD0\xBC \xD0\xB4\xD0\xBE\xD0\xBC\n";
  WriteFile(recipe_.data.train[0].target, russian);
  EXPECT_THAT(ErrorOf(), HasSubstr("of the target tokens are unknown to the vocabulary"));
}

TEST_F(PrepareDataTest, RealCaptionsKeepEveryPair) {
  const char* folder = std::getenv("HEED_TEST_DATA");
  const auto captions = std::filesystem::path(folder == nullptr ? "" : folder) / "multi30k";
  if (folder == nullptr || !std::filesystem::exists(captions)) {
    GTEST_SKIP() << "HEED_TEST_DATA names no folder that holds multi30k/";
  }
  recipe_.data.train[0].source = captions / "train.en.gz";
  recipe_.data.train[0].target = captions / "train.de.gz";
  recipe_.data.valid.source = captions / "val.en.gz";
  recipe_.data.valid.target = captions / "val.de.gz";
  recipe_.vocabulary.size = 8000;
  const PreparedData data = Prepare();
  EXPECT_EQ(data.report.train[0].read, 29000);
  EXPECT_EQ(data.report.train[0].kept, 29000);
  EXPECT_EQ(data.report.train[0].source.unknown, 0);
  EXPECT_EQ(data.valid->size(), 1014);
}

}  // namespace
}  // namespace heed
