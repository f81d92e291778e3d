#include "export/onnx_export.h"

#include <fmt/format.h>

#include "export/huggingface_config.h"
#include "export/huggingface_tokenizer.h"
#include "export/onnx_decoder.h"
#include "export/onnx_encoder.h"
#include "export/onnx_files.h"
#include "export/onnx_writer.h"
#include "util/directories.h"
#include "util/files.h"

namespace heed {
namespace {

constexpr const char* kOnnxUsage = R"(`{0}` and `{1}` run in ONNX Runtime,
with `input_ids` that end with the end mark and that `attention_mask` hides where they are padding.
In Python, with Hugging Face's Optimum:

```python
from optimum.onnxruntime import ORTModelForSeq2SeqLM
from transformers import AutoTokenizer
tokenizer, model = AutoTokenizer.from_pretrained("."), ORTModelForSeq2SeqLM.from_pretrained(".")
batch = tokenizer(["..."], return_tensors="pt", padding=True)
print(tokenizer.batch_decode(model.generate(**batch), skip_special_tokens=True))
```

In JavaScript, with transformers.js, if there is a tokenizer.json:

```js
import {{ pipeline }} from "@huggingface/transformers";
const translator = await pipeline("translation", "path/to/this");
console.log(await translator("..."));
```
)";

// Clients take the graph as it is, so that every model goes by a name that they all know.
HuggingFaceFlavour OnnxFlavour(ElementType type) {
  const auto name = [&](const std::filesystem::path& path) { return path.generic_string(); };
  return {.model_type = "marian",
          .architecture = "MarianMTModel",
          .torch_dtype = "float32",  // of inputs and outputs, whatever is inside
          .onnx_dtype = OnnxTypeName(type),
          .library = "transformers.js",
          .usage = fmt::format(kOnnxUsage, name(OnnxEncoderFile("", type)),
                               name(OnnxDecoderFile("", type)))};
}

}  // namespace

std::vector<std::string> FindOnnxObstacles(const ModelSource& model, ElementType type) {
  if (model.options().architecture != Architecture::kTransformer) {
    return {fmt::format("its architecture is {}; only Transformers are exported to ONNX",
                        EnumToString(model.options().architecture))};
  }
  std::vector<std::string> reasons;
  AddHuggingFaceTokenizerObstacles(model.vocabularies(), &reasons);
  if (type == ElementType::kBfloat16) {
    reasons.emplace_back(
        "ONNX Runtime computes bfloat16 on few devices; choose --type float16, float32 or int8");
    return reasons;
  }
  const OnnxWeights weights(model, type);
  for (const OnnxGraph& graph : {MakeOnnxEncoder(weights), MakeOnnxDecoder(weights)}) {
    const int64_t bytes = OnnxFileBytes(graph);
    if (bytes <= kLargestOnnxFile) continue;
    reasons.push_back(fmt::format("its {} needs {}; a file of ONNX may have {}", graph.name(),
                                  FormatBytes(bytes), FormatBytes(kLargestOnnxFile)));
  }
  return reasons;
}

void WriteOnnxModel(const ModelSource& model, ElementType type,
                    const std::filesystem::path& directory) {
  const OnnxWeights weights(model, type);
  MakeDirectories(directory / kOnnxFolder);
  WriteOnnxFile(OnnxEncoderFile(directory, type), MakeOnnxEncoder(weights));
  WriteOnnxFile(OnnxDecoderFile(directory, type), MakeOnnxDecoder(weights));
  WriteHuggingFaceConfig(model, OnnxFlavour(type), directory);
}

}  // namespace heed
