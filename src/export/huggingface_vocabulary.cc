#include "export/huggingface_vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "export/huggingface_languages.h"
#include "text/sentencepiece_tokenizer.h"
#include "util/check.h"
#include "util/files.h"
#include "util/json_file.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kTokenizerFile = "tokenizer_config.json";

int64_t ParseId(const std::string& digits) {
  int64_t id = -1;
  const char* end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, id);
  if (result.ec != std::errc() || result.ptr != end) ThrowUserError("'{}' is no id", digits);
  return id;
}

class TokenizerFiles {
 public:
  TokenizerFiles(const fs::path& directory, const HuggingFaceClass& type,
                 const ImportVocabularies& given)
      : directory_(directory), type_(type), given_(given) {
    std::error_code ignored;
    config_ = json::object();
    if (fs::exists(directory / kTokenizerFile, ignored)) {
      config_ = ReadJsonFile(directory / kTokenizerFile);
    }
  }

  HuggingFaceVocabulary Read() {
    const std::string kind = Kind();
    vocabulary_.end = Token("eos_token", "</s>");
    vocabulary_.unknown = Token("unk_token", "<unk>");
    vocabulary_.padding = Token("pad_token", "<pad>");
    if (!config_.value("sp_model_kwargs", json::object()).empty()) {
      ThrowUserError("sp_model_kwargs is not empty: Heed cuts text as SentencePiece does without");
    }
    if (kind == "MarianTokenizer") {
      ReadMarian();
    } else if (kind == "PegasusTokenizer") {
      ReadPegasus();
    } else {
      ReadM2m100();
    }
    RequireAdded();
    RequireEnd();
    return std::move(vocabulary_);
  }

 private:
  std::string Kind() const {
    const std::string usual = type_.model_type == "marian"    ? "MarianTokenizer"
                              : type_.model_type == "pegasus" ? "PegasusTokenizer"
                                                              : "M2M100Tokenizer";
    std::string kind = Text("tokenizer_class", usual);
    if (kind == "PegasusTokenizerFast") kind = "PegasusTokenizer";
    if (kind == "MarianTokenizer" || kind == "PegasusTokenizer" || kind == "M2M100Tokenizer") {
      return kind;
    }
    ThrowUserError(
        "the tokenizer_class is {}; Heed reads MarianTokenizer, PegasusTokenizer and "
        "M2M100Tokenizer",
        kind);
  }

  std::string Text(const char* key, const std::string& absent) const {
    const auto found = config_.find(key);
    return found == config_.end() || found->is_null() ? absent : found->get<std::string>();
  }

  // Tokens are strings or objects that hold one.
  static std::string ContentOf(const json& token) {
    return token.is_object() ? token.at("content").get<std::string>() : token.get<std::string>();
  }
  std::string Token(const char* key, const std::string& absent) const {
    const auto found = config_.find(key);
    return found == config_.end() || found->is_null() ? absent : ContentOf(*found);
  }

  fs::path ModelFile(const std::string& given, const char* name) const {
    fs::path path = given.empty() ? directory_ / name : fs::path(given);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      ThrowUserError("it wants the SentencePiece model {}, which is missing", path.string());
    }
    return path;
  }

  // The pieces of a file that gives each its id, by id.
  std::vector<std::string> ReadIds(const char* file, int64_t size) const {
    const json ids = ReadJsonFile(directory_ / file);
    if (!ids.is_object()) ThrowUserError("{} does not give pieces their ids", file);
    std::vector<std::string> pieces(static_cast<size_t>(size));
    for (const auto& [piece, value] : ids.items()) {
      const int64_t id = value.is_number_integer() ? value.get<int64_t>() : -1;
      if (id < 0 || id >= size) {
        ThrowUserError("{}: '{}' has the id {}; the model has {} tokens", file, piece, value.dump(),
                       size);
      }
      std::string& place = pieces[static_cast<size_t>(id)];
      if (!place.empty()) ThrowUserError("{}: '{}' and '{}' have one id", file, place, piece);
      place = piece;
    }
    return pieces;
  }

  void Place(int64_t id, const std::string& piece) {
    if (id >= std::ssize(vocabulary_.source)) {
      ThrowUserError("'{}' has the id {}; the model has {} tokens", piece, id,
                     vocabulary_.source.size());
    }
    std::string& place = vocabulary_.source[static_cast<size_t>(id)];
    if (!place.empty()) ThrowUserError("'{}' and '{}' have the id {}", place, piece, id);
    place = piece;
  }

  void ReadMarian() {
    vocabulary_.source_model = ModelFile(given_.source, "source.spm");
    vocabulary_.target_model = ModelFile(given_.target, "target.spm");
    vocabulary_.source = ReadIds("vocab.json", type_.shape.source_vocabulary);
    vocabulary_.shares_ids = !config_.value("separate_vocabs", false);
    vocabulary_.target = vocabulary_.shares_ids
                             ? vocabulary_.source
                             : ReadIds("target_vocab.json", type_.shape.target_vocabulary);
    for (const std::string& piece : vocabulary_.source) {
      if (piece.starts_with(">>") && piece.ends_with("<<")) vocabulary_.specials.insert(piece);
    }
    vocabulary_.source_language = Text("source_lang", "");
    vocabulary_.target_language = Text("target_lang", "");
  }

  void ReadPegasus() {
    ReadOneModel("spiece.model");
    const int64_t offset = config_.value("offset", int64_t{103});
    const std::vector<std::string> added = PegasusAdded(offset);
    vocabulary_.source.resize(static_cast<size_t>(type_.shape.source_vocabulary));
    for (size_t id = 0; id < added.size(); ++id) Place(static_cast<int64_t>(id), added[id]);
    const SentencePieceTokenizer cutter(ReadFile(vocabulary_.source_model),
                                        vocabulary_.source_model.string());
    for (int32_t id = 0; id < cutter.size(); ++id) {
      if (id + offset < std::ssize(added)) continue;
      Place(id + offset, id == cutter.unk_id() ? vocabulary_.unknown : cutter.piece(id));
    }
    for (const std::string& piece : added) vocabulary_.specials.insert(piece);
    vocabulary_.target = vocabulary_.source;
  }

  // The tokens of pretraining, whose ids begin with 0.
  std::vector<std::string> PegasusAdded(int64_t offset) const {
    constexpr int64_t kMost = 10'000;
    if (offset < 0 || offset > kMost) ThrowUserError("offset is {}, which cannot be", offset);
    std::vector<std::string> added = {vocabulary_.padding, vocabulary_.end};
    const auto sentence_mask = config_.find("mask_token_sent");
    if (sentence_mask == config_.end() || !sentence_mask->is_null()) {
      added.push_back(Token("mask_token_sent", "<mask_1>"));
      added.push_back(Token("mask_token", "<mask_2>"));
    }
    for (int64_t i = 2; i < offset; ++i) added.push_back(fmt::format("<unk_{}>", i));
    return added;
  }

  void ReadM2m100() {
    ReadOneModel("sentencepiece.bpe.model");
    vocabulary_.source = ReadIds("vocab.json", type_.shape.source_vocabulary);
    const auto has_piece = [](const std::string& piece) { return !piece.empty(); };
    int64_t next = std::ranges::count_if(vocabulary_.source, has_piece);
    const std::string codes = Text("language_codes", "m2m100");
    const auto languages = M2m100Languages(codes);
    if (languages.empty()) ThrowUserError("language_codes is '{}', which Heed lacks", codes);
    for (const std::string_view language : languages) {
      const std::string piece = fmt::format("__{}__", language);
      Place(next++, piece);
      vocabulary_.specials.insert(piece);
      vocabulary_.languages.emplace(language, piece);
    }
    vocabulary_.specials.insert({Token("bos_token", "<s>"), vocabulary_.padding});
    vocabulary_.target = vocabulary_.source;
    vocabulary_.source_language = Text("src_lang", "");
    vocabulary_.target_language = Text("tgt_lang", "");
  }

  void ReadOneModel(const char* name) {
    vocabulary_.source_model = ModelFile(given_.source, name);
    vocabulary_.target_model =
        given_.target.empty() ? vocabulary_.source_model : ModelFile(given_.target, name);
  }

  // Tokens that were added to a tokenizer split text wherever they stand, which Heed does not do.
  void RequireAdded() const {
    const auto require = [&](const std::string& piece, int64_t id) {
      const bool is_there = id >= 0 && id < std::ssize(vocabulary_.source) &&
                            vocabulary_.source[static_cast<size_t>(id)] == piece;
      const bool is_target = id >= 0 && id < std::ssize(vocabulary_.target) &&
                             vocabulary_.target[static_cast<size_t>(id)] == piece;
      if (is_there || is_target) return;
      ThrowUserError("the tokenizer adds '{}' with the id {}, and Heed would not cut text there",
                     piece, id);
    };
    const auto found = config_.find("added_tokens_decoder");
    if (found != config_.end()) {
      for (const auto& [id, token] : found->items()) require(ContentOf(token), ParseId(id));
    }
    std::error_code ignored;
    if (!fs::exists(directory_ / "added_tokens.json", ignored)) return;
    const json added = ReadJsonFile(directory_ / "added_tokens.json");
    for (const auto& [piece, id] : added.items()) require(piece, id.get<int64_t>());
  }

  void RequireEnd() const {
    for (const auto* pieces : {&vocabulary_.source, &vocabulary_.target}) {
      const auto id = static_cast<size_t>(type_.end_id);
      if (id < pieces->size() && (*pieces)[id] == vocabulary_.end) continue;
      ThrowUserError("the end mark '{}' has not the id {}, which config.json says", vocabulary_.end,
                     type_.end_id);
    }
  }

  const fs::path& directory_;
  const HuggingFaceClass& type_;
  const ImportVocabularies& given_;
  json config_;
  HuggingFaceVocabulary vocabulary_;
};

}  // namespace

HuggingFaceVocabulary ReadHuggingFaceVocabulary(const fs::path& directory,
                                                const HuggingFaceClass& type,
                                                const ImportVocabularies& given) {
  const fs::path place = directory / kTokenizerFile;
  try {
    return TokenizerFiles(directory, type, given).Read();
  } catch (const json::exception& error) {
    ThrowUserError("{} does not describe a tokenizer: {}", place.string(), error.what());
  } catch (const UserError& error) {
    ThrowUserError("the tokenizer in {}: {}", directory.string(), error.what());
  }
}

}  // namespace heed
