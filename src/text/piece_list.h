// A vocabulary whose ids are not those of a SentencePiece model. OPUS-MT, Hugging Face and OpenNMT
// number pieces by a list of their own, which both sides may share, and use their SentencePiece
// models only to cut text into pieces; see listed_tokenizer.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/piece_trie.h"
#include "text/tokenizer.h"

namespace heed {

struct PieceMarks {
  std::string end = "</s>";
  std::string unknown = "<unk>";
  std::string begin = {};  // what decoding starts with, if that is a piece; may be the end mark
  bool ends_source =
      true;  // whether the end mark stands after sources too; OpenNMT's models differ
};

class PieceList {
 public:
  // `pieces` by id. `prefixes` are pieces that no text is cut into but that a line may start with,
  // such as ">>deu<<", which names the language to translate into. Throws UserError, which names
  // `name`, if a piece comes twice, is empty or is not UTF-8, or if a mark or prefix is no piece.
  PieceList(std::vector<std::string> pieces, const PieceMarks& marks,
            const std::vector<std::string>& prefixes, std::string_view name);
  PieceList(const PieceList&) = delete;  // the index points to the pieces
  PieceList& operator=(const PieceList&) = delete;

  // Reads a file that ToJson's text was written to; it may come from anywhere.
  static std::shared_ptr<const PieceList> Load(const std::filesystem::path& path);
  std::string ToJson() const;

  int64_t size() const { return static_cast<int64_t>(pieces_.size()); }
  const std::string& piece(int32_t id) const { return pieces_[static_cast<size_t>(id)]; }
  int32_t Find(std::string_view piece) const;  // -1 if it is not listed
  int32_t end_id() const { return end_id_; }
  int32_t unknown_id() const { return unknown_id_; }
  int32_t begin_id() const { return begin_id_; }  // -1 if there is none
  bool ends_source() const { return ends_source_; }
  bool IsPrefix(int32_t id) const { return is_prefix_[static_cast<size_t>(id)]; }
  // The longest prefix that the line starts with; -1 if there is none.
  int32_t MatchPrefix(std::string_view line) const;

  // Alike in every piece, mark and prefix.
  bool operator==(const PieceList& other) const;

 private:
  int32_t Require(const std::string& piece, std::string_view role, std::string_view name) const;

  std::vector<std::string> pieces_;
  std::unordered_map<std::string_view, int32_t> ids_;
  int32_t end_id_ = -1, unknown_id_ = -1, begin_id_ = -1;
  bool ends_source_ = true;
  std::vector<bool> is_prefix_;
  PieceTrie prefixes_;
};

// How OPUS-MT writes the languages that a model can translate into: ">>deu<<".
inline bool IsLanguageMark(std::string_view piece) {
  return piece.size() > 4 && piece.starts_with(">>") && piece.ends_with("<<");
}

// Whether a source of these tokens gets an end mark. One without any token always does.
inline bool EndsSource(const Tokenizer& tokenizer, size_t num_tokens) {
  return num_tokens == 0 || tokenizer.list() == nullptr || tokenizer.list()->ends_source();
}

}  // namespace heed
