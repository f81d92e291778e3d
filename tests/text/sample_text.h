// Made-up sentence pairs, the same on every machine, and models trained on them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/sentencepiece_tokenizer.h"
#include "text/sentencepiece_trainer.h"
#include "util/philox.h"

namespace heed {

// English and German of the same meaning, 3 to 14 words.
inline std::pair<std::string, std::string> SamplePair(int64_t number) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"house", "Haus"},
      {"tree", "Baum"},
      {"water", "Wasser"},
      {"green", "gr\xC3\xBCn"},
      {"walking", "gehend"},
      {"beautiful", "sch\xC3\xB6n"},
      {"children", "Kinder"},
      {"playing", "spielen"},
      {"street",
       "Stra\xC3\x9F"
       "e"},
      {"people", "Leute"},
      {"yellow", "gelb"},
      {"mountain", "Berg"},
      {"river", "Fluss"},
      {"standing", "stehend"},
      {"together", "zusammen"},
      {"window", "Fenster"},
      {"music", "Musik"},
      {"running", "laufend"},
      {"guitar", "Gitarre"},
      {"bicycle", "Fahrrad"},
      {"the", "der"},
      {"a", "ein"},
      {"with", "mit"},
      {"on", "auf"},
      {"near", "nahe"},
      {"two", "zwei"},
      {"three", "drei"},
      {"old", "alt"},
      {"young", "jung"},
      {"red", "rot"}};
  const RandomStream stream{.seed = 7, .update = static_cast<uint32_t>(number)};
  const auto length = 3 + RandomBits(stream, 0) % 12;
  std::pair<std::string, std::string> sentences;
  for (uint32_t i = 1; i <= length; ++i) {
    const auto& [english, german] = kWords[RandomBits(stream, i) % std::size(kWords)];
    if (i > 1) sentences.first += ' ';
    if (i > 1) sentences.second += ' ';
    sentences.first += english;
    sentences.second += german;
  }
  sentences.first += '.';
  sentences.second += '.';
  return sentences;
}

// Both sides of the first `num_pairs` pairs.
inline std::vector<std::string> SampleSentences(int64_t num_pairs) {
  std::vector<std::string> sentences;
  for (int64_t number = 0; number < num_pairs; ++number) {
    auto [english, german] = SamplePair(number);
    sentences.push_back(std::move(english));
    sentences.push_back(std::move(german));
  }
  return sentences;
}

inline SentenceStream StreamOf(const std::vector<std::string>& sentences) {
  return [&sentences, next = size_t{0}](std::string_view* sentence) mutable {
    if (next == sentences.size()) return false;
    *sentence = sentences[next++];
    return true;
  };
}

// A model of 90 pieces (346 with byte fallback) of the sample pairs.
inline std::string SampleModel(SubwordKind kind, bool byte_fallback,
                               std::vector<std::string> user_symbols = {}) {
  SubwordTrainingOptions options;
  options.kind = kind;
  options.size = byte_fallback ? 346 : 90;
  options.byte_fallback = byte_fallback;
  options.user_symbols = std::move(user_symbols);
  const std::vector<std::string> sentences = SampleSentences(500);
  return TrainSentencePiece(options, StreamOf(sentences));
}

}  // namespace heed
