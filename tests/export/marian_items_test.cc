#include "export/marian_items.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/export/marian_variants.h"
#include "util/check.h"

namespace heed {
namespace {

class MarianItemsTest : public testing::Test {
 protected:
  explicit MarianItemsTest(const Recipe& recipe = SmallRecipe()) : disk_(recipe) {}

  const MarianItem& Find(const std::string& name) const {
    const auto found = std::ranges::find(items_, name, &MarianItem::name);
    if (found == items_.end()) throw std::runtime_error("no " + name);
    return *found;
  }
  std::vector<float> ValuesOf(const std::string& name) const {
    const std::string bytes = Find(name).make();
    EXPECT_EQ(std::ssize(bytes), Find(name).bytes());
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  float OurValue(const std::string& name, int64_t row, int64_t column) const {
    const RowSource rows = model_.Rows(name);
    std::vector<float> values(static_cast<size_t>(rows.columns));
    rows.read(row, values);
    return values[static_cast<size_t>(column)];
  }

  const ModelOnDisk disk_;
  const ModelSource model_{disk_.path()};
  const PortableWeights weights_{model_};
  const std::vector<MarianItem> items_ = MarianItems(weights_);
};

TEST_F(MarianItemsTest, MatricesOfLayersAreTransposedAndSplit) {
  EXPECT_THAT(Find("decoder_l2_self_Wv").shape, testing::ElementsAre(16, 16));
  EXPECT_THAT(Find("encoder_l1_ffn_W1").shape, testing::ElementsAre(16, 24));
  const std::vector<float> values = ValuesOf("decoder_l2_self_Wv");
  // Input 3, output 5 of the values, which follow 16 queries and 16 keys.
  EXPECT_EQ(values[3 * 16 + 5], OurValue("decoder.layer2.self_attention.qkv.weight", 37, 3));
  EXPECT_EQ(ValuesOf("encoder_l1_ffn_W1")[7 * 24 + 23],
            OurValue("encoder.layer1.feed_forward.up.weight", 23, 7));
  EXPECT_EQ(ValuesOf("decoder_l1_context_bk")[2],
            OurValue("decoder.layer1.cross_attention.key_value.bias", 0, 2));
}

TEST_F(MarianItemsTest, EmbeddingsStayAndVectorsAreRows) {
  EXPECT_THAT(Find("Wemb").shape, testing::ElementsAre(90, 16));
  EXPECT_EQ(ValuesOf("Wemb")[33 * 16 + 2], OurValue("embedding.weight", 33, 2));
  EXPECT_THAT(Find("encoder_l1_self_Wo_ln_bias").shape, testing::ElementsAre(1, 16));
  EXPECT_THAT(Find("decoder_ff_logit_out_b").shape, testing::ElementsAre(1, 90));
}

class BareMarianItemsTest : public MarianItemsTest {
 protected:
  BareMarianItemsTest() : MarianItemsTest(MarianVariants().back().recipe) {}
};

TEST_F(BareMarianItemsTest, AbsentBiasesAreZeros) {
  const auto are_zeros = testing::Each(0.0F);
  EXPECT_THAT(ValuesOf("decoder_l3_ffn_b1"), testing::AllOf(testing::SizeIs(24), are_zeros));
  EXPECT_THAT(ValuesOf("decoder_l1_self_bv"), testing::AllOf(testing::SizeIs(16), are_zeros));
  EXPECT_THAT(ValuesOf("decoder_ff_logit_out_b"), testing::AllOf(testing::SizeIs(90), are_zeros));
  EXPECT_THAT(ValuesOf("decoder_top_ln_bias"), testing::Not(are_zeros));
}

TEST(MarianTextItem, EndsWithZerosUpToABlock) {
  EXPECT_EQ(MarianTextItem("x", "ab").make(), std::string("ab\0", 3));
  EXPECT_EQ(MarianTextItem("x", "abcd", 4).make(), std::string("abcd\0\0\0\0", 8));
  EXPECT_EQ(MarianTextItem("x", "abc", 4).bytes(), 4);
}

}  // namespace
}  // namespace heed
