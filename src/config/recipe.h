// A recipe: everything that decides an experiment, from corpus to scores, in one value.
//
// Each section is a plain struct with defaults, a comment per field and one field list,
// VisitFields, from which recipes are read, written, checked, compared and documented:
//   visit("key", field, "meaning in one plain sentence with unit", constraint...);
// To add an option: a field, and a line in that list. Rules between fields: validate.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/data_options.h"
#include "config/decoding_options.h"
#include "config/evaluation_options.h"
#include "config/model_options.h"
#include "config/training_options.h"
#include "config/validation_options.h"
#include "config/vocabulary_options.h"

namespace heed {

struct Recipe {
  std::string name;                  // empty until read = the file name without .yaml
  std::string output;                // run directory; empty until read = runs/<name>
  int64_t seed = 1;                  // of weights, dropout, data order and samples
  std::vector<std::string> include;  // used up by the reader
  DataOptions data;
  VocabularyOptions vocabulary;
  ModelOptions model;
  TrainingOptions training;
  ValidationOptions validation;
  DecodingOptions decoding;
  EvaluationOptions evaluation;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("name", name, "Name of the run; not given means the file's name without .yaml");
    visit("output", output, "Run directory; not given means runs/<name>");
    visit("seed", seed, "Seed of weights, dropout, data order and samples", AtLeast{0});
    visit("include", include,
          "Recipes to start from, with paths relative to this file: later ones and then this file "
          "win, maps merge, lists replace",
          ForReaderOnly{});
    visit("data", data, "Corpora and filters");
    visit("vocabulary", vocabulary, "Subwords, by SentencePiece");
    visit("model", model, "The network");
    visit("training", training, "Batches, optimizer, schedule, stopping and checkpoints");
    visit("validation", validation, "What is measured on data.valid while training");
    visit("decoding", decoding, "How translations are searched for");
    visit("evaluation", evaluation, "Test sets and metrics");
  }
  bool operator==(const Recipe&) const = default;
};

}  // namespace heed
