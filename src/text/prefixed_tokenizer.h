// Puts one piece before every line, such as "__de__" or ">>deu<<": how models of several languages
// are told which one a text is in or is wanted in.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

class PrefixedTokenizer : public Tokenizer {
 public:
  // Throws UserError, which names the recipe's `key`, if `prefix` is no piece of the vocabulary.
  PrefixedTokenizer(std::shared_ptr<const Tokenizer> tokenizer, const std::string& prefix,
                    std::string_view key);

  // A line that starts with that piece already, or with another one of the vocabulary's prefixes,
  // stays as it is.
  void Encode(std::string_view line, std::vector<int32_t>* ids) const override;
  void EncodeSampled(std::string_view line, const SubwordSampling& sampling,
                     const RandomStream& stream, std::vector<int32_t>* ids) const override;
  // Without the piece.
  std::string Decode(std::span<const int32_t> ids) const override;

  int64_t size() const override { return base_->size(); }
  int32_t eos_id() const override { return base_->eos_id(); }
  int32_t unk_id() const override { return base_->unk_id(); }
  int32_t bos_id() const override { return base_->bos_id(); }
  int32_t prefix_id() const override { return prefix_id_; }
  const std::string& piece(int32_t id) const override { return base_->piece(id); }
  bool IsByte(int32_t id) const override { return base_->IsByte(id); }
  bool BreaksLine(int32_t id) const override { return base_->BreaksLine(id); }
  const std::string& serialized() const override { return base_->serialized(); }
  const PieceList* list() const override { return base_->list(); }
  const Tokenizer& base() const override { return *base_; }
  std::string fingerprint() const override;

 private:
  void AddPrefix(std::vector<int32_t>* ids) const;

  std::shared_ptr<const Tokenizer> base_;
  int32_t prefix_id_ = -1;
};

}  // namespace heed
