#include "export/ctranslate2_export.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "export/ctranslate2_names.h"
#include "export/ctranslate2_writer.h"
#include "export/portable_weights.h"
#include "text/piece_list.h"
#include "text/utf8.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// CTranslate2 throws beyond the table; by default it cuts sources at 1024 tokens.
constexpr int64_t kPositions = 2048;
constexpr int kJsonIndent = 1;

std::vector<Ctranslate2Variable> MakeAttributes(const ModelOptions& options) {
  using enum Ctranslate2Type;
  std::vector<Ctranslate2Variable> attributes;
  for (const std::string stack : {"encoder", "decoder"}) {
    attributes.push_back(Ctranslate2Scalar(stack + "/num_heads", kInt16, options.heads));
    attributes.push_back(
        Ctranslate2Scalar(stack + "/pre_norm", kInt8, options.norm == NormPosition::kBefore));
    attributes.push_back(
        Ctranslate2Scalar(stack + "/activation", kInt8, Ctranslate2Activation(options.activation)));
    attributes.push_back(
        Ctranslate2Scalar(stack + "/scale_embeddings", kInt8, options.scale_embeddings));
  }
  attributes.push_back(Ctranslate2Scalar("encoder/embeddings_merge", kInt8, 0));
  attributes.push_back(Ctranslate2Scalar("decoder/start_from_zero_embedding", kInt8,
                                         options.decoder_start == DecoderStart::kZero));
  // Alignments come from the first head of the last layer.
  attributes.push_back(Ctranslate2Scalar("decoder/alignment_layer", kInt16, -1));
  attributes.push_back(Ctranslate2Scalar("decoder/alignment_heads", kInt16, 1));
  return attributes;
}

RowSource RowsOf(const PortableWeights& weights, const TensorName& name) {
  RowSource rows = weights.Rows(name.ours);
  if (name.count == TensorName::kAll) return rows;
  return SliceOutputs(std::move(rows), name.first, name.count);
}

void WriteModelFile(const ModelSource& model, ElementType type, const fs::path& path) {
  const PortableWeights weights(model);
  const ModelOptions& options = weights.options();
  std::vector<Ctranslate2Variable> variables = MakeAttributes(options);
  const auto add = [&](const std::string& name, RowSource rows) {
    std::ranges::move(Ctranslate2Tensor(name, std::move(rows), type, name.ends_with("/weight")),
                      std::back_inserter(variables));
  };
  for (const TensorName& name : Ctranslate2Names(options)) {
    add(name.theirs, RowsOf(weights, name));
  }
  add(kCtranslate2DecoderPositions, weights.Positions("decoder", kPositions));
  if (options.positions.kind == PositionKind::kLearned) {
    add(kCtranslate2EncoderPositions, weights.Positions("encoder", kPositions));
  }
  WriteCtranslate2File(path, std::move(variables), Ctranslate2Aliases(options));
}

void WriteVocabulary(const Tokenizer& tokenizer, const fs::path& path) {
  auto pieces = Json::array();
  for (int32_t id = 0; id < tokenizer.size(); ++id) pieces.push_back(tokenizer.piece(id));
  WriteFile(path, pieces.dump(kJsonIndent) + "\n");
}

// The begin mark is used only if the model has learned it; the name of an absent one is harmless.
std::string BeginMark(const Tokenizer& tokenizer) {
  return tokenizer.bos_id() >= 0 ? tokenizer.piece(tokenizer.bos_id()) : "<s>";
}

void WriteConfig(const ModelSource& model, const fs::path& path) {
  const Tokenizer& target = *model.vocabularies().target;
  const std::string end = target.piece(target.eos_id());
  const bool learned = model.options().decoder_start == DecoderStart::kLearned;
  const Json config = {{"add_source_bos", false},
                       {"add_source_eos", EndsSource(*model.vocabularies().source, 1)},
                       {"bos_token", BeginMark(target)},
                       {"decoder_start_token", learned ? BeginMark(target) : end},
                       {"eos_token", end},
                       {"layer_norm_epsilon", model.options().layer_norm_epsilon},
                       {"multi_query_attention", false},
                       {"unk_token", target.piece(target.unk_id())}};
  WriteFile(path, config.dump(kJsonIndent) + "\n");
}

}  // namespace

std::vector<std::string> FindCtranslate2Obstacles(const ModelSource& model, ElementType type) {
  if (model.options().architecture != Architecture::kTransformer) {
    return {fmt::format("its architecture is {}; CTranslate2 runs Transformers only",
                        EnumToString(model.options().architecture))};
  }
  std::vector<std::string> reasons;
  for (const StoredTensor& tensor : model.weights().tensors()) {
    const int64_t bytes = tensor.elements * SizeOf(type);
    if (bytes > std::numeric_limits<uint32_t>::max()) {
      reasons.push_back(fmt::format("{} needs {}; a tensor of CTranslate2's may have {}",
                                    tensor.name, FormatBytes(bytes),
                                    FormatBytes(std::numeric_limits<uint32_t>::max())));
    }
  }
  const Vocabularies& vocabularies = model.vocabularies();
  for (const Tokenizer* tokenizer : {vocabularies.source.get(), vocabularies.target.get()}) {
    for (int32_t id = 0; id < tokenizer->size(); ++id) {
      if (!FindBadUtf8(tokenizer->piece(id))) continue;
      reasons.push_back(fmt::format("piece {} of its vocabulary is not UTF-8", id));
    }
    if (vocabularies.shares_ids()) break;
  }
  // The configuration names the marks once, for both sides.
  const Tokenizer& source = *vocabularies.source;
  const Tokenizer& target = *vocabularies.target;
  if (source.piece(source.eos_id()) != target.piece(target.eos_id()) ||
      source.piece(source.unk_id()) != target.piece(target.unk_id())) {
    reasons.emplace_back(
        "its two vocabularies write the end mark or the unknown piece differently");
  }
  return reasons;
}

void WriteCtranslate2Model(const ModelSource& model, ElementType type, const fs::path& directory) {
  WriteModelFile(model, type, directory / kCtranslate2ModelFile);
  WriteConfig(model, directory / kCtranslate2ConfigFile);
  const Vocabularies& vocabularies = model.vocabularies();
  if (vocabularies.shares_ids()) {
    WriteVocabulary(*vocabularies.source, directory / kCtranslate2SharedVocabulary);
  } else {
    WriteVocabulary(*vocabularies.source, directory / kCtranslate2SourceVocabulary);
    WriteVocabulary(*vocabularies.target, directory / kCtranslate2TargetVocabulary);
  }
  if (vocabularies.is_joint()) {
    WriteFile(directory / "sentencepiece.model", vocabularies.source->serialized());
    return;
  }
  WriteFile(directory / "source.spm", vocabularies.source->serialized());
  WriteFile(directory / "target.spm", vocabularies.target->serialized());
}

}  // namespace heed
