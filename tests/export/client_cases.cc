#include "tests/export/client_cases.h"

#include "decode/loaded_model.h"
#include "tests/text/sample_text.h"

namespace heed {
namespace {

std::vector<std::string> PiecesOf(const Tokenizer& tokenizer, const std::vector<int32_t>& ids) {
  std::vector<std::string> pieces;
  for (const int32_t id : ids) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

Json Translations(const LoadedModel& model, Backend& backend, int64_t beam,
                  const std::vector<std::string>& texts) {
  DecodingOptions options;
  options.beam = beam;
  // Where length counts, programs stop their searches by different rules.
  options.length_penalty.kind = LengthPenaltyKind::kNone;
  options.max_length = {.ratio = 0, .extra = 60};
  options.suppress_unknown = false;
  Translator translator({.models = {model.model.get()},
                         .source = model.source_tokenizer.get(),
                         .target = model.target_tokenizer.get()},
                        options, 1, backend);
  auto translations = Json::array();
  for (const auto& best : translator.Translate(texts)) {
    translations.push_back({{"pieces", PiecesOf(*model.target_tokenizer, best.front().tokens)},
                            {"ids", best.front().tokens},
                            {"token_log_probabilities", best.front().token_log_probabilities}});
  }
  return translations;
}

}  // namespace

Json MakeClientCase(const ModelOnDisk& disk, const std::string& name, const ExportOptions& options,
                    Backend& backend) {
  const auto output =
      disk / fmt::format("{}_{}", EnumToString(options.format), EnumToString(options.type));
  ExportModel(ModelSource(disk.path()), options, output, backend);
  Json made = {
      {"name", name}, {"type", EnumToString(options.type)}, {"directory", output.string()}};
  made.update(DescribeTranslations(disk.path(), backend));
  return made;
}

Json DescribeTranslations(const std::filesystem::path& path, Backend& backend) {
  const auto model = LoadTranslationModel(path, backend);
  std::vector<std::string> texts;
  auto pieces = Json::array();
  auto source_ids = Json::array();
  for (int64_t number = 1000; number < 1016; ++number) {
    texts.push_back(SamplePair(number).first);
    std::vector<int32_t> ids;
    model->source_tokenizer->Encode(texts.back(), &ids);
    pieces.push_back(PiecesOf(*model->source_tokenizer, ids));
    ids.push_back(model->source_tokenizer->eos_id());
    source_ids.push_back(ids);
  }
  return {{"texts", texts},
          {"source_pieces", pieces},
          {"source_ids", source_ids},
          {"greedy", Translations(*model, backend, 1, texts)},
          {"beam4", Translations(*model, backend, 4, texts)}};
}

}  // namespace heed
