// A recipe whose corpora are made up (tests/text/sample_text.h), in a directory of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "config/recipe.h"
#include "tests/text/sample_text.h"
#include "tests/util/temporary_directory.h"
#include "util/files.h"

namespace heed {

class SampleRecipe {
 public:
  // `num_pairs` for training, 40 others for validation.
  explicit SampleRecipe(int64_t num_pairs = 500) {
    recipe.name = "sample";
    recipe.data.train.resize(1);
    Write("train", 0, num_pairs, &recipe.data.train[0]);
    Write("valid", num_pairs, 40, &recipe.data.valid);
    recipe.vocabulary.size = 346;
    recipe.training.batch_tokens = 300;
  }

  // Pairs `first` to `first + count - 1` of the sample.
  void Write(const std::string& name, int64_t first, int64_t count, CorpusOptions* corpus) const {
    std::string source, target;
    for (int64_t number = first; number < first + count; ++number) {
      const auto [english, german] = SamplePair(number);
      source += english + "\n";
      target += german + "\n";
    }
    corpus->source = (directory / (name + ".en")).string();
    corpus->target = (directory / (name + ".de")).string();
    WriteFile(corpus->source, source);
    WriteFile(corpus->target, target);
  }

  std::filesystem::path work() const { return directory / "work"; }

  TemporaryDirectory directory;
  Recipe recipe;
};

}  // namespace heed
