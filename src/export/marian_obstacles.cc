#include "export/marian_obstacles.h"

#include <fmt/format.h>

#include "config/scalar_text.h"
#include "export/marian_config.h"
#include "export/marian_format.h"
#include "text/piece_list.h"
#include "text/utf8.h"

namespace heed {
namespace {

using Reasons = std::vector<std::string>;

void FindPositionObstacles(const ModelOptions& options, Reasons& reasons) {
  const PositionOptions& positions = options.positions;
  if (positions.kind != PositionKind::kSinusoidal) {
    reasons.push_back(fmt::format(
        "its positions are {}; Marian's are sinusoidal (model.positions.kind: sinusoidal)",
        EnumToString(positions.kind)));
    return;
  }
  if (positions.frequency != SinusoidFrequency::kT2t) {
    reasons.push_back(
        fmt::format("its sinusoids have the frequencies '{}'; Marian's have those of "
                    "model.positions.frequency: t2t",
                    EnumToString(positions.frequency)));
  }
  if (positions.offset != 0) {
    reasons.push_back(fmt::format(
        "its first position is {}; Marian's is 0 (model.positions.offset: 0)", positions.offset));
  }
}

void FindLayerObstacles(const ModelOptions& options, Reasons& reasons) {
  if (options.gated) {
    reasons.emplace_back("its feed-forward layers are gated; Marian has none (model.gated: false)");
  }
  if (MarianActivation(options.activation).empty()) {
    reasons.push_back(
        fmt::format("its activation is {}; Marian's function of that name is another one "
                    "(model.activation: relu or silu)",
                    EnumToString(options.activation)));
  }
  if (!options.scale_embeddings) {
    reasons.emplace_back(
        "its embeddings are not scaled; Marian scales them (model.scale_embeddings: true)");
  }
  if (options.decoder_start != DecoderStart::kZero) {
    reasons.emplace_back(
        "its decoder starts from a learned vector; Marian's starts from zeros "
        "(model.decoder_start: zero)");
  }
  // Up to that the difference is measured when the files are read back.
  constexpr double kLargestEpsilon = 1e-5;
  if (options.layer_norm_epsilon > kLargestEpsilon) {
    reasons.push_back(fmt::format(
        "its layer norm adds {} to the variance and Marian's adds {} (model.layer_norm_epsilon)",
        FormatNumber(options.layer_norm_epsilon), FormatNumber(kMarianEpsilon)));
  }
}

void FindVocabularyObstacles(const Tokenizer& tokenizer, Reasons& reasons) {
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    if (!FindBadUtf8(tokenizer.piece(id))) continue;
    reasons.push_back(fmt::format("piece {} of its vocabulary is not UTF-8", id));
  }
  // Marian asks the SentencePiece model for both ids, its readers of YAML ask for these names.
  const std::string& end = tokenizer.piece(tokenizer.eos_id());
  if (end != "</s>") {
    reasons.push_back(fmt::format("its end mark is written '{}'; Marian's is '</s>'", end));
  }
  const std::string& unknown = tokenizer.piece(tokenizer.unk_id());
  if (unknown != "<unk>") {
    reasons.push_back(
        fmt::format("its unknown piece is written '{}'; Marian's is '<unk>'", unknown));
  }
}

}  // namespace

std::vector<std::string> FindMarianObstacles(const ModelSource& model, ElementType type) {
  const ModelOptions& options = model.options();
  if (options.architecture != Architecture::kTransformer) {
    return {fmt::format("its architecture is {}; only Transformers can be written for Marian yet",
                        EnumToString(options.architecture))};
  }
  Reasons reasons;
  if (type != ElementType::kFloat32) {
    reasons.push_back(fmt::format("Marian's files hold float32, not {}; choose --type float32",
                                  EnumToString(type)));
  }
  FindLayerObstacles(options, reasons);
  FindPositionObstacles(options, reasons);
  if (!EndsSource(*model.vocabularies().source, 1)) {
    reasons.emplace_back("its sources get no end mark; Marian's always do");
  }
  FindVocabularyObstacles(*model.vocabularies().source, reasons);
  if (!model.vocabularies().shares_ids()) {
    FindVocabularyObstacles(*model.vocabularies().target, reasons);
  }
  return reasons;
}

}  // namespace heed
