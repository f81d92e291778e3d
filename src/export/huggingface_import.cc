#include "export/huggingface_import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "export/huggingface_generation.h"
#include "export/huggingface_model.h"
#include "export/huggingface_names.h"
#include "export/huggingface_vocabulary.h"
#include "export/known_positions.h"
#include "nn/sinusoid.h"
#include "text/listed_tokenizer.h"
#include "util/check.h"
#include "util/files.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// How many of the ids of each side are kept, and whether the token that decoding starts with is.
struct KeptIds {
  int64_t source = 0, target = 0;
  bool keeps_start = true;
};

bool IsZero(const RowSource& table, int64_t row) {
  std::vector<float> values(static_cast<size_t>(table.columns));
  table.read(row, values);
  return std::ranges::all_of(values, [](float value) { return value == 0; });
}

// Finds the ids at the end that only are there because the classes need a padding token: no text
// has them, and their logits are so low that their probability is 0 in float32.
class PaddingFinder {
 public:
  PaddingFinder(const HuggingFaceModel& model, const HuggingFaceVocabulary& vocabulary)
      : model_(model), vocabulary_(vocabulary) {}

  KeptIds Find() const {
    const TransformerShape& shape = model_.type.shape;
    KeptIds kept{.source = shape.source_vocabulary, .target = shape.target_vocabulary};
    if (!shape.options.output_bias) return kept;
    const std::vector<float> bias = ReadBias();
    const RowSource table = model_.weights.Rows(
        NameOf(shape.options.tie_embeddings == EmbeddingTying::kAll ? "embedding.weight"
                                                                    : "target_embedding.weight"));
    while (kept.target > 1 && IsIdle(vocabulary_.target, kept.target - 1) &&
           bias[static_cast<size_t>(kept.target - 1)] <= kNever && IsZero(table, kept.target - 1)) {
      --kept.target;
    }
    if (vocabulary_.shares_ids) {
      kept.source = kept.target;
    } else {
      while (kept.source > 1 && IsIdle(vocabulary_.source, kept.source - 1)) --kept.source;
    }
    kept.keeps_start = shape.begin_id < kept.target;
    return kept;
  }

 private:
  static constexpr float kNever = -1e4F;

  std::string NameOf(std::string_view ours) const {
    return std::ranges::find(model_.names, ours, &TensorName::ours)->theirs;
  }
  bool IsIdle(const std::vector<std::string>& pieces, int64_t id) const {
    const std::string& piece = pieces[static_cast<size_t>(id)];
    return piece.empty() || piece == vocabulary_.padding;
  }
  std::vector<float> ReadBias() const {
    const RowSource bias = model_.weights.Rows(NameOf("output.bias"));
    std::vector<float> values(static_cast<size_t>(bias.columns));
    bias.read(0, values);
    return values;
  }

  const HuggingFaceModel& model_;
  const HuggingFaceVocabulary& vocabulary_;
};

// Makes Heed's tokenizers of what the directory has.
class TokenizerMaker {
 public:
  TokenizerMaker(const HuggingFaceVocabulary& vocabulary, const KeptIds& kept, int32_t begin_id)
      : vocabulary_(vocabulary), kept_(kept), begin_id_(kept.keeps_start ? begin_id : -1) {}

  Vocabularies Make() const {
    const bool is_one_model =
        ReadFile(vocabulary_.source_model) == ReadFile(vocabulary_.target_model);
    const bool shares_ids = vocabulary_.shares_ids;
    // Two models share ids by equal lists, which start marks are part of.
    const bool wants_list = shares_ids && !is_one_model;
    Vocabularies vocabularies;
    vocabularies.source = Side(vocabulary_.source_model, First(vocabulary_.source, kept_.source),
                               shares_ids ? begin_id_ : -1, wants_list);
    vocabularies.target = shares_ids && is_one_model ? vocabularies.source
                                                     : Side(vocabulary_.target_model,
                                                            First(vocabulary_.target, kept_.target),
                                                            begin_id_, wants_list);
    return vocabularies;
  }

 private:
  static std::vector<std::string> First(std::vector<std::string> pieces, int64_t count) {
    pieces.resize(static_cast<size_t>(count));
    return pieces;
  }

  std::shared_ptr<const Tokenizer> Side(const fs::path& path, std::vector<std::string> pieces,
                                        int32_t begin_id, bool wants_list) const {
    auto cutter = SentencePieceTokenizer::Load(path);
    if (!wants_list && IsSame(*cutter, pieces, begin_id)) return cutter;
    PieceMarks marks{.end = vocabulary_.end, .unknown = vocabulary_.unknown};
    std::vector<std::string> prefixes;
    for (size_t id = 0; id < pieces.size(); ++id) {
      std::string& piece = pieces[id];
      const bool is_unused = piece.empty();
      if (is_unused) piece = fmt::format("<unused {}>", id);
      if (static_cast<int64_t>(id) == begin_id) marks.begin = piece;
      const bool is_mark = piece == marks.end || piece == marks.unknown || piece == marks.begin;
      const bool is_special = vocabulary_.specials.contains(piece) || piece == vocabulary_.padding;
      if (!is_mark && (is_unused || is_special)) prefixes.push_back(piece);
    }
    return std::make_shared<ListedTokenizer>(
        std::move(cutter), std::make_shared<PieceList>(std::move(pieces), std::move(marks),
                                                       std::move(prefixes), path.string()));
  }

  // The SentencePiece model gives the ids itself.
  bool IsSame(const SentencePieceTokenizer& cutter, const std::vector<std::string>& pieces,
              int32_t begin_id) const {
    if (cutter.size() != std::ssize(pieces) || (begin_id >= 0 && cutter.bos_id() != begin_id)) {
      return false;
    }
    for (int32_t id = 0; id < cutter.size(); ++id) {
      if (cutter.piece(id) != pieces[static_cast<size_t>(id)]) return false;
    }
    return pieces[static_cast<size_t>(cutter.eos_id())] == vocabulary_.end &&
           pieces[static_cast<size_t>(cutter.unk_id())] == vocabulary_.unknown;
  }

  const HuggingFaceVocabulary& vocabulary_;
  const KeptIds& kept_;
  int32_t begin_id_;
};

// Rows of the formula, where only one of the stacks has a table.
RowSource FormulaRows(const PositionOptions& options, int64_t rows, int64_t width) {
  return {.name = "positions",
          .rows = rows,
          .columns = width,
          .read = [options, width](int64_t row, std::span<float> values) {
            PositionOptions from_row = options;
            from_row.offset += row;
            std::ranges::transform(SinusoidTable(from_row, 1, width), values.begin(),
                                   [](double value) { return static_cast<float>(value); });
          }};
}

using RowOpener = std::function<RowSource(const std::string&)>;

// Adds tables of positions to the names if the model has others than a formula, and returns what
// opens them.
RowOpener AddPositions(HuggingFaceModel* model, RowOpener open) {
  PositionOptions& positions = model->type.shape.options.positions;
  const PositionOptions formula = positions;
  const HuggingFaceWeights weights = model->weights;
  const auto recognise = [&](const char* name) -> std::optional<PositionOptions> {
    if (!model->type.loads_positions || !weights.Contains(name)) return formula;
    const RowSource table = weights.Rows(name);
    if (table.is_vector || table.rows != model->type.max_positions ||
        table.columns != model->type.shape.options.model_width) {
      ThrowUserError("tensor '{}' is [{}, {}]; the model needs [{}, {}]", name, table.rows,
                     table.columns, model->type.max_positions,
                     model->type.shape.options.model_width);
    }
    return RecognisePositions(table);
  };
  const auto encoder = recognise(kHuggingFaceEncoderPositions);
  const auto decoder = recognise(kHuggingFaceDecoderPositions);
  if (encoder && encoder == decoder) {
    positions = *encoder;
    return open;
  }
  positions.kind = PositionKind::kLearned;
  positions.max_length = model->type.max_positions;
  RequirePlausible(model->type.shape);
  model->names.push_back({kHuggingFaceEncoderPositions, "encoder.positions"});
  model->names.push_back({kHuggingFaceDecoderPositions, "decoder.positions"});
  return [=, rows = positions.max_length,
          width = model->type.shape.options.model_width](const std::string& name) {
    const bool is_table =
        name == kHuggingFaceEncoderPositions || name == kHuggingFaceDecoderPositions;
    if (is_table && !weights.Contains(name)) return FormulaRows(formula, rows, width);
    return open(name);
  };
}

// Opens tensors without the rows of ids that are not kept.
RowOpener OpenKept(const HuggingFaceModel& model, const KeptIds& kept) {
  std::map<std::string, std::pair<int64_t, int64_t>> sizes;  // stored and kept
  for (const TensorName& name : model.names) {
    if (!IsPerToken(name)) continue;
    const bool is_source = name.ours == "source_embedding.weight";
    sizes[name.theirs] = {
        is_source ? model.type.shape.source_vocabulary : model.type.shape.target_vocabulary,
        is_source ? kept.source : kept.target};
  }
  return [weights = model.weights, sizes](const std::string& name) {
    RowSource rows = weights.Rows(name);
    if (name == kHuggingFaceOutputBias && rows.rows == 1) rows.is_vector = true;
    const auto size = sizes.find(name);
    if (size == sizes.end() || rows.outputs() != size->second.first) return rows;
    return SliceOutputs(std::move(rows), 0, size->second.second);
  };
}

// The piece that a model of several languages wants first for a language.
std::string LanguagePiece(const HuggingFaceVocabulary& vocabulary, const std::string& language,
                          const char* option) {
  if (vocabulary.languages.empty()) return "";
  const auto found = vocabulary.languages.find(language);
  if (found != vocabulary.languages.end()) return found->second;
  std::vector<std::string> codes;
  for (const auto& [code, piece] : vocabulary.languages) codes.push_back(code);
  ThrowUserError("the model must be told its languages; give {}, one of {}", option,
                 fmt::join(codes, " "));
}

void SetLanguages(const HuggingFaceVocabulary& vocabulary, const HuggingFaceGeneration& generation,
                  const ImportLanguages& given, ImportedModel* imported) {
  const auto choose = [](const std::string& first, const std::string& second) {
    return first.empty() ? second : first;
  };
  imported->source_language = choose(given.source, vocabulary.source_language);
  imported->target_language = choose(given.target, vocabulary.target_language);
  imported->source_prefix =
      LanguagePiece(vocabulary, imported->source_language, "--source-language");
  if (generation.first_token && given.target.empty()) {
    imported->target_prefix = imported->vocabularies.target->piece(*generation.first_token);
    return;
  }
  imported->target_prefix =
      LanguagePiece(vocabulary, imported->target_language, "--target-language");
}

}  // namespace

ImportedModel ImportHuggingFace(const fs::path& directory, const ImportVocabularies& given,
                                const ImportLanguages& languages) {
  HuggingFaceModel model = OpenHuggingFace(directory);
  ImportedModel imported;
  try {
    RequireTensorsFit(model.type.shape, model.names,
                      [&](const std::string& name) { return model.weights.Rows(name); });
    const HuggingFaceVocabulary vocabulary =
        ReadHuggingFaceVocabulary(directory, model.type, given);
    const KeptIds kept = PaddingFinder(model, vocabulary).Find();
    imported.vocabularies = TokenizerMaker(vocabulary, kept, model.type.shape.begin_id).Make();
    if (model.type.shape.options.tie_embeddings == EmbeddingTying::kAll &&
        !imported.vocabularies.shares_ids()) {
      ThrowUserError("config.json has one table for both sides, and the tokenizer has two lists");
    }
    const HuggingFaceGeneration generation =
        ReadHuggingFaceGeneration(directory, model.type, imported.vocabularies.target->unk_id());
    const RowOpener open = AddPositions(&model, OpenKept(model, kept));
    imported.shape = model.type.shape;
    imported.shape.source_vocabulary = kept.source;
    imported.shape.target_vocabulary = kept.target;
    if (!kept.keeps_start) {  // a row of zeros
      imported.shape.options.decoder_start = DecoderStart::kZero;
      imported.shape.begin_id = -1;
    }
    RequirePlausible(imported.shape);
    imported.decoding = generation.decoding;
    SetLanguages(vocabulary, generation, languages, &imported);
    imported.fill = FillFrom(imported.shape, model.names, open);
  } catch (const UserError& error) {
    ThrowUserError("{} cannot be imported: {}", directory.string(), error.what());
  }
  return imported;
}

}  // namespace heed
