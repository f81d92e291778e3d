#include "export/safetensors_export.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "checkpoint/checkpoint.h"
#include "checkpoint/model_directory.h"
#include "checkpoint/safetensors_writer.h"
#include "config/recipe_writer.h"
#include "export/model_config.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

constexpr const char* kConfigFile = "config.json";

}  // namespace

std::vector<std::string> FindSafetensorsObstacles(const ModelSource& /*model*/, ElementType type) {
  if (type != ElementType::kInt8) return {};
  return {"Heed computes with floats only; choose --type float16, or --to ctranslate2 for int8"};
}

void WriteSafetensorsModel(const ModelSource& model, ElementType type,
                           const std::filesystem::path& directory) {
  std::vector<TensorToWrite> tensors;
  for (const StoredTensor& tensor : model.weights().tensors()) {
    tensors.push_back({.name = tensor.name,
                       .type = std::string(SafetensorsName(type)),
                       .shape = tensor.shape,
                       .write = [rows = TensorRows(tensor), type](AtomicFile& file) {
                         WriteFloats(rows, type, file);
                       }});
  }
  WriteSafetensors(directory / kModelFile, std::move(tensors),
                   {{"update", std::to_string(model.update())}});
  WriteFile(directory / kRecipeFile, WriteRecipe(model.recipe()));
  SaveVocabularies(model.vocabularies(), directory);
  constexpr int kIndent = 1;
  WriteFile(directory / kConfigFile, DescribeModel(model, type).dump(kIndent) + "\n");
}

ReadBackModel ReadSafetensorsModel(const std::filesystem::path& directory) {
  const auto model = std::make_shared<ModelSource>(directory);
  return {.shape = model->shape(), .fill = [model](const ParameterStore& parameters) {
            LoadModel(model->directory(), parameters);
          }};
}

}  // namespace heed
