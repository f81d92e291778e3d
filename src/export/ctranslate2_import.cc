#include "export/ctranslate2_import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "export/ctranslate2_model.h"
#include "export/ctranslate2_names.h"
#include "export/known_positions.h"
#include "export/vocabulary_order.h"
#include "text/sentencepiece_tokenizer.h"
#include "util/check.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// Scalars that Heed obeys, or that only concern the output of alignments.
constexpr auto kKnownScalars = std::to_array<std::string_view>(
    {"encoder/num_heads", "decoder/num_heads", "encoder/pre_norm", "decoder/pre_norm",
     "encoder/activation", "decoder/activation", "encoder/scale_embeddings",
     "decoder/scale_embeddings", "decoder/start_from_zero_embedding", "decoder/alignment_layer",
     "decoder/alignment_heads"});

std::string FirstThatExists(const fs::path& directory, std::initializer_list<const char*> names) {
  std::error_code ignored;
  for (const char* name : names) {
    if (fs::exists(directory / name, ignored)) return (directory / name).string();
  }
  return "";
}

Vocabularies LoadBeside(const fs::path& directory, ImportVocabularies given) {
  const std::string shared =
      FirstThatExists(directory, {"sentencepiece.model", "../sentencepiece.model"});
  const auto choose = [&](std::string& path, const char* name) {
    if (path.empty()) path = FirstThatExists(directory, {name});
    if (path.empty()) path = shared;
  };
  choose(given.source, "source.spm");
  choose(given.target, "target.spm");
  if (given.source.empty() || given.target.empty()) {
    ThrowUserError(
        "{} has no sentencepiece.model, or source.spm and target.spm; name the SentencePiece model "
        "with --vocabulary",
        directory.string());
  }
  Vocabularies vocabularies;
  vocabularies.source = SentencePieceTokenizer::Load(given.source);
  vocabularies.target = SentencePieceTokenizer::Load(given.target);
  const bool is_joint = vocabularies.source->serialized() == vocabularies.target->serialized();
  if (is_joint) vocabularies.target = vocabularies.source;
  return vocabularies;
}

// What the model does otherwise than Heed, each a sentence.
std::vector<std::string> FindDifferences(const Ctranslate2Directory& model,
                                         const Vocabularies& vocabularies,
                                         const TensorNames& names) {
  std::vector<std::string> reasons;
  if (model.adds_source_begin || !model.adds_source_end) {
    reasons.push_back(
        fmt::format("it {} a begin mark and {} an end mark to sources; Heed adds the "
                    "end mark alone",
                    model.adds_source_begin ? "adds" : "does not add",
                    model.adds_source_end ? "adds" : "does not add"));
  }
  const bool starts_learned = model.options.decoder_start == DecoderStart::kLearned;
  if (starts_learned && (vocabularies.target->bos_id() < 0 || model.decoder_start != model.begin)) {
    reasons.push_back(fmt::format(
        "its decoder starts with '{}'; Heed starts with the vocabulary's begin mark, which is {}",
        model.decoder_start, vocabularies.target->bos_id() < 0 ? "absent" : model.begin));
  }
  if (model.options.tie_embeddings == EmbeddingTying::kAll && !vocabularies.is_joint()) {
    reasons.emplace_back("it has one table for both sides, and the SentencePiece models differ");
  }
  std::set<std::string> known{kCtranslate2EncoderPositions, kCtranslate2DecoderPositions};
  for (const TensorName& name : names) {
    known.insert(name.theirs);
    known.insert(name.theirs + kCtranslate2Factors);
  }
  for (const std::string& name : model.reader->Names()) {
    if (known.contains(name) || std::ranges::count(kKnownScalars, name) > 0) continue;
    if (model.reader->IsScalar(name) && model.reader->Scalar(name) == 0) continue;  // switched off
    reasons.push_back(fmt::format("Heed does not know '{}'", name));
  }
  return reasons;
}

// For each tensor with a row per piece, the rows that our ids want.
using VocabularyOrders = std::map<std::string, std::vector<int64_t>>;
VocabularyOrders OrdersOf(const Ctranslate2Directory& model, const Vocabularies& vocabularies) {
  const MarkNames marks{.unknown = model.unknown, .end = model.end, .begin = model.begin};
  const std::string list = "the vocabulary of " + model.reader->path().string();
  const std::vector<int64_t> target =
      VocabularyOrder(*vocabularies.target, model.target_pieces, marks, list);
  return {{"encoder/embeddings_0/weight",
           VocabularyOrder(*vocabularies.source, model.source_pieces, marks, list)},
          {"decoder/embeddings/weight", target},
          {"decoder/projection/weight", target},
          {"decoder/projection/bias", target}};
}

// The formula that both stacks use, if there is one.
std::optional<PositionOptions> FormulaOf(const Ctranslate2Reader& reader) {
  const auto decoder = RecognisePositions(reader.Rows(kCtranslate2DecoderPositions));
  const auto encoder = RecognisePositions(reader.Rows(kCtranslate2EncoderPositions));
  return decoder == encoder ? decoder : std::nullopt;
}

void RequireAlike(const Ctranslate2Directory& model, const Vocabularies& vocabularies,
                  const TensorNames& names) {
  const std::vector<std::string> reasons = FindDifferences(model, vocabularies, names);
  if (reasons.empty()) return;
  ThrowUserError("{} cannot be imported:\n  - {}", model.reader->path().string(),
                 fmt::join(reasons, "\n  - "));
}

}  // namespace

ImportedModel ImportCtranslate2(const fs::path& directory, const ImportVocabularies& given) {
  const Ctranslate2Directory model = OpenCtranslate2(directory);
  ImportedModel imported;
  imported.vocabularies = LoadBeside(directory, given);
  TensorNames names = Ctranslate2Names(model.options);
  RequireAlike(model, imported.vocabularies, names);
  const Tokenizer& target = *imported.vocabularies.target;
  imported.shape = {.options = model.options,
                    .source_vocabulary = imported.vocabularies.source->size(),
                    .target_vocabulary = target.size()};
  ModelOptions& options = imported.shape.options;
  if (options.decoder_start == DecoderStart::kLearned) imported.shape.begin_id = target.bos_id();
  RequirePlausible(imported.shape);
  if (const auto formula = FormulaOf(*model.reader)) {
    options.positions = *formula;
  } else {
    names.push_back({kCtranslate2EncoderPositions, "encoder.positions"});
    names.push_back({kCtranslate2DecoderPositions, "decoder.positions"});
  }
  const auto open = [reader = model.reader,
                     orders = OrdersOf(model, imported.vocabularies)](const std::string& name) {
    RowSource rows = reader->Rows(name);
    const auto order = orders.find(name);
    if (order == orders.end()) return rows;
    if (std::ranges::max(order->second) >= rows.outputs()) {
      ThrowUserError("{}: '{}' has {} rows, fewer than the vocabulary has pieces",
                     reader->path().string(), name, rows.outputs());
    }
    return SelectOutputs(std::move(rows), order->second);
  };
  imported.fill = FillFrom(imported.shape, names, open);
  return imported;
}

}  // namespace heed
