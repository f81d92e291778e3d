// heed export: a trained model for other programs.
#include <fmt/ranges.h>

#include <memory>

#include "backend/backend.h"
#include "cli/commands.h"
#include "cli/enum_values.h"
#include "export/export_model.h"
#include "util/check.h"
#include "util/logging.h"

namespace heed {
namespace {

struct ExportArguments {
  std::string model, format, type = "float32", output;
  int threads = 0;
};

constexpr const char* kExplanation = R"(Formats:
  safetensors   Heed's own model without its training state, about a quarter of a checkpoint;
                'heed translate' reads it, and so does any program that reads safetensors
  ctranslate2   a directory for CTranslate2, fast on CPUs and GPUs, without Heed or Python
  huggingface   a directory for Hugging Face's transformers: MarianMTModel for post-norm models,
                PegasusForConditionalGeneration for pre-norm ones, with Marian's tokenizer
  onnx          a directory for ONNX Runtime, and for transformers.js and Optimum, which run on it:
                onnx/encoder_model.onnx and onnx/decoder_model_merged.onnx, with _fp16 or _int8 in
                their names for those types, and tokenizer files as for huggingface
  marian        a directory for Marian, with model.npz, which converters read too; float32 only
  marian-bin    the same with model.bin, which Marian maps into memory

Types:
  float32       every bit of the model
  float16, bfloat16   half the size; onnx has no bfloat16
  int8          a quarter; for ctranslate2, which can also convert as it loads, and onnx

The weights are those that 'heed translate' uses. What a format cannot hold is refused at the start,
with every reason. At the end the files are read back and compared with the model. manifest.json
lists their checksums.

Examples:
  heed export --model runs/multi30k/best --to ctranslate2 --output deploy/
  heed export --model runs/multi30k/best --to ctranslate2 --type int8 --output deploy8/
  heed export --model runs/multi30k/best --to onnx --type int8 --output onnx8/
  heed export --model runs/multi30k/best --to safetensors --type float16 --output small/
  heed export --model runs/multi30k/best --to marian --output marian/)";

void Export(const ExportArguments& arguments) {
  const ExportOptions options{.format = *EnumFromString<ExportFormat>(arguments.format),
                              .type = *EnumFromString<ElementType>(arguments.type)};
  const auto backend = MakeBackend({.num_threads = arguments.threads});
  const ModelSource model(arguments.model);
  const ParityReport report = ExportModel(model, options, arguments.output, *backend);
  HEED_LOG(info, "exported {} ({}, update {}) to {} as {} {}", model.directory().string(),
           model.weights_file(), model.update(), arguments.output, arguments.format,
           arguments.type);
  HEED_LOG(info,
           "read back and compared: log-probabilities of {} tokens differ by at most {:.2g} nats",
           report.tokens, report.largest_difference);
}

}  // namespace

void AddExport(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Write a trained model for other programs");
  auto arguments = std::make_shared<ExportArguments>();
  command
      ->add_option("--model,-m", arguments->model,
                   "Run directory, checkpoint, or a link such as runs/NAME/best")
      ->required();
  command->add_option("--to", arguments->format, "Format, see below")
      ->required()
      ->check(CLI::IsMember(EnumValues<ExportFormat>()));
  command->add_option("--type", arguments->type, "How weights are stored, see below")
      ->check(CLI::IsMember(EnumValues<ElementType>()))
      ->capture_default_str();
  command->add_option("--output,-o", arguments->output, "New directory")->required();
  command->add_option("--threads", arguments->threads, "Threads; 0 = one per core")
      ->capture_default_str();
  command->footer(kExplanation);
  command->callback([arguments] { Export(*arguments); });
}

}  // namespace heed
