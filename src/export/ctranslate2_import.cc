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
#include "text/listed_tokenizer.h"
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

int64_t CountListed(const Tokenizer& tokenizer, const std::vector<std::string>& list) {
  const std::set<std::string_view> listed(list.begin(), list.end());
  int64_t count = 0;
  for (int32_t id = 0; id < tokenizer.size(); ++id) count += listed.contains(tokenizer.piece(id));
  return count;
}

// Whether the SentencePiece model can give the ids, because the list has all of its pieces.
bool HasOwnIds(const Ctranslate2Directory& model, const Tokenizer& tokenizer,
               const std::vector<std::string>& list) {
  const std::set<std::string_view> listed(list.begin(), list.end());
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    const std::string& piece = id == tokenizer.unk_id()   ? model.unknown
                               : id == tokenizer.eos_id() ? model.end
                               : id == tokenizer.bos_id() ? model.begin
                                                          : tokenizer.piece(id);
    if (!listed.contains(piece)) return false;
  }
  return true;
}

// A model whose ids SentencePiece's cannot be: the list has fewer pieces, or serves two models, or
// sources have no end mark.
bool NeedsList(const Ctranslate2Directory& model, const Vocabularies& vocabularies) {
  const bool is_one_table = model.options.tie_embeddings == EmbeddingTying::kAll;
  return !model.adds_source_end || (is_one_table && !vocabularies.is_joint()) ||
         !HasOwnIds(model, *vocabularies.source, model.source_pieces) ||
         !HasOwnIds(model, *vocabularies.target, model.target_pieces);
}

std::shared_ptr<const Tokenizer> MakeListed(const Tokenizer& cutter,
                                            const std::vector<std::string>& pieces,
                                            const PieceMarks& marks, const std::string& name) {
  if (2 * CountListed(cutter, pieces) < cutter.size()) {
    ThrowUserError(
        "{} lacks {} of the {} pieces of the SentencePiece model: is this the model that it was "
        "trained with?",
        name, cutter.size() - CountListed(cutter, pieces), cutter.size());
  }
  std::vector<std::string> prefixes;
  for (const std::string& piece : pieces) {
    if (IsLanguageMark(piece)) prefixes.push_back(piece);
  }
  return std::make_shared<ListedTokenizer>(
      std::make_unique<SentencePieceTokenizer>(cutter.serialized(), name),
      std::make_shared<const PieceList>(pieces, marks, prefixes, name));
}

Vocabularies WithLists(const Ctranslate2Directory& model, const Vocabularies& cutters) {
  const std::string name = "the vocabulary of " + model.reader->path().string();
  PieceMarks marks{
      .end = model.end, .unknown = model.unknown, .ends_source = model.adds_source_end};
  const bool is_shared = model.source_pieces == model.target_pieces;
  const bool starts_learned = model.options.decoder_start == DecoderStart::kLearned;
  if (starts_learned && is_shared) marks.begin = model.decoder_start;
  Vocabularies vocabularies;
  vocabularies.source = MakeListed(*cutters.source, model.source_pieces, marks, name);
  if (starts_learned) marks.begin = model.decoder_start;
  vocabularies.target = cutters.is_joint() && is_shared
                            ? vocabularies.source
                            : MakeListed(*cutters.target, model.target_pieces, marks, name);
  return vocabularies;
}

// What the model does otherwise than Heed, each a sentence.
std::vector<std::string> FindDifferences(const Ctranslate2Directory& model,
                                         const Vocabularies& vocabularies,
                                         const TensorNames& names) {
  std::vector<std::string> reasons;
  if (model.adds_source_begin) {
    reasons.emplace_back("it adds a begin mark to sources, which Heed does not");
  }
  const bool is_listed = vocabularies.target->list() != nullptr;
  const bool starts_learned = model.options.decoder_start == DecoderStart::kLearned;
  if (starts_learned && !is_listed &&
      (vocabularies.target->bos_id() < 0 || model.decoder_start != model.begin)) {
    reasons.push_back(fmt::format(
        "its decoder starts with '{}'; Heed starts with the vocabulary's begin mark, which is {}",
        model.decoder_start, vocabularies.target->bos_id() < 0 ? "absent" : model.begin));
  }
  if (model.options.tie_embeddings == EmbeddingTying::kAll && !vocabularies.shares_ids()) {
    reasons.emplace_back("it has one table for both sides, whose vocabularies differ");
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

// For each tensor with a row per piece, the rows that our ids want if SentencePiece gives them.
using VocabularyOrders = std::map<std::string, std::vector<int64_t>>;
VocabularyOrders OrdersOf(const Ctranslate2Directory& model, const Vocabularies& vocabularies) {
  if (vocabularies.target->list() != nullptr) return {};
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
  if (NeedsList(model, imported.vocabularies)) {
    imported.vocabularies = WithLists(model, imported.vocabularies);
  }
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
