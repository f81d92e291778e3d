#include "data/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/data/sample_recipe.h"
#include "tests/util/log_watcher.h"
#include "text/listed_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "text/subword_pieces.h"
#include "util/check.h"

namespace heed {
namespace {

using testing::HasSubstr;

class VocabularyTest : public testing::Test {
 protected:
  Vocabularies Train() { return TrainVocabularies(recipe_, PairFilter(recipe_.data.filters)); }
  std::string ErrorOfTraining() {
    try {
      Train();
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }

  SampleRecipe sample_{500};
  Recipe& recipe_ = sample_.recipe;
};

TEST_F(VocabularyTest, JointVocabulariesAreOneObject) {
  const Vocabularies vocabularies = Train();
  EXPECT_TRUE(vocabularies.is_joint());
  EXPECT_EQ(vocabularies.source->size(), 346);
  EXPECT_EQ(vocabularies.source->fingerprint(), Train().source->fingerprint());
}

TEST_F(VocabularyTest, SeparateOnesKnowTheirSide) {
  recipe_.vocabulary.joint = false;
  recipe_.vocabulary.byte_fallback = false;
  recipe_.vocabulary.size = 50;
  recipe_.vocabulary.target_size = 55;
  const Vocabularies vocabularies = Train();
  EXPECT_FALSE(vocabularies.is_joint());
  EXPECT_EQ(vocabularies.source->size(), 50);
  EXPECT_EQ(vocabularies.target->size(), 55);
  std::vector<int32_t> ids;
  vocabularies.source->Encode("\xC3\x9F", &ids);  // sharp s, a German letter
  EXPECT_EQ(ids.back(), vocabularies.source->unk_id());
  vocabularies.target->Encode("\xC3\x9F", &ids);
  EXPECT_NE(ids.back(), vocabularies.target->unk_id());
}

TEST_F(VocabularyTest, OptionsReachTheTrainer) {
  recipe_.vocabulary.type = VocabularyKind::kBpe;
  recipe_.vocabulary.user_symbols = {"<en>"};
  recipe_.vocabulary.normalization = NormalizationKind::kNmtNfkcCaseFold;
  recipe_.model.decoder_start = DecoderStart::kLearned;
  const Vocabularies vocabularies = Train();
  EXPECT_EQ(vocabularies.target->bos_id(), 2);
  EXPECT_EQ(vocabularies.target->piece(3), "<en>");
  std::vector<int32_t> upper, lower;
  vocabularies.target->Encode("HAUS", &upper);
  vocabularies.target->Encode("haus", &lower);
  EXPECT_EQ(upper, lower);
  EXPECT_EQ(ParseSubwordPieces(vocabularies.target->serialized()).kind, SubwordKind::kBpe);
}

TEST_F(VocabularyTest, PrefixesOfAJointVocabularyLeaveItJoint) {
  recipe_.vocabulary.user_symbols = {"__en__", "__de__"};
  recipe_.vocabulary.source_prefix = "__en__";
  recipe_.vocabulary.target_prefix = "__de__";
  const Vocabularies vocabularies = Train();
  EXPECT_TRUE(vocabularies.is_joint());
  std::vector<int32_t> source, target;
  vocabularies.source->Encode("Haus", &source);
  vocabularies.target->Encode("Haus", &target);
  EXPECT_EQ(vocabularies.source->piece(source.front()), "__en__");
  EXPECT_EQ(vocabularies.target->piece(target.front()), "__de__");
  SaveVocabularies(vocabularies, sample_.directory / "");
  EXPECT_EQ(FingerprintOf(LoadVocabularies(sample_.directory / "", recipe_.vocabulary)),
            FingerprintOf(vocabularies));
  recipe_.vocabulary.target_prefix = "__fr__";
  EXPECT_THAT(ErrorOfTraining(), HasSubstr("vocabulary.target_prefix is '__fr__'"));
}

TEST_F(VocabularyTest, SamplesAreDrawnFromAllSentences) {
  recipe_.vocabulary.max_training_sentences = 150;
  recipe_.vocabulary.size = 300;
  const std::string fingerprint = Train().source->fingerprint();
  EXPECT_EQ(Train().source->fingerprint(), fingerprint);
  // A word that stands at the end of the corpus only is seen all the same.
  std::string source = ReadFile(recipe_.data.train[0].source),
              target = ReadFile(recipe_.data.train[0].target);
  for (int i = 0; i < 500; ++i) {
    source += "qqqq\n";
    target += "qqqq\n";
  }
  WriteFile(recipe_.data.train[0].source, source);
  WriteFile(recipe_.data.train[0].target, target);
  std::vector<int32_t> ids;
  const Vocabularies vocabularies = Train();
  vocabularies.source->Encode("qqqq", &ids);
  EXPECT_FALSE(vocabularies.source->IsByte(ids.back()));
}

TEST_F(VocabularyTest, PairsThatAreDroppedTeachNothing) {
  std::string source = ReadFile(recipe_.data.train[0].source),
              target = ReadFile(recipe_.data.train[0].target);
  for (int i = 0; i < 500; ++i) {
    source += "qqqq\n";
    target += "\n";
  }
  WriteFile(recipe_.data.train[0].source, source);
  WriteFile(recipe_.data.train[0].target, target);
  recipe_.vocabulary.byte_fallback = false;
  recipe_.vocabulary.size = 90;
  std::vector<int32_t> ids;
  const Vocabularies vocabularies = Train();
  vocabularies.source->Encode("qqqq", &ids);
  EXPECT_EQ(ids.back(), vocabularies.source->unk_id());
}

TEST_F(VocabularyTest, ErrorsNameTheSide) {
  recipe_.vocabulary.joint = false;
  recipe_.vocabulary.size = 300;
  recipe_.vocabulary.target_size = 5000;
  EXPECT_THAT(ErrorOfTraining(),
              HasSubstr("target vocabulary: a vocabulary of 5000 pieces is too"));
}

TEST_F(VocabularyTest, TheRulesThatLeaveNothingAreNamedWithTheirCounts) {
  WriteFile(recipe_.data.train[0].source, "\nab\n\n");
  WriteFile(recipe_.data.train[0].target, "a\nab\nb\n");
  recipe_.data.filters.max_characters = 1;
  EXPECT_THAT(ErrorOfTraining(),
              HasSubstr("none of 3 pairs is left to train a vocabulary on: dropped 2 by the rule "
                        "'empty', 1 by the rule 'too many characters'; check"));
  WriteFile(recipe_.data.train[0].source, "");
  WriteFile(recipe_.data.train[0].target, "");
  EXPECT_THAT(ErrorOfTraining(), HasSubstr("none of 0 pairs is left to train a vocabulary on; "));
  recipe_.data.train[0].tsv = recipe_.data.train[0].source;
  WriteFile(recipe_.data.train[0].tsv, "one;eins\n");
  EXPECT_THAT(ErrorOfTraining(), HasSubstr("dropped 1 by the rule 'missing column'"));
}

TEST_F(VocabularyTest, SavedOnesAreLoaded) {
  for (const bool joint : {true, false}) {
    recipe_.vocabulary.joint = joint;
    recipe_.vocabulary.size = 300;
    const Vocabularies trained = Train();
    SaveVocabularies(trained, sample_.directory.path());
    const Vocabularies loaded = LoadVocabularies(sample_.directory.path(), recipe_.vocabulary);
    EXPECT_EQ(loaded.is_joint(), joint);
    EXPECT_EQ(loaded.source->fingerprint(), trained.source->fingerprint());
    EXPECT_EQ(loaded.target->fingerprint(), trained.target->fingerprint());
  }
}

// Two models that cut text into the pieces of one list, as OPUS-MT has them.
Vocabularies MakeListed(const std::string& last_piece = "▁▁x") {
  Vocabularies vocabularies;
  const auto make = [&](SubwordKind kind) {
    const std::string model = SampleModel(kind, false);
    auto cutter = std::make_unique<SentencePieceTokenizer>(model, "model");
    std::vector<std::string> pieces = {"<pad>", "<unk>", "</s>"};
    for (const SubwordPiece& piece :
         ParseSubwordPieces(SampleModel(SubwordKind::kUnigram, false)).pieces) {
      if (piece.kind == PieceKind::kNormal) pieces.push_back(piece.text);
    }
    pieces.push_back(last_piece);
    return std::make_shared<ListedTokenizer>(
        std::move(cutter),
        std::make_shared<PieceList>(pieces, PieceMarks(), std::vector<std::string>(), "list"));
  };
  vocabularies.source = make(SubwordKind::kUnigram);
  vocabularies.target = make(SubwordKind::kBpe);
  return vocabularies;
}

TEST_F(VocabularyTest, ListsAreSavedBesideTheirModels) {
  const Vocabularies listed = MakeListed();
  EXPECT_FALSE(listed.is_joint());
  EXPECT_TRUE(listed.shares_ids());
  EXPECT_THAT(VocabularyFileNames(listed),
              testing::ElementsAre("vocabulary.source.model", "vocabulary.source.pieces.json",
                                   "vocabulary.target.model", "vocabulary.target.pieces.json"));
  const auto& directory = sample_.directory.path();
  SaveVocabularies(listed, directory);
  recipe_.vocabulary.joint = false;
  recipe_.vocabulary.shared_ids = true;
  const Vocabularies loaded = LoadVocabularies(directory, recipe_.vocabulary);
  EXPECT_TRUE(loaded.shares_ids());
  EXPECT_EQ(FingerprintOf(loaded), FingerprintOf(listed));

  recipe_.vocabulary.source_model = (directory / "vocabulary.source.model").string();
  recipe_.vocabulary.target_model = (directory / "vocabulary.target.model").string();
  EXPECT_EQ(FingerprintOf(LoadGivenVocabularies(recipe_)), FingerprintOf(listed));

  // Models without lists leave none behind.
  Vocabularies plain;
  plain.source = std::make_shared<SentencePieceTokenizer>(listed.source->serialized(), "source");
  plain.target = std::make_shared<SentencePieceTokenizer>(listed.target->serialized(), "target");
  EXPECT_FALSE(plain.shares_ids());
  SaveVocabularies(plain, directory);
  EXPECT_FALSE(std::filesystem::exists(directory / "vocabulary.source.pieces.json"));
  EXPECT_THROW(LoadVocabularies(directory, recipe_.vocabulary), UserError);
  EXPECT_THROW(LoadGivenVocabularies(recipe_), UserError);
  EXPECT_THAT(ErrorOfTraining(), HasSubstr("vocabulary.shared_ids is for given models"));
  recipe_.vocabulary.shared_ids = false;
  EXPECT_EQ(LoadVocabularies(directory, recipe_.vocabulary).source->list(), nullptr);
}

TEST_F(VocabularyTest, ListsThatDifferAreNotOne) {
  Vocabularies mixed = MakeListed("▁▁x");
  mixed.target = MakeListed("▁▁y").target;
  EXPECT_FALSE(mixed.shares_ids());
  SaveVocabularies(mixed, sample_.directory.path());
  recipe_.vocabulary.joint = false;
  EXPECT_FALSE(LoadVocabularies(sample_.directory.path(), recipe_.vocabulary).shares_ids());
  recipe_.vocabulary.shared_ids = true;
  try {
    LoadVocabularies(sample_.directory.path(), recipe_.vocabulary);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("do not have equal lists of pieces"));
  }
}

TEST_F(VocabularyTest, GivenModelsAreUsed) {
  const std::string path = (sample_.directory / "given.model").string();
  WriteFile(path, SampleModel(SubwordKind::kUnigram, true));
  EXPECT_FALSE(HasGivenVocabularies(recipe_.vocabulary));
  recipe_.vocabulary.model = path;
  EXPECT_TRUE(HasGivenVocabularies(recipe_.vocabulary));
  EXPECT_TRUE(LoadGivenVocabularies(recipe_).is_joint());
  recipe_.vocabulary.joint = false;
  recipe_.vocabulary.model.clear();
  recipe_.vocabulary.source_model = recipe_.vocabulary.target_model = path;
  EXPECT_TRUE(HasGivenVocabularies(recipe_.vocabulary));
  EXPECT_FALSE(LoadGivenVocabularies(recipe_).is_joint());
  recipe_.model.decoder_start = DecoderStart::kLearned;
  EXPECT_THROW(LoadGivenVocabularies(recipe_), UserError);
  recipe_.vocabulary.target_model = "/no/such.model";
  EXPECT_THROW(LoadGivenVocabularies(recipe_), UserError);
}

TEST_F(VocabularyTest, TheSizeOfAGivenModelCountsAndAnotherInTheRecipeIsToldOf) {
  recipe_.vocabulary.model = (sample_.directory / "given.model").string();
  WriteFile(recipe_.vocabulary.model, SampleModel(SubwordKind::kUnigram, false));
  std::vector<std::string> messages;
  const LogWatcher watcher([&](const std::string& line) { messages.push_back(line); });
  const int64_t size = LoadGivenVocabularies(recipe_).source->size();
  EXPECT_NE(size, recipe_.vocabulary.size);
  EXPECT_THAT(messages, testing::ElementsAre(HasSubstr("vocabulary.size: 346 does not count")));
  recipe_.vocabulary.size = size;
  LoadGivenVocabularies(recipe_);
  recipe_.vocabulary.size = VocabularyOptions().size;
  LoadGivenVocabularies(recipe_);
  EXPECT_EQ(messages.size(), 1U);
}

}  // namespace
}  // namespace heed
