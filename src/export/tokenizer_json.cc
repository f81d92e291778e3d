#include "export/tokenizer_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/normalizer_rules.h"
#include "text/subword_pieces.h"
#include "util/check.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

std::string Base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < group.size() ? static_cast<unsigned char>(group[k]) : 0U);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= group.size() ? kDigits[bits >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

Json AddedToken(int64_t id, const std::string& piece, bool is_special) {
  return {{"id", id},        {"content", piece},    {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", is_special}};
}

Json AddedTokens(const SubwordPieces& pieces, int64_t padding) {
  auto added = Json::array();
  for (size_t id = 0; id < pieces.pieces.size(); ++id) {
    const SubwordPiece& piece = pieces.pieces[id];
    const bool is_mark = piece.kind == PieceKind::kControl || piece.kind == PieceKind::kUnknown;
    if (is_mark || piece.kind == PieceKind::kUserSymbol) {
      added.push_back(AddedToken(static_cast<int64_t>(id), piece.text, is_mark));
    }
  }
  added.push_back(AddedToken(padding, kHuggingFacePaddingPiece, true));
  return added;
}

// [[piece, score], ...] by id.
Json ScoredPieces(const SubwordPieces& pieces) {
  auto scored = Json::array();
  for (const SubwordPiece& piece : pieces.pieces) {
    scored.push_back(Json::array({piece.text, piece.score}));
  }
  scored.push_back(Json::array({kHuggingFacePaddingPiece, 0.0}));
  return scored;
}

Json UnigramModel(const SubwordPieces& pieces, int32_t unknown_id) {
  return {{"type", "Unigram"},
          {"unk_id", unknown_id},
          {"vocab", ScoredPieces(pieces)},
          {"byte_fallback", pieces.byte_fallback}};
}

// A piece of a BPE model and two pieces that it can be merged from.
struct Merge {
  std::string_view left, right;
  float score = 0;  // of the piece; the best merges first
};

// SentencePiece stores what merges result in, others the merges themselves.
std::vector<Merge> MergesOf(const SubwordPieces& pieces) {
  std::unordered_set<std::string_view> normal;
  for (const SubwordPiece& piece : pieces.pieces) {
    if (piece.kind == PieceKind::kNormal) normal.insert(piece.text);
  }
  std::vector<Merge> merges;
  for (const SubwordPiece& piece : pieces.pieces) {
    if (piece.kind != PieceKind::kNormal) continue;
    const std::string_view text = piece.text;
    for (size_t length = 1; length < text.size(); ++length) {
      const Merge merge{text.substr(0, length), text.substr(length), piece.score};
      if (normal.contains(merge.left) && normal.contains(merge.right)) merges.push_back(merge);
    }
  }
  std::ranges::stable_sort(merges, std::greater<>(), &Merge::score);
  return merges;
}

Json BpeModel(const SubwordPieces& pieces, const Tokenizer& tokenizer, int64_t padding) {
  auto merges = Json::array();
  for (const Merge& merge : MergesOf(pieces)) {
    merges.push_back(fmt::format("{} {}", merge.left, merge.right));
  }
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", tokenizer.piece(tokenizer.unk_id())},
          {"continuing_subword_prefix", nullptr},
          {"end_of_word_suffix", nullptr},
          {"fuse_unk", true},
          {"byte_fallback", pieces.byte_fallback},
          {"vocab", PieceIds(tokenizer, padding)},
          {"merges", merges}};
}

Json Step(const char* type) {
  return Json::object({{"type", type}});
}

Json Metaspace(const NormalizerRules& rules) {
  Json step = Step("Metaspace");
  step["replacement"] = "▁";
  step["prepend_scheme"] = rules.begins_with_space ? "always" : "never";
  return step;
}

Json Normalizer(const NormalizerRules& rules) {
  if (rules.character_map.empty()) return nullptr;
  Json step = Step("Precompiled");
  step["precompiled_charsmap"] = Base64(rules.character_map);
  return step;
}

Json PreTokenizer(const NormalizerRules& rules) {
  if (!rules.joins_spaces) return Metaspace(rules);
  Json step = Step("Sequence");
  step["pretokenizers"] = Json::array({Step("WhitespaceSplit"), Metaspace(rules)});
  return step;
}

Json Decoder(const NormalizerRules& rules, bool byte_fallback) {
  if (!byte_fallback) return Metaspace(rules);
  Json spaces = Step("Replace");
  spaces["pattern"]["String"] = "▁";
  spaces["content"] = " ";
  Json step = Step("Sequence");
  step["decoders"] = Json::array({spaces, Step("ByteFallback"), Step("Fuse")});
  if (rules.begins_with_space) {
    Json strip = Step("Strip");
    strip.update({{"content", " "}, {"start", 1}, {"stop", 0}});
    step["decoders"].push_back(strip);
  }
  return step;
}

Json TemplatePart(const char* kind, const std::string& id) {
  Json part;
  part[kind] = {{"id", id}, {"type_id", 0}};
  return part;
}

// "A </s>"
Json PostProcessor(const std::string& end, int64_t end_id) {
  const Json mark = TemplatePart("SpecialToken", end);
  Json step = Step("TemplateProcessing");
  step["single"] = Json::array({TemplatePart("Sequence", "A"), mark});
  step["pair"] = Json::array({TemplatePart("Sequence", "A"), TemplatePart("Sequence", "B"), mark});
  step["special_tokens"][end] = {
      {"id", end}, {"ids", Json::array({end_id})}, {"tokens", Json::array({end})}};
  return step;
}

}  // namespace

bool HasTokenizerJson(const Tokenizer& tokenizer) {
  if (tokenizer.list() != nullptr) return false;
  const SubwordKind kind = ParseSubwordPieces(tokenizer.serialized()).kind;
  return kind == SubwordKind::kUnigram || kind == SubwordKind::kBpe;
}

Json PieceIds(const Tokenizer& tokenizer, int64_t padding) {
  auto ids = Json::object();
  for (int32_t id = 0; id < tokenizer.size(); ++id) ids[tokenizer.piece(id)] = id;
  ids[kHuggingFacePaddingPiece] = padding;
  return ids;
}

Json MakeTokenizerJson(const Tokenizer& tokenizer, int64_t padding) {
  const SubwordPieces pieces = ParseSubwordPieces(tokenizer.serialized());
  const bool is_bpe = pieces.kind == SubwordKind::kBpe;
  HEED_CHECK((is_bpe || pieces.kind == SubwordKind::kUnigram) && padding == tokenizer.size(),
             "tokenizer.json of {} pieces with padding {}", tokenizer.size(), padding);
  const NormalizerRules rules = ParseNormalizerRules(tokenizer.serialized());
  return {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", AddedTokens(pieces, padding)},
      {"normalizer", Normalizer(rules)},
      {"pre_tokenizer", PreTokenizer(rules)},
      {"post_processor", PostProcessor(tokenizer.piece(tokenizer.eos_id()), tokenizer.eos_id())},
      {"decoder", Decoder(rules, pieces.byte_fallback)},
      {"model",
       is_bpe ? BpeModel(pieces, tokenizer, padding) : UnigramModel(pieces, tokenizer.unk_id())}};
}

}  // namespace heed
