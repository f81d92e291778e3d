// Cuts text with a SentencePiece model and numbers the pieces by a list (piece_list.h): what
// Marian and transformers do with the vocabularies of OPUS-MT. A piece that the list lacks is
// unknown, a listed one that the model lacks is written as it is.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/piece_list.h"
#include "text/sentencepiece_tokenizer.h"

namespace heed {

class ListedTokenizer : public Tokenizer {
 public:
  ListedTokenizer(std::unique_ptr<const SentencePieceTokenizer> cutter,
                  std::shared_ptr<const PieceList> list);

  // A prefix that the line starts with is one piece; white space after it does not count.
  void Encode(std::string_view line, std::vector<int32_t>* ids) const override;
  void EncodeSampled(std::string_view line, const SubwordSampling& sampling,
                     const RandomStream& stream, std::vector<int32_t>* ids) const override;
  // Prefixes, like marks, are no text.
  std::string Decode(std::span<const int32_t> ids) const override;

  int64_t size() const override { return list_->size(); }
  int32_t eos_id() const override { return list_->end_id(); }
  int32_t unk_id() const override { return list_->unknown_id(); }
  int32_t bos_id() const override { return list_->begin_id(); }
  const std::string& piece(int32_t id) const override;
  bool IsByte(int32_t id) const override;
  bool BreaksLine(int32_t id) const override;
  // The SentencePiece model alone.
  const std::string& serialized() const override { return cutter_->serialized(); }
  std::string fingerprint() const override { return fingerprint_; }
  const PieceList* list() const override { return list_.get(); }

 private:
  // Takes a prefix off the line and puts it in place of what `ids` held.
  std::string_view TakePrefix(std::string_view line, std::vector<int32_t>* ids) const;

  std::unique_ptr<const SentencePieceTokenizer> cutter_;
  std::shared_ptr<const PieceList> list_;
  std::vector<int32_t> ids_;   // [the cutter's pieces]
  std::vector<bool> is_byte_;  // [the list's pieces]
  std::string fingerprint_;
};

// Where the list of a SentencePiece model is if it has one: "vocabulary.pieces.json" beside
// "vocabulary.model".
std::filesystem::path PieceListPath(const std::filesystem::path& model);

// A SentencePiece model, with its list if there is one.
std::shared_ptr<const Tokenizer> LoadTokenizer(const std::filesystem::path& model);

}  // namespace heed
