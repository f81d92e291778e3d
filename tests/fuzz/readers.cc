#include "tests/fuzz/readers.h"

#include <vector>

#include "checkpoint/checkpoint.h"
#include "checkpoint/manifest.h"
#include "checkpoint/run_state.h"
#include "checkpoint/safetensors_reader.h"
#include "config/recipe_reader.h"
#include "export/ctranslate2_import.h"
#include "export/ctranslate2_model.h"
#include "export/huggingface_model.h"
#include "export/marian_model.h"
#include "export/onnx_model.h"
#include "export/row_source.h"
#include "models/model_factory.h"
#include "text/normalizer_rules.h"
#include "text/subword_pieces.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// Reads every tensor, unless the files are honest about a model that is too large to be quick.
template <class Model>
void Fill(const Model& model) {
  constexpr int64_t kMostParameters = 1 << 20;
  ParameterStore store;
  const auto network = MakeModel(store, model.shape, false);
  if (store.num_parameters() > kMostParameters) return;
  store.Allocate(DType::kFloat32, false, &Memory::Host);
  model.fill(store);
}

void ReadTensors(const fs::path& path) {
  const SafetensorsReader reader(path);
  for (const StoredTensor& tensor : reader.tensors()) {
    const RowSource rows = TensorRows(tensor);
    std::vector<float> row(static_cast<size_t>(rows.columns));
    for (int64_t i = 0; i < rows.rows; ++i) rows.read(i, row);
  }
}

void ReadPieces(const fs::path& path) {
  const std::string model = ReadFile(path);
  ParseSubwordPieces(model);
  ParseNormalizerRules(model);
}

const std::vector<FuzzedReader>& Table() {
  static const auto* table = new std::vector<FuzzedReader>{
      {"safetensors", "model.safetensors", "", "",
       [](const fs::path& directory) { ReadTensors(directory / kModelFile); }},
      {"state", "state.json", "", "",
       [](const fs::path& directory) { ReadRunState(directory / kStateFile); }},
      {"manifest", "manifest.json", "", "",
       [](const fs::path& directory) { ReadManifest(directory); }},
      {"recipe", "recipe.yaml", "", "",
       [](const fs::path& directory) {
         ParseRecipe(ReadFile(directory / kRecipeFile), std::string(kRecipeFile));
       }},
      {"pieces", "vocabulary.model", "", "",
       [](const fs::path& directory) { ReadPieces(directory / "vocabulary.model"); }},
      {"ctranslate2", "model.bin", "ctranslate2", "float32",
       [](const fs::path& directory) { Fill(ReadCtranslate2Model(directory)); }},
      {"ctranslate2_int8", "model.bin", "ctranslate2", "int8",
       [](const fs::path& directory) { Fill(ImportCtranslate2(directory, {})); }},
      {"ctranslate2_vocabulary", "shared_vocabulary.json", "ctranslate2", "float32",
       [](const fs::path& directory) { ImportCtranslate2(directory, {}); }},
      {"ctranslate2_config", "config.json", "ctranslate2", "float32",
       [](const fs::path& directory) { ImportCtranslate2(directory, {}); }},
      {"huggingface", "model.safetensors", "huggingface", "float32",
       [](const fs::path& directory) { Fill(ReadHuggingFaceModel(directory)); }},
      {"huggingface_config", "config.json", "huggingface", "float32",
       [](const fs::path& directory) { Fill(ReadHuggingFaceModel(directory)); }},
      {"onnx_encoder", "onnx/encoder_model.onnx", "onnx", "float32",
       [](const fs::path& directory) { Fill(ReadOnnxModel(directory)); }},
      {"onnx_decoder", "onnx/decoder_model_merged.onnx", "onnx", "float32",
       [](const fs::path& directory) { Fill(ReadOnnxModel(directory)); }},
      {"marian_npz", "model.npz", "marian", "float32",
       [](const fs::path& directory) { Fill(ReadMarianModel(directory)); }},
      {"marian_bin", "model.bin", "marian-bin", "float32",
       [](const fs::path& directory) { Fill(ReadMarianModel(directory)); }}};
  return *table;
}

}  // namespace

std::span<const FuzzedReader> FuzzedReaders() {
  return Table();
}

}  // namespace heed
