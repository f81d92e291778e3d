// Validation: the loss of data.valid, and BLEU and chrF of its detokenised translations.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "config/recipe.h"
#include "data/prepare_data.h"
#include "models/seq2seq_model.h"

namespace heed {

struct ValidationResult {
  std::map<std::string, double> metrics;  // by name: nll (nats per target token), perplexity, ...
  std::map<std::string, std::string> signatures;               // of bleu and chrf
  std::vector<std::string> sources, translations, references;  // as far as translated
  double seconds = 0;
};

class Validator {
 public:
  // References must outlive the validator. While it runs it asks `is_interrupted`, if given, time
  // and again.
  Validator(const Recipe& recipe, const PreparedData& data, const Seq2SeqModel& model,
            Backend& backend, std::function<bool()> is_interrupted = {});

  // The recipe's metrics with the model's present weights; nothing once it is interrupted.
  // `max_sentences` bounds what is translated; 0 = what the recipe says.
  std::optional<ValidationResult> Run(int64_t max_sentences = 0) const;

 private:
  bool IsInterrupted() const { return is_interrupted_ && is_interrupted_(); }
  double NllPerToken() const;
  void Translate(int64_t max_sentences, ValidationResult& result) const;

  const Recipe& recipe_;
  const PreparedData& data_;
  const Seq2SeqModel& model_;
  Backend& backend_;
  std::function<bool()> is_interrupted_;
};

}  // namespace heed
