#include "config/key_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace heed {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(KeyIndex, HoldsEveryLevelOfTheRecipe) {
  const KeyIndex keys;
  EXPECT_THAT(keys.paths(), Contains("seed"));
  EXPECT_THAT(keys.paths(), Contains("training.schedule.peak_rate"));
  EXPECT_THAT(keys.paths(), Contains("data.train[].weight"));
  EXPECT_EQ(std::set(keys.paths().begin(), keys.paths().end()).size(), keys.paths().size());
}

TEST(KeyIndex, KeysAreLowerCaseWords) {
  for (const std::string& path : KeyIndex().paths()) {
    EXPECT_TRUE(std::all_of(path.begin(), path.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
             std::string("_.[]").find(c) != std::string::npos;
    })) << path;
  }
}

TEST(KeyIndex, MisspeltKeyGetsTheNearestOfItsSection) {
  const KeyIndex keys;
  EXPECT_EQ(keys.ExplainUnknown("batch_token", "training"),
            "unknown key 'batch_token' in 'training'; did you mean 'batch_tokens'?");
  EXPECT_EQ(keys.ExplainUnknown("trianing", ""),
            "unknown key 'trianing' at the top level; did you mean 'training'?");
  EXPECT_THAT(keys.ExplainUnknown("batch-tokens", "training"), HasSubstr("mean 'batch_tokens'?"));
  EXPECT_THAT(keys.ExplainUnknown("Heads", "model"), HasSubstr("mean 'heads'?"));
  EXPECT_THAT(keys.ExplainUnknown("weigth", "data.train[3]"), HasSubstr("mean 'weight'?"));
}

TEST(KeyIndex, MisplacedKeyIsToldWhereItBelongs) {
  const KeyIndex keys;
  EXPECT_EQ(keys.ExplainUnknown("label_smoothing", "model"),
            "unknown key 'label_smoothing' in 'model'; it belongs in 'training'");
  EXPECT_THAT(keys.ExplainUnknown("peak_rate", "training"), HasSubstr("in 'training.schedule'"));
  EXPECT_THAT(keys.ExplainUnknown("seed", "training"), HasSubstr("in the top level or 'deco"));
  EXPECT_THAT(keys.ExplainUnknown("beam", "evaluation"), HasSubstr("'validation' or 'decoding'"));
}

TEST(KeyIndex, KeyNearOneOfAnotherSectionIsToldItsPath) {
  EXPECT_THAT(KeyIndex().ExplainUnknown("label_smoothin", "data"),
              HasSubstr("did you mean 'training.label_smoothing'?"));
}

TEST(KeyIndex, DottedKeyIsToldToNest) {
  EXPECT_THAT(KeyIndex().ExplainUnknown("training.batch_tokens", ""), HasSubstr("nested"));
}

TEST(KeyIndex, KeyLikeNothingGetsTheList) {
  EXPECT_THAT(KeyIndex().ExplainUnknown("qqqqqqqq", "training.stop"),
              HasSubstr("known keys there: updates, epochs, tokens, hours"));
  EXPECT_THAT(KeyIndex().ExplainUnknown("", "training.stop"), HasSubstr("known keys there"));
  const std::string huge(100'000, 'x');
  EXPECT_LT(KeyIndex().ExplainUnknown(huge, "training.stop").size(), 300u);
}

TEST(KeyIndex, KeysOfOtherToolkitsAreTranslated) {
  const KeyIndex keys;
  EXPECT_THAT(keys.ExplainUnknown("mini-batch-words", "training"),
              HasSubstr("Heed calls it 'training.batch_tokens'"));
  for (const ForeignKey& foreign : ForeignKeys()) {
    EXPECT_THAT(keys.paths(), Contains(foreign.path)) << foreign.name;
    const std::string top =
        std::string(foreign.path).substr(0, std::string(foreign.path).find('.'));
    EXPECT_THAT(keys.ExplainUnknown(foreign.name, top), HasSubstr(foreign.path)) << foreign.name;
  }
}

TEST(NearestWord, SwapsCountOnceAndFarWordsAreNotNear) {
  EXPECT_EQ(NearestWord("bema", {"heads", "beam"}), "beam");
  EXPECT_EQ(NearestWord("xyz", {"heads", "beam"}), "");
  EXPECT_EQ(NearestWord("x", {"y"}), "");
  EXPECT_EQ(NearestWord("", {"y", ""}), "");
}

}  // namespace
}  // namespace heed
