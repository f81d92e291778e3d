#include "export/huggingface_export.h"

#include <algorithm>
#include <utility>

#include "checkpoint/checkpoint.h"
#include "checkpoint/safetensors_writer.h"
#include "export/huggingface_config.h"
#include "export/huggingface_names.h"
#include "export/huggingface_tokenizer.h"
#include "export/portable_weights.h"
#include "util/check.h"
#include "util/files.h"

namespace heed {
namespace {

// A model's tensors as the classes name them.
class HuggingFaceTensors {
 public:
  explicit HuggingFaceTensors(const ModelSource& model)
      : model_(model), weights_(model), num_tokens_(HuggingFacePadding(model) + 1) {}

  RowSource Rows(const TensorName& name) const {
    RowSource rows = model_.weights().Contains(name.ours) ? weights_.Rows(name.ours) : Zeros(name);
    if (name.count != TensorName::kAll)
      rows = SliceOutputs(std::move(rows), name.first, name.count);
    if (!IsPerToken(name)) return rows;
    const bool is_bias = name.theirs == kHuggingFaceOutputBias;
    rows = ExtendOutputs(std::move(rows), num_tokens_, is_bias ? kHuggingFacePaddingLogit : 0);
    if (is_bias) rows.is_vector = false;
    return rows;
  }

  RowSource Positions(const std::string& stack) const {
    return weights_.Positions(stack, kHuggingFacePositions);
  }
  const ModelOptions& options() const { return weights_.options(); }

 private:
  // In place of a bias that the model does not have.
  RowSource Zeros(const TensorName& name) const {
    const bool is_output = name.theirs == kHuggingFaceOutputBias;
    HEED_CHECK(is_output || name.ours.ends_with(".bias"), "the model has no {}", name.ours);
    const std::string weight = name.ours.substr(0, name.ours.rfind('.')) + ".weight";
    RowSource zeros =
        ZeroRows(name.theirs, 1,
                 is_output ? model_.shape().target_vocabulary : model_.Rows(weight).outputs());
    zeros.is_vector = true;
    return zeros;
  }

  const ModelSource& model_;
  PortableWeights weights_;
  int64_t num_tokens_;
};

constexpr const char* kTransformersUsage = R"(```python
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
tokenizer = AutoTokenizer.from_pretrained(".")
model = AutoModelForSeq2SeqLM.from_pretrained(".")
batch = tokenizer(["..."], return_tensors="pt", padding=True)
print(tokenizer.batch_decode(model.generate(**batch), skip_special_tokens=True))
```

The table of positions is part of the file. `save_pretrained` of MarianMTModel leaves it out, and the
class then uses its own formula: for fine-tuning in transformers, train with
`model.positions.frequency: paper`, which is that formula.
)";

HuggingFaceFlavour TransformersFlavour(const ModelSource& model, ElementType type) {
  const bool is_pre_norm = model.options().norm == NormPosition::kBefore;
  return {.model_type = is_pre_norm ? "pegasus" : "marian",
          .architecture = is_pre_norm ? "PegasusForConditionalGeneration" : "MarianMTModel",
          .torch_dtype = std::string(EnumToString(type)),
          .onnx_dtype = "",
          .library = "transformers",
          .usage = kTransformersUsage};
}

}  // namespace

std::vector<std::string> FindHuggingFaceObstacles(const ModelSource& model, ElementType type) {
  const ModelOptions& options = model.options();
  if (options.architecture != Architecture::kTransformer) {
    return {fmt::format("its architecture is {}; transformers has no class for it",
                        EnumToString(options.architecture))};
  }
  std::vector<std::string> reasons;
  if (type == ElementType::kInt8) {
    reasons.emplace_back("transformers loads floats; choose --type float32, float16 or bfloat16");
  }
  if (options.gated) {
    reasons.emplace_back(
        "its feed-forward layers are gated (model.gated), which neither Marian's "
        "nor Pegasus' class has");
  }
  constexpr double kEpsilon = 1e-5;
  if (options.layer_norm_epsilon != kEpsilon) {
    reasons.push_back(
        fmt::format("its model.layer_norm_epsilon is {}; the classes have {} built in",
                    options.layer_norm_epsilon, kEpsilon));
  }
  if (options.norm == NormPosition::kBefore && options.tie_embeddings != EmbeddingTying::kAll) {
    reasons.push_back(fmt::format(
        "it is pre-norm with model.tie_embeddings: {}; Pegasus' class, the pre-norm one, has one "
        "table for source, target and output",
        EnumToString(options.tie_embeddings)));
  }
  AddHuggingFaceTokenizerObstacles(model.vocabularies(), &reasons);
  return reasons;
}

void WriteHuggingFaceModel(const ModelSource& model, ElementType type,
                           const std::filesystem::path& directory) {
  const HuggingFaceTensors tensors(model);
  std::vector<TensorToWrite> files;
  const auto add = [&](const std::string& name, RowSource rows) {
    std::vector<int64_t> shape = rows.shape();
    files.push_back({.name = name,
                     .type = std::string(SafetensorsName(type)),
                     .shape = std::move(shape),
                     .write = [rows = std::move(rows), type](AtomicFile& file) {
                       WriteFloats(rows, type, file);
                     }});
  };
  for (const TensorName& name : HuggingFaceNames(tensors.options())) {
    add(name.theirs, tensors.Rows(name));
  }
  add(kHuggingFaceEncoderPositions, tensors.Positions("encoder"));
  add(kHuggingFaceDecoderPositions, tensors.Positions("decoder"));
  WriteSafetensors(directory / kModelFile, std::move(files));
  WriteHuggingFaceConfig(model, TransformersFlavour(model, type), directory);
}

}  // namespace heed
