#include "export/huggingface_tokenizer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "export/tokenizer_json.h"
#include "text/piece_list.h"
#include "text/utf8.h"
#include "util/files.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

Json MakeTokenizerConfig(const ModelSource& model, int64_t max_length) {
  const Tokenizer& target = *model.vocabularies().target;
  return {{"tokenizer_class", "MarianTokenizer"},
          {"source_lang", model.recipe().data.source_language},
          {"target_lang", model.recipe().data.target_language},
          {"separate_vocabs", !model.vocabularies().shares_ids()},
          {"unk_token", target.piece(target.unk_id())},
          {"eos_token", target.piece(target.eos_id())},
          {"pad_token", kHuggingFacePaddingPiece},
          {"clean_up_tokenization_spaces", false},
          {"model_max_length", max_length}};
}

void AddVocabularyObstacles(const Tokenizer& tokenizer, std::vector<std::string>* reasons) {
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    if (tokenizer.piece(id) == kHuggingFacePaddingPiece) {
      reasons->push_back(fmt::format("its vocabulary has a piece {}, which the export must add",
                                     kHuggingFacePaddingPiece));
    }
    if (FindBadUtf8(tokenizer.piece(id))) {
      reasons->push_back(fmt::format("piece {} of its vocabulary is not UTF-8", id));
    }
  }
}

}  // namespace

void AddHuggingFaceTokenizerObstacles(const Vocabularies& vocabularies,
                                      std::vector<std::string>* reasons) {
  if (!EndsSource(*vocabularies.source, 1)) {
    reasons->emplace_back("its sources get no end mark; MarianTokenizer always adds one");
  }
  AddVocabularyObstacles(*vocabularies.source, reasons);
  if (!vocabularies.shares_ids()) AddVocabularyObstacles(*vocabularies.target, reasons);
}

void WriteHuggingFaceTokenizer(const ModelSource& model, int64_t padding, int64_t max_length,
                               const std::filesystem::path& directory) {
  const auto write = [&](const char* name, const Json& json) {
    constexpr int kIndent = 1;
    WriteFile(directory / name, json.dump(kIndent) + "\n");
  };
  const Vocabularies& vocabularies = model.vocabularies();
  write("tokenizer_config.json", MakeTokenizerConfig(model, max_length));
  write("vocab.json", PieceIds(*vocabularies.source, padding));
  if (!vocabularies.shares_ids()) {
    write("target_vocab.json", PieceIds(*vocabularies.target, padding));
  } else if (vocabularies.is_joint() && HasTokenizerJson(*vocabularies.source)) {
    write("tokenizer.json", MakeTokenizerJson(*vocabularies.source, padding));
  }
  // One joint model goes by both names: the tokenizer wants both.
  WriteFile(directory / "source.spm", vocabularies.source->serialized());
  WriteFile(directory / "target.spm", vocabularies.target->serialized());
}

}  // namespace heed
