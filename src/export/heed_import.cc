#include "export/heed_import.h"

#include <memory>

#include "checkpoint/checkpoint.h"
#include "export/model_source.h"

namespace heed {

ImportedModel ImportHeed(const std::filesystem::path& model) {
  const auto source = std::make_shared<const ModelSource>(model);
  const Recipe& recipe = source->recipe();
  return {.shape = source->shape(),
          .vocabularies = source->vocabularies(),
          .fill =
              [source](const ParameterStore& store) {
                ReadBuffers(source->directory(), store,
                            {{source->weights_file(), "", store.flat_values()}});
              },
          .source_language = recipe.data.source_language,
          .target_language = recipe.data.target_language,
          .source_prefix = recipe.vocabulary.source_prefix,
          .target_prefix = recipe.vocabulary.target_prefix,
          .recipe = recipe,
          .update = source->update()};
}

}  // namespace heed
