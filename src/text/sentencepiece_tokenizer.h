// The tokenizer that SentencePiece models make (Kudo and Richardson 2018).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

class SentencePieceTokenizer : public Tokenizer {
 public:
  // `model` is the content of a .model file; `name` is for messages. Throws UserError if it is no
  // such model or has no end mark. Marks may have any ids; models that Heed trains have the end
  // mark at 0 and unknown at 1.
  SentencePieceTokenizer(std::string model, std::string_view name);
  ~SentencePieceTokenizer() override;

  static std::unique_ptr<SentencePieceTokenizer> Load(const std::filesystem::path& path);

  void Encode(std::string_view line, std::vector<int32_t>* ids) const override;
  // Samples unigram and BPE models; other kinds have one segmentation only.
  void EncodeSampled(std::string_view line, const SubwordSampling& sampling,
                     const RandomStream& stream, std::vector<int32_t>* ids) const override;
  std::string Decode(std::span<const int32_t> ids) const override;

  int64_t size() const override;
  int32_t eos_id() const override;
  int32_t unk_id() const override;
  int32_t bos_id() const override;
  const std::string& piece(int32_t id) const override;
  bool IsByte(int32_t id) const override;
  bool BreaksLine(int32_t id) const override;
  const std::string& serialized() const override;
  std::string fingerprint() const override;

  // The pieces of a line as they are written; unknown characters by themselves.
  std::vector<std::string> Cut(std::string_view line) const;
  // Text from pieces as they are written, which may be foreign to the model; without line breaks.
  std::string Join(const std::vector<std::string>& pieces) const;

  // The line as SentencePiece normalises it, with "▁" for spaces.
  std::string Normalize(std::string_view line) const;

 private:
  struct Parts;
  void SampleNbest(std::string_view line, const SubwordSampling& sampling,
                   const RandomStream& stream, std::vector<int32_t>* ids) const;

  std::unique_ptr<Parts> parts_;  // keeps SentencePiece's headers out of this one
};

}  // namespace heed
