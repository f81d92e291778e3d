#include "export/huggingface_class.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/util/temporary_directory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class HuggingFaceClassTest : public testing::Test {
 protected:
  HuggingFaceClass Read() const {
    WriteFile(directory_ / "config.json", config_.dump());
    return ReadHuggingFaceClass(directory_ / "config.json");
  }
  std::string Fault(const json& changes) const {
    json config = config_;
    config.update(changes);
    WriteFile(directory_ / "config.json", config.dump());
    try {
      ReadHuggingFaceClass(directory_ / "config.json");
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("config.json"));
      return error.what();
    }
    return "";
  }

  const TemporaryDirectory directory_;
  json config_ = {{"model_type", "marian"},
                  {"vocab_size", 50},
                  {"d_model", 16},
                  {"encoder_layers", 2},
                  {"decoder_layers", 3},
                  {"encoder_attention_heads", 4},
                  {"decoder_attention_heads", 4},
                  {"encoder_ffn_dim", 24},
                  {"decoder_ffn_dim", 24},
                  {"activation_function", "swish"},
                  {"max_position_embeddings", 512},
                  {"scale_embedding", true},
                  {"dropout", 0.2},
                  {"pad_token_id", 49},
                  {"eos_token_id", 0},
                  {"decoder_start_token_id", 49}};
};

TEST_F(HuggingFaceClassTest, MarianIsPostNormWithThePapersPositions) {
  const HuggingFaceClass read = Read();
  const ModelOptions& options = read.shape.options;
  EXPECT_EQ(options.norm, NormPosition::kAfter);
  EXPECT_EQ(options.decoder_layers, 3);
  EXPECT_EQ(options.activation, ActivationKind::kSilu);
  EXPECT_EQ(options.positions.frequency, SinusoidFrequency::kPaper);
  EXPECT_EQ(options.positions.offset, 0);
  EXPECT_EQ(options.tie_embeddings, EmbeddingTying::kAll);
  EXPECT_EQ(options.dropout.residual, 0.2);
  EXPECT_EQ(options.dropout.embedding, 0.2);
  EXPECT_EQ(options.dropout.attention, 0);
  EXPECT_EQ(read.shape.begin_id, 49);
  EXPECT_EQ(read.max_positions, 512);
  EXPECT_TRUE(read.has_output_bias && read.loads_positions);
}

TEST_F(HuggingFaceClassTest, M2m100CountsPositionsFromAfterThePadding) {
  config_.update({{"model_type", "m2m_100"}, {"pad_token_id", 1}, {"decoder_start_token_id", 0}});
  const HuggingFaceClass read = Read();
  EXPECT_EQ(read.shape.options.norm, NormPosition::kBefore);
  EXPECT_EQ(read.shape.options.positions.frequency, SinusoidFrequency::kT2t);
  EXPECT_EQ(read.shape.options.positions.offset, 2);
  EXPECT_FALSE(read.has_output_bias || read.loads_positions);
}

TEST_F(HuggingFaceClassTest, TablesAreOneAsTheConfigurationSays) {
  const auto tying = [&](bool shares, bool ties) {
    config_["share_encoder_decoder_embeddings"] = shares;
    config_["tie_word_embeddings"] = ties;
    return Read().shape.options.tie_embeddings;
  };
  config_["decoder_vocab_size"] = 60;
  EXPECT_EQ(tying(true, true), EmbeddingTying::kAll);
  EXPECT_EQ(Read().shape.target_vocabulary, 50);  // the class ignores the other number then
  EXPECT_EQ(tying(true, false), EmbeddingTying::kNone);
  EXPECT_EQ(tying(false, false), EmbeddingTying::kNone);
  EXPECT_EQ(tying(false, true), EmbeddingTying::kDecoder);
  EXPECT_EQ(Read().shape.target_vocabulary, 60);
  config_["model_type"] = "pegasus";  // which always shares
  EXPECT_EQ(Read().shape.options.tie_embeddings, EmbeddingTying::kAll);
}

TEST_F(HuggingFaceClassTest, EveryReasonForRefusalIsNamed) {
  const std::string fault = Fault({{"activation_function", "gelu_new"},
                                   {"decoder_attention_heads", 2},
                                   {"decoder_ffn_dim", 32},
                                   {"normalize_before", true},
                                   {"static_position_embeddings", false},
                                   {"tie_encoder_decoder", true},
                                   {"pruned_heads", {{"0", {1}}}},
                                   {"attention_dropout", 1.5}});
  for (const char* reason :
       {"activation function is gelu_new", "encoder_attention_heads is 4", "decoder_ffn_dim is 32",
        "normalize_before is true", "static_position_embeddings is false",
        "tie_encoder_decoder is true", "has pruned_heads", "attention_dropout is 1.5"}) {
    EXPECT_THAT(fault, HasSubstr(reason));
  }
  EXPECT_EQ(Fault({{"pruned_heads", json::object()}, {"normalize_before", nullptr}}), "");
}

TEST_F(HuggingFaceClassTest, OtherTypesAndNumbersAreUserErrors) {
  EXPECT_THAT(Fault({{"model_type", "bert"}}), HasSubstr("model_type is bert"));
  EXPECT_THAT(Fault({{"model_type", 3}}), HasSubstr("does not describe a model"));
  EXPECT_THAT(Fault({{"d_model", 16.5}}), HasSubstr("d_model is 16.5, not a whole number"));
  EXPECT_THAT(Fault({{"d_model", true}}), HasSubstr("d_model is true, not a whole number"));
  EXPECT_THAT(Fault({{"eos_token_id", int64_t{1} << 32}}), HasSubstr("which is no token"));
  EXPECT_THAT(Fault({{"decoder_start_token_id", nullptr}}), HasSubstr("not a whole number"));
  WriteFile(directory_ / "config.json", std::string(1'000'000, '['));
  EXPECT_THROW(ReadHuggingFaceClass(directory_ / "config.json"), UserError);
  WriteFile(directory_ / "config.json", "[]");
  EXPECT_THROW(ReadHuggingFaceClass(directory_ / "config.json"), UserError);
}

}  // namespace
}  // namespace heed
