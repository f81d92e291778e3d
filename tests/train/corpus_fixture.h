// A small corpus on disk and a recipe for it: English number words of one to four digits and their
// German partners.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "config/recipe.h"
#include "tests/util/temporary_directory.h"
#include "util/files.h"
#include "util/philox.h"

namespace heed {

class CorpusFixture {
 public:
  explicit CorpusFixture(int training_pairs = 400) {
    Write("train", training_pairs, 1);
    Write("valid", 30, 2);
  }

  // Two layers of width 16 on the cpu backend, with dropout; paths inside the temporary directory.
  Recipe MakeRecipe(const std::string& run) const {
    Recipe recipe;
    recipe.name = run;
    recipe.output = (directory_.path() / run).string();
    recipe.data.source_language = "en";
    recipe.data.target_language = "de";
    TrainingCorpusOptions train;
    train.source = Path("train.en");
    train.target = Path("train.de");
    recipe.data.train = {train};
    recipe.data.valid.source = Path("valid.en");
    recipe.data.valid.target = Path("valid.de");
    recipe.vocabulary.size = 44;
    recipe.vocabulary.byte_fallback = false;
    recipe.vocabulary.character_coverage = 1;
    recipe.model.encoder_layers = 1;
    recipe.model.decoder_layers = 1;
    recipe.model.model_width = 16;
    recipe.model.feed_forward_width = 32;
    recipe.model.heads = 2;
    recipe.training.batch_tokens = 300;
    recipe.training.schedule.peak_rate = 3e-3;
    recipe.training.schedule.warmup_updates = 5;
    recipe.training.stop.updates = 12;
    recipe.training.log_every = 4;
    recipe.training.checkpoints.every = 4;
    recipe.training.average.decay = 0.9;
    recipe.validation.every = 6;
    recipe.validation.metrics = {ValidationMetric::kNll, ValidationMetric::kBleu};
    recipe.validation.beam = 1;
    recipe.decoding.max_length = {.ratio = 1, .extra = 3};
    return recipe;
  }
  std::string Path(const std::string& name) const { return (directory_.path() / name).string(); }

 private:
  void Write(const std::string& name, int lines, uint64_t seed) const {
    constexpr std::array<const char*, 10> kEnglish = {"zero", "one", "two",   "three", "four",
                                                      "five", "six", "seven", "eight", "nine"};
    constexpr std::array<const char*, 10> kGerman = {"null", "eins",  "zwei",   "drei", "vier",
                                                     "fünf", "sechs", "sieben", "acht", "neun"};
    std::string english, german;
    for (int line = 0; line < lines; ++line) {
      const RandomStream stream{.seed = seed, .update = static_cast<uint32_t>(line)};
      const uint32_t digits = 1 + RandomBits(stream, 9) % 5;
      for (uint32_t i = 0; i < digits; ++i) {
        const uint32_t digit = RandomBits(stream, i) % 10;
        english += std::string(i > 0 ? " " : "") + kEnglish.at(digit);
        german += std::string(i > 0 ? " " : "") + kGerman.at(digit);
      }
      english += "\n";
      german += "\n";
    }
    WriteFile(directory_.path() / (name + ".en"), english);
    WriteFile(directory_.path() / (name + ".de"), german);
  }

  TemporaryDirectory directory_;
};

}  // namespace heed
