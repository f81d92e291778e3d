// heed import: a model of another toolkit.
#include <memory>

#include "backend/backend.h"
#include "cli/commands.h"
#include "cli/enum_values.h"
#include "export/import_model.h"
#include "util/check.h"
#include "util/logging.h"

namespace heed {
namespace {

struct ImportArguments {
  std::string model, format, output, vocabulary;
  ImportOptions options;
  int threads = 0;
};

constexpr const char* kImportExplanation = R"(Formats:
  ctranslate2   a directory with model.bin and config.json, from any converter; weights in 16 bits
                or int8 become float32
  marian        a directory with decoder.yml, a .npz or .bin file, or a zip of OPUS-MT
  huggingface   a directory that transformers saved: MarianMTModel,
                PegasusForConditionalGeneration or M2M100ForConditionalGeneration, in safetensors,
                whole or in shards, with its tokenizer's files
  argos         an .argosmodel of Argos Translate or LibreTranslate
  heed          a run, a checkpoint or a model of an older version: becomes one of this version

The SentencePiece models are taken from the directory (sentencepiece.model, or source.spm and
target.spm, or what the toolkit's files name) or from --vocabulary. Where they do not give the ids,
the model gets a list of pieces beside them (vocabulary.pieces.json). Models of several languages
are told which by --source-language and --target-language; the tokens that they want (__en__,
>>deu<<) become part of the model's recipe, so that nobody needs to type them. What Heed would not
compute in the same way is refused, with every reason. The result is a model like any other: 'heed
translate', 'evaluate', 'score', 'average' and 'export' take it, and 'heed train' goes on from it.

Examples:
  heed import model_en_de/ --from ctranslate2 --output models/en_de
  heed import model/ --from ctranslate2 --vocabulary spm.model --output models/en_de
  heed import opus-2020-02-26.zip --from marian --output models/opus_en_de
  heed import opus-mt-en-de/ --from huggingface --output models/hub_en_de
  heed import m2m100/ --from huggingface --source-language en --target-language de -o models/m2m
  heed translate input.en --model models/en_de)";

void Import(const ImportArguments& arguments) {
  ImportOptions options = arguments.options;
  options.format = *EnumFromString<ImportFormat>(arguments.format);
  if (!arguments.vocabulary.empty()) {
    options.vocabularies = {.source = arguments.vocabulary, .target = arguments.vocabulary};
  }
  const auto backend = MakeBackend({.num_threads = arguments.threads});
  const TransformerShape shape = ImportModel(arguments.model, options, arguments.output, *backend);
  HEED_LOG(info, "imported {} to {}: {} and {} layers of width {}, vocabularies of {} and {}",
           arguments.model, arguments.output, shape.options.encoder_layers,
           shape.options.decoder_layers, shape.options.model_width, shape.source_vocabulary,
           shape.target_vocabulary);
}

}  // namespace

void AddImport(CLI::App& app) {
  CLI::App* command = app.add_subcommand("import", "Make a model of another toolkit one of Heed's");
  auto arguments = std::make_shared<ImportArguments>();
  ImportOptions& options = arguments->options;
  command->add_option("MODEL", arguments->model, "Directory, file or archive of the model")
      ->required()
      ->type_name("");
  command->add_option("--from", arguments->format, "Format, see below")
      ->required()
      ->check(CLI::IsMember(EnumValues<ImportFormat>()));
  command->add_option("--output,-o", arguments->output, "New directory")->required()->type_name("");
  CLI::Option* joint =
      command
          ->add_option("--vocabulary", arguments->vocabulary, "SentencePiece model, of both sides")
          ->type_name("");
  for (auto [name, value] : {std::pair{"--source-vocabulary", &options.vocabularies.source},
                             std::pair{"--target-vocabulary", &options.vocabularies.target}}) {
    command->add_option(name, *value, "SentencePiece model of one side")
        ->type_name("")
        ->excludes(joint);
  }
  command->add_option("--source-language", options.source_language, "For instance en")
      ->type_name("");
  command->add_option("--target-language", options.target_language, "For instance de")
      ->type_name("");
  command->add_option("--threads", arguments->threads, "Threads; 0 = one per core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command->footer(kImportExplanation);
  command->callback([arguments] { Import(*arguments); });
}

}  // namespace heed
