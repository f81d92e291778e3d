#include "decode/loaded_model.h"

#include "checkpoint/checkpoint.h"
#include "checkpoint/model_directory.h"
#include "config/recipe_reader.h"
#include "data/vocabulary.h"
#include "models/model_factory.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {

std::unique_ptr<LoadedModel> LoadTranslationModel(const std::filesystem::path& path,
                                                  Backend& backend) {
  auto loaded = std::make_unique<LoadedModel>();
  loaded->directory = FindModel(path);
  const std::filesystem::path recipe = loaded->directory / kRecipeFile;
  loaded->recipe = ParseRecipe(ReadFile(recipe), recipe.string());
  Vocabularies vocabulary = LoadVocabularies(loaded->directory, loaded->recipe.vocabulary);
  loaded->model = MakeModel(loaded->store, MakeShape(loaded->recipe.model, vocabulary), false);
  loaded->source_tokenizer = std::move(vocabulary.source);
  loaded->target_tokenizer = std::move(vocabulary.target);
  loaded->store.Allocate(backend.real(), false,
                         [&](int64_t bytes) { return backend.Allocate(bytes); });
  LoadModel(loaded->directory, loaded->store);
  return loaded;
}

TranslationSystem MakeSystem(const std::vector<std::unique_ptr<LoadedModel>>& models) {
  HEED_CHECK(!models.empty(), "a system without a model");
  TranslationSystem system{.models = {},
                           .source = models.front()->source_tokenizer.get(),
                           .target = models.front()->target_tokenizer.get()};
  for (const auto& loaded : models) {
    if (loaded->source_tokenizer->fingerprint() != system.source->fingerprint() ||
        loaded->target_tokenizer->fingerprint() != system.target->fingerprint()) {
      ThrowUserError(
          "{} and {} have different vocabularies and cannot translate together; an ensemble needs "
          "models trained on one vocabulary (vocabulary.model in the recipe)",
          models.front()->directory.string(), loaded->directory.string());
    }
    system.models.push_back(loaded->model.get());
  }
  return system;
}

}  // namespace heed
