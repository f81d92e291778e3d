// Section `vocabulary` of a recipe: the SentencePiece models, trained or given.
//
// Ids are fixed by the profile that every export target can hold: end mark 0, unknown 1, no padding
// and no begin mark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/constraints.h"
#include "config/enum_names.h"

namespace heed {

enum class VocabularyKind { kUnigram, kBpe };
constexpr auto EnumNames(VocabularyKind /*tag*/) {
  return std::to_array<EnumName<VocabularyKind>>(
      {{VocabularyKind::kUnigram, "unigram"}, {VocabularyKind::kBpe, "bpe"}});
}

// SentencePiece's normalization rules, under its own names.
enum class NormalizationKind { kNmtNfkc, kNfkc, kNmtNfkcCaseFold, kNfkcCaseFold, kIdentity };
constexpr auto EnumNames(NormalizationKind /*tag*/) {
  return std::to_array<EnumName<NormalizationKind>>(
      {{NormalizationKind::kNmtNfkc, "nmt_nfkc"},
       {NormalizationKind::kNfkc, "nfkc"},
       {NormalizationKind::kNmtNfkcCaseFold, "nmt_nfkc_cf"},
       {NormalizationKind::kNfkcCaseFold, "nfkc_cf"},
       {NormalizationKind::kIdentity, "identity"}});
}

// A fresh segmentation each time a training sentence is seen: subword regularisation for unigram
// (Kudo 2018), BPE-dropout for bpe (Provilkov et al. 2020). Never in validation or translation.
struct SubwordSamplingOptions {
  std::optional<double> alpha;  // unigram: exponent on the segmentation's probability; absent = off
  int64_t nbest = -1;           // unigram: sample among that many best; -1 = the whole lattice
  double dropout = 0;           // bpe: probability that a merge is skipped; 0 = off

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit(
        "alpha", alpha,
        "unigram: exponent that smooths the segmentation probabilities (0.1 to 0.5 is usual); not "
        "set = off",
        AtLeast{0});
    visit("nbest", nbest, "unigram: best segmentations to sample from; -1 = all", InRange{-1, 512});
    visit("dropout", dropout, "bpe: probability that a merge is left out (0.1 is usual); 0 = off",
          InRange{0, 1});
  }
  bool IsOn() const { return alpha.has_value() || dropout > 0; }
  bool operator==(const SubwordSamplingOptions&) const = default;
};

struct VocabularyOptions {
  VocabularyKind type = VocabularyKind::kUnigram;
  bool joint = true;                   // one model for both languages
  bool shared_ids = false;             // two models, but one list of pieces
  int64_t size = 32000;                // pieces, all marks included
  std::optional<int64_t> source_size;  // separate models only; absent = size
  std::optional<int64_t> target_size;
  double character_coverage = 0.9995;  // share of characters in the text that get own pieces
  bool byte_fallback = true;           // other characters become bytes rather than unknown
  NormalizationKind normalization = NormalizationKind::kNmtNfkc;
  std::vector<std::string> user_symbols;       // never split
  std::string source_prefix;                   // a piece put before every source line; empty = none
  std::string target_prefix;                   // and before every target line
  int64_t max_training_sentences = 1'000'000;  // per side, sampled evenly; 0 = all
  SubwordSamplingOptions sampling;
  std::string model;         // existing joint model; nothing is trained then
  std::string source_model;  // existing separate models
  std::string target_model;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("type", type, "How SentencePiece finds subwords");
    visit("joint", joint, "One model, and one set of ids, for both languages");
    visit("shared_ids", shared_ids,
          "With 'joint: false': both models cut text into the pieces of one list, as OPUS-MT's do");
    visit("size", size, "Pieces in the vocabulary (in each, if separate), marks included",
          AtLeast{8});
    visit("source_size", source_size,
          "Pieces in a separate source vocabulary; not set means 'size'", AtLeast{8});
    visit("target_size", target_size,
          "Pieces in a separate target vocabulary; not set means 'size'", AtLeast{8});
    visit("character_coverage", character_coverage,
          "Share of all characters in the training text that get pieces of their own",
          InRange{0.98, 1});
    visit("byte_fallback", byte_fallback,
          "Spell the other characters in bytes, so that nothing is unknown");
    visit("normalization", normalization,
          "SentencePiece's rule for normalising text before it is split");
    visit("user_symbols", user_symbols,
          "Strings that always are one piece; an existing model gets those that it lacks as new "
          "pieces");
    visit("source_prefix", source_prefix,
          "Piece that is put before every source line, in training and translation, such as __en__ "
          "or >>deu<<: how models of several languages are told which; empty = none. A line that "
          "begins with such a piece of the vocabulary keeps its own");
    visit("target_prefix", target_prefix,
          "Piece that every target line begins with: training adds it, translations are made to "
          "begin with it and given without it; empty = none");
    visit("max_training_sentences", max_training_sentences,
          "Sentences per side that the vocabulary is trained on, sampled evenly; 0 = all",
          AtLeast{0});
    visit("sampling", sampling, "A fresh segmentation whenever a training sentence is seen");
    visit("model", model,
          "Existing joint SentencePiece model to use instead of training one, with the list of "
          "pieces NAME.pieces.json beside it if the ids are not SentencePiece's");
    visit("source_model", source_model, "Existing source model, with 'joint: false'");
    visit("target_model", target_model, "Existing target model, with 'joint: false'");
  }
  bool operator==(const VocabularyOptions&) const = default;
};

}  // namespace heed
