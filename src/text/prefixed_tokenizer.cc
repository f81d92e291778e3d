#include "text/prefixed_tokenizer.h"

#include <utility>

#include "text/piece_list.h"
#include "util/check.h"
#include "util/checksum.h"

namespace heed {

PrefixedTokenizer::PrefixedTokenizer(std::shared_ptr<const Tokenizer> tokenizer,
                                     const std::string& prefix, std::string_view key)
    : base_(std::move(tokenizer)) {
  for (int32_t id = 0; id < base_->size() && prefix_id_ < 0; ++id) {
    if (base_->piece(id) == prefix) prefix_id_ = id;
  }
  if (prefix_id_ < 0 || prefix_id_ == base_->eos_id() || prefix_id_ == base_->unk_id()) {
    ThrowUserError("{} is '{}', which is no piece of the vocabulary that a line may start with",
                   key, prefix);
  }
}

void PrefixedTokenizer::AddPrefix(std::vector<int32_t>* ids) const {
  if (ids->empty() || ids->front() == prefix_id_) return;
  if (list() != nullptr && list()->IsPrefix(ids->front())) return;
  ids->insert(ids->begin(), prefix_id_);
}

void PrefixedTokenizer::Encode(std::string_view line, std::vector<int32_t>* ids) const {
  base_->Encode(line, ids);
  AddPrefix(ids);
}

void PrefixedTokenizer::EncodeSampled(std::string_view line, const SubwordSampling& sampling,
                                      const RandomStream& stream, std::vector<int32_t>* ids) const {
  base_->EncodeSampled(line, sampling, stream, ids);
  AddPrefix(ids);
}

std::string PrefixedTokenizer::Decode(std::span<const int32_t> ids) const {
  return base_->Decode(!ids.empty() && ids.front() == prefix_id_ ? ids.subspan(1) : ids);
}

std::string PrefixedTokenizer::fingerprint() const {
  return HexDigits(Fnv1a64(base_->piece(prefix_id_), Fnv1a64(base_->fingerprint())));
}

}  // namespace heed
