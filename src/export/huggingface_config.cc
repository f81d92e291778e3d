#include "export/huggingface_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "checkpoint/checkpoint.h"
#include "checkpoint/run_state.h"
#include "config/recipe_writer.h"
#include "export/huggingface_tokenizer.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const char* ActivationName(ActivationKind kind) {
  switch (kind) {
    case ActivationKind::kRelu:
      return "relu";
    case ActivationKind::kGelu:
      return "gelu";
    case ActivationKind::kSilu:
      return "silu";
  }
  return "";
}

int64_t StartId(const ModelSource& model) {
  return model.shape().begin_id >= 0 ? model.shape().begin_id : HuggingFacePadding(model);
}

// Tokens that a sentence may have, unless a call says otherwise.
int64_t MaxLength(const ModelOptions& options) {
  constexpr int64_t kMost = 512;
  const bool is_learned = options.positions.kind == PositionKind::kLearned;
  return is_learned ? std::min(kMost, options.positions.max_length) : kMost;
}

Json MakeConfig(const ModelSource& model, const HuggingFaceFlavour& flavour) {
  const ModelOptions& options = model.options();
  const bool is_shared = options.tie_embeddings == EmbeddingTying::kAll;
  const bool has_learned_positions = options.positions.kind == PositionKind::kLearned;
  const int64_t tokens = HuggingFacePadding(model) + 1;
  const int32_t begin = model.vocabularies().target->bos_id();
  return {{"model_type", flavour.model_type},
          {"architectures", Json::array({flavour.architecture})},
          {"tokenizer_class", "MarianTokenizer"},
          {"torch_dtype", flavour.torch_dtype},
          {"is_encoder_decoder", true},
          {"vocab_size", tokens},
          {"decoder_vocab_size", tokens},
          {"d_model", options.model_width},
          {"encoder_layers", options.encoder_layers},
          {"decoder_layers", options.decoder_layers},
          {"num_hidden_layers", options.encoder_layers},
          {"encoder_attention_heads", options.heads},
          {"decoder_attention_heads", options.heads},
          {"encoder_ffn_dim", options.feed_forward_width},
          {"decoder_ffn_dim", options.feed_forward_width},
          {"activation_function", ActivationName(options.activation)},
          {"max_position_embeddings",
           has_learned_positions ? options.positions.max_length : kHuggingFacePositions},
          {"scale_embedding", options.scale_embeddings},
          {"share_encoder_decoder_embeddings", is_shared},
          {"tie_word_embeddings", options.tie_embeddings != EmbeddingTying::kNone},
          {"pad_token_id", HuggingFacePadding(model)},
          {"eos_token_id", model.vocabularies().target->eos_id()},
          {"bos_token_id", begin >= 0 ? Json(begin) : Json()},
          {"decoder_start_token_id", StartId(model)},
          {"forced_eos_token_id", nullptr},
          {"dropout", options.dropout.residual},
          {"attention_dropout", options.dropout.attention},
          {"activation_dropout", options.dropout.activation},
          {"use_cache", true}};
}

// What the recipe's decoding section says, as far as `generate` has it.
Json MakeGeneration(const ModelSource& model) {
  const DecodingOptions& decoding = model.recipe().decoding;
  const int64_t padding = HuggingFacePadding(model);
  auto never = Json::array({Json::array({padding})});
  if (decoding.suppress_unknown) {
    never.push_back(Json::array({model.vocabularies().target->unk_id()}));
  }
  const bool is_normalized = decoding.length_penalty.kind != LengthPenaltyKind::kNone;
  return {{"pad_token_id", padding},
          {"eos_token_id", model.vocabularies().target->eos_id()},
          {"decoder_start_token_id", StartId(model)},
          {"bad_words_ids", never},
          {"forced_eos_token_id", nullptr},
          {"max_length", MaxLength(model.options())},
          {"num_beams", decoding.beam},
          {"length_penalty", is_normalized ? decoding.length_penalty.alpha : 0.0}};
}

// Best validation scores, if the model comes from a training that measured them.
std::string ScoreLines(const ModelSource& model) {
  const fs::path state = model.directory() / kStateFile;
  std::error_code ignored;
  if (!fs::exists(state, ignored)) return "";
  std::string lines = "\n## Validation\n\n| metric | best | at update |\n| --- | --- | --- |\n";
  const RunState run = ReadRunState(state);
  for (const auto& [metric, best] : run.best) {
    lines += fmt::format("| {} | {:.4f} | {} |\n", metric, best.value, best.update);
  }
  return run.best.empty() ? "" : lines;
}

std::string MakeCard(const ModelSource& model, const HuggingFaceFlavour& flavour) {
  const DataOptions& data = model.recipe().data;
  return fmt::format(R"(---
library_name: {0}
tags: [translation]
language: ["{1}", "{2}"]
---
# {3}: {1} to {2}

Trained with Heed; weights of update {4}. The recipe is in recipe.yaml.

{5}{6})",
                     flavour.library, data.source_language, data.target_language,
                     model.recipe().name, model.update(), flavour.usage, ScoreLines(model));
}

}  // namespace

int64_t HuggingFacePadding(const ModelSource& model) {
  return std::max(model.shape().source_vocabulary, model.shape().target_vocabulary);
}

void WriteHuggingFaceConfig(const ModelSource& model, const HuggingFaceFlavour& flavour,
                            const fs::path& directory) {
  const auto write = [&](const char* name, const Json& json) {
    constexpr int kIndent = 1;
    WriteFile(directory / name, json.dump(kIndent) + "\n");
  };
  Json config = MakeConfig(model, flavour);
  if (!flavour.onnx_dtype.empty()) {
    config["transformers.js_config"] = {{"dtype", flavour.onnx_dtype}};
  }
  write("config.json", config);
  write("generation_config.json", MakeGeneration(model));
  WriteHuggingFaceTokenizer(model, HuggingFacePadding(model), MaxLength(model.options()),
                            directory);
  WriteFile(directory / kRecipeFile, WriteRecipe(model.recipe()));
  WriteFile(directory / "README.md", MakeCard(model, flavour));
}

}  // namespace heed
