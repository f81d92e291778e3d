#include "export/huggingface_generation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using nlohmann::json;

class HuggingFaceGenerationTest : public testing::Test {
 protected:
  HuggingFaceGeneration Read(const json& settings,
                             const char* file = "generation_config.json") const {
    WriteFile(directory_ / file, settings.dump());
    HuggingFaceClass type;
    type.shape.target_vocabulary = 50;
    type.shape.begin_id = 49;
    type.padding_id = 49;
    type.end_id = 0;
    type.max_positions = 512;
    constexpr int32_t kUnknown = 1;
    return ReadHuggingFaceGeneration(directory_ / "", type, kUnknown);
  }
  const TemporaryDirectory directory_;
};

TEST_F(HuggingFaceGenerationTest, SettingsBecomeOptions) {
  const HuggingFaceGeneration read = Read({{"num_beams", 6},
                                           {"length_penalty", 0.8},
                                           {"max_length", 200},
                                           {"min_length", 5},
                                           {"bad_words_ids", {{49}, {1}}},
                                           {"forced_bos_token_id", 7}});
  EXPECT_EQ(read.decoding.beam, 6);
  EXPECT_EQ(read.decoding.length_penalty.kind, LengthPenaltyKind::kAverage);
  EXPECT_EQ(read.decoding.length_penalty.alpha, 0.8);
  EXPECT_EQ(read.decoding.max_length.ratio, 0);
  EXPECT_EQ(read.decoding.max_length.extra, 198);  // without start and end
  EXPECT_EQ(read.decoding.min_length, 4);          // without start
  EXPECT_EQ(read.decoding.max_source_length, 512);
  EXPECT_TRUE(read.decoding.suppress_unknown);
  EXPECT_EQ(read.first_token, 7);
}

TEST_F(HuggingFaceGenerationTest, WhatIsNotSaidIsGreedyAndMayBeUnknown) {
  const HuggingFaceGeneration read = Read(json::object());
  EXPECT_EQ(read.decoding.beam, 1);
  EXPECT_FALSE(read.decoding.suppress_unknown);
  EXPECT_EQ(read.decoding.max_length, DecodingOptions().max_length);
  EXPECT_FALSE(read.first_token.has_value());
  EXPECT_EQ(Read({{"length_penalty", -1}}).decoding.length_penalty.alpha, 0);
}

TEST_F(HuggingFaceGenerationTest, OldModelsHaveTheirSettingsInTheirConfiguration) {
  EXPECT_EQ(Read({{"num_beams", 3}}, "config.json").decoding.beam, 3);
  EXPECT_EQ(Read({{"num_beams", 4}}).decoding.beam, 4);  // now both are there
}

TEST_F(HuggingFaceGenerationTest, OtherTypesAreUserErrors) {
  for (const json& wrong :
       {json{{"num_beams", "4"}}, json{{"num_beams", -3}}, json{{"max_length", 1e30}},
        json{{"bad_words_ids", {1, 2}}}, json{{"forced_bos_token_id", 50}},
        json{{"length_penalty", {1}}}, json{{"min_length", int64_t{1} << 40}}}) {
    EXPECT_THROW(Read(wrong), UserError) << wrong;
  }
}

}  // namespace
}  // namespace heed
