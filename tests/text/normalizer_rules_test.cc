#include "text/normalizer_rules.h"

#include <gtest/gtest.h>

#include "tests/text/sample_text.h"
#include "util/check.h"

namespace heed {
namespace {

TEST(NormalizerRules, ReadsHandWrittenMessages) {
  using std::string_literals::operator""s;
  // trainer {kind bpe}, normalizer {name "x", map "abc", no prefix, spaces stay}
  const NormalizerRules rules = ParseNormalizerRules(
      "\x12\x02\x18\x02\x1A\x0C\x0A\x01x\x12\x03"
      "abc\x18\x00\x20\x00"s);
  EXPECT_EQ(rules.character_map, "abc");
  EXPECT_FALSE(rules.begins_with_space);
  EXPECT_FALSE(rules.joins_spaces);
}

TEST(NormalizerRules, ReadsTrainedModels) {
  const NormalizerRules rules = ParseNormalizerRules(SampleModel(SubwordKind::kUnigram, false));
  EXPECT_GT(rules.character_map.size(), 10000U);  // nmt_nfkc
  EXPECT_TRUE(rules.begins_with_space);
  EXPECT_TRUE(rules.joins_spaces);
}

TEST(NormalizerRules, DamageIsAUserError) {
  EXPECT_THROW(ParseNormalizerRules("\x1A\x0C\x0A"), UserError);
}

}  // namespace
}  // namespace heed
