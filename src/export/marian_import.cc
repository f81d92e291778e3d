#include "export/marian_import.h"

#include <utility>

#include "export/marian_files.h"
#include "export/marian_model.h"
#include "export/marian_pieces.h"
#include "text/listed_tokenizer.h"
#include "text/sentencepiece_tokenizer.h"
#include "util/check.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

bool IsSentencePiece(const fs::path& path) {
  return path.extension() == ".spm" || path.extension() == ".model";
}

// `rows`: of the model's embedding. Marian cuts longer lists off.
std::shared_ptr<const PieceList> LoadMarianList(const fs::path& path, int64_t rows) {
  std::vector<std::string> pieces = ReadMarianPieces(path);
  if (std::ssize(pieces) < rows) {
    ThrowUserError("{} has {} pieces, but the model has {}: is it this model's?", path.string(),
                   pieces.size(), rows);
  }
  pieces.resize(static_cast<size_t>(rows));
  std::vector<std::string> prefixes;
  for (const std::string& piece : pieces) {
    if (IsLanguageMark(piece)) prefixes.push_back(piece);
  }
  return std::make_shared<const PieceList>(std::move(pieces), PieceMarks(), prefixes,
                                           path.string());
}

// Where the vocabularies of both sides are, as far as that is known.
struct MarianSide {
  std::string name;  // "source"
  fs::path list;     // gives the ids; may be a SentencePiece model itself
  fs::path cutter;   // the SentencePiece model that cuts text for a list
  int64_t rows = 0;  // of the model's embedding
};

std::shared_ptr<const Tokenizer> LoadMarianSide(const MarianSide& side,
                                                std::shared_ptr<const PieceList> list) {
  const fs::path model = list == nullptr ? side.list : side.cutter;
  if (model.empty()) {
    ThrowUserError(
        "the {} vocabulary needs a SentencePiece model ({}.spm beside the model, or "
        "--{}-vocabulary){}",
        side.name, side.name, side.name,
        list == nullptr ? "" : fmt::format(": {} has only the ids", side.list.string()));
  }
  auto cutter = SentencePieceTokenizer::Load(model);
  if (list != nullptr) return std::make_shared<ListedTokenizer>(std::move(cutter), std::move(list));
  if (cutter->size() != side.rows) {
    ThrowUserError("{} has {} pieces, but the model has {}: is it this model's?", model.string(),
                   cutter->size(), side.rows);
  }
  return cutter;
}

fs::path IfThere(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) ? path : fs::path();
}

MarianSide FindMarianSide(const MarianModelFiles& files, size_t index, const std::string& given,
                          int64_t rows) {
  const fs::path directory = files.model.parent_path();
  MarianSide side{.name = index == 0 ? "source" : "target", .list = {}, .cutter = {}, .rows = rows};
  if (!files.vocabularies.empty()) side.list = files.vocabularies[index];
  // The names of Heed's exports and of OPUS-MT.
  for (const std::string& name :
       {std::string("vocab.spm"), std::string(index == 0 ? "vocab.src.spm" : "vocab.trg.spm"),
        std::string("vocab.yml"), std::string(index == 0 ? "src.vocab.yml" : "trg.vocab.yml")}) {
    if (side.list.empty()) side.list = IfThere(directory / name);
  }
  const bool is_list = !side.list.empty() && !IsSentencePiece(side.list);
  if (!given.empty()) (is_list ? side.cutter : side.list) = given;
  if (is_list && side.cutter.empty()) side.cutter = IfThere(directory / (side.name + ".spm"));
  return side;
}

Vocabularies LoadMarianVocabularies(const MarianModelFiles& files, const TransformerShape& shape,
                                    const ImportVocabularies& given) {
  const MarianSide source = FindMarianSide(files, 0, given.source, shape.source_vocabulary);
  const MarianSide target = FindMarianSide(files, 1, given.target, shape.target_vocabulary);
  const auto load_list = [](const MarianSide& side) -> std::shared_ptr<const PieceList> {
    if (side.list.empty() || IsSentencePiece(side.list)) return nullptr;
    return LoadMarianList(side.list, side.rows);
  };
  const auto source_list = load_list(source);
  const bool is_one_list = source.list == target.list && source.rows == target.rows;
  Vocabularies vocabularies;
  vocabularies.source = LoadMarianSide(source, source_list);
  vocabularies.target = LoadMarianSide(target, is_one_list ? source_list : load_list(target));
  if (vocabularies.source->fingerprint() == vocabularies.target->fingerprint()) {
    vocabularies.target = vocabularies.source;
  }
  return vocabularies;
}

}  // namespace

ImportedModel ImportMarian(const fs::path& path, const ImportVocabularies& given) {
  const MarianModelFiles files = FindMarianModelFiles(path);
  ReadBackModel model = ReadMarianModel(files.model);
  ImportedModel imported;
  imported.vocabularies = LoadMarianVocabularies(files, model.shape, given);
  if (model.shape.options.tie_embeddings == EmbeddingTying::kAll &&
      !imported.vocabularies.shares_ids()) {
    ThrowUserError("{} has one embedding for both sides, but their vocabularies differ",
                   files.model.string());
  }
  imported.shape = model.shape;
  imported.decoding = files.decoding;
  imported.fill = std::move(model.fill);
  return imported;
}

}  // namespace heed
