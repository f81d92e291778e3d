// A tokenizer to reckon with by hand: end mark 0, unknown 1, letter a is 2 and so on to z = 27.
#pragma once

#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/token_shard.h"
#include "text/tokenizer.h"

namespace heed {

class LetterTokenizer : public Tokenizer {
 public:
  void Encode(std::string_view line, std::vector<int32_t>* ids) const override {
    ids->clear();
    for (const char c : line) {
      if (c != ' ') ids->push_back(c >= 'a' && c <= 'z' ? c - 'a' + 2 : 1);
    }
  }
  // Each letter once or twice; `dropout` is the probability of twice.
  void EncodeSampled(std::string_view line, const SubwordSampling& sampling,
                     const RandomStream& stream, std::vector<int32_t>* ids) const override {
    std::vector<int32_t> letters;
    Encode(line, &letters);
    ids->clear();
    for (size_t i = 0; i < letters.size(); ++i) {
      ids->push_back(letters[i]);
      if (RandomUniform(stream, i) < sampling.dropout) ids->push_back(letters[i]);
    }
  }
  std::string Decode(std::span<const int32_t> ids) const override {
    std::string text;
    for (const int32_t id : ids) text += piece(id);
    return text;
  }
  int64_t size() const override { return 28; }
  int32_t eos_id() const override { return 0; }
  int32_t unk_id() const override { return 1; }
  int32_t bos_id() const override { return -1; }
  const std::string& piece(int32_t id) const override { return pieces_[static_cast<size_t>(id)]; }
  bool IsByte(int32_t /*id*/) const override { return false; }
  bool BreaksLine(int32_t /*id*/) const override { return false; }
  const std::string& serialized() const override { return pieces_[0]; }
  std::string fingerprint() const override { return "letters"; }

 private:
  std::vector<std::string> pieces_ = [] {
    std::vector<std::string> pieces = {"", "?"};
    for (char c = 'a'; c <= 'z'; ++c) pieces.emplace_back(1, c);
    return pieces;
  }();
};

// A shard of these pairs of words, with their text.
inline TokenShard LetterShard(const std::filesystem::path& path,
                              const std::vector<std::pair<std::string, std::string>>& pairs) {
  const LetterTokenizer tokenizer;
  ShardWriter writer(path, {tokenizer.size(), true, "letters"});
  std::vector<int32_t> source, target;
  int64_t line = 0;
  for (const auto& [source_text, target_text] : pairs) {
    tokenizer.Encode(source_text, &source);
    tokenizer.Encode(target_text, &target);
    writer.Add({source, target, source_text, target_text, ++line});
  }
  writer.Finish();
  return TokenShard(path);
}

}  // namespace heed
