// The real CTranslate2 runs our exports: tests/export/ctranslate2_client.py.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "decode/loaded_model.h"
#include "export/export_model.h"
#include "tests/export/client.h"
#include "tests/export/export_fixture.h"
#include "tests/text/sample_text.h"
#include "util/files.h"

namespace heed {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> PiecesOf(const Tokenizer& tokenizer, const std::vector<int32_t>& ids) {
  std::vector<std::string> pieces;
  for (const int32_t id : ids) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

// What Heed translates, in a search that CTranslate2 has too.
Json Translations(const LoadedModel& model, Backend& backend, int64_t beam,
                  const std::vector<std::string>& texts) {
  DecodingOptions options;
  options.beam = beam;
  // Where length counts, the two stop their searches by different rules.
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
                            {"token_log_probabilities", best.front().token_log_probabilities}});
  }
  return translations;
}

// One exported directory with what it must give.
Json MakeCase(const ModelOnDisk& disk, const std::string& name, ElementType type,
              Backend& backend) {
  const auto output = disk / std::string(EnumToString(type));
  ExportModel(ModelSource(disk.path()), {ExportFormat::kCtranslate2, type}, output, backend);
  const auto model = LoadTranslationModel(disk.path(), backend);
  std::vector<std::string> texts;
  auto sources = Json::array();
  for (int64_t number = 1000; number < 1016; ++number) {
    texts.push_back(SamplePair(number).first);
    std::vector<int32_t> ids;
    model->source_tokenizer->Encode(texts.back(), &ids);
    sources.push_back(PiecesOf(*model->source_tokenizer, ids));
  }
  return {{"name", name},
          {"type", EnumToString(type)},
          {"directory", output.string()},
          {"texts", texts},
          {"sources", sources},
          {"greedy", Translations(*model, backend, 1, texts)},
          {"beam4", Translations(*model, backend, 4, texts)}};
}

TEST(Ctranslate2Client, TranslatesAndScoresOurExportsAsWeDo) {
  const auto backend = MakeBackend({});
  std::vector<std::unique_ptr<ModelOnDisk>> disks;
  auto cases = Json::array();
  for (const ModelVariant& variant : ExportVariants()) {
    disks.push_back(std::make_unique<ModelOnDisk>(variant.recipe));
    cases.push_back(MakeCase(*disks.back(), variant.name, ElementType::kFloat32, *backend));
  }
  for (const ElementType type :
       {ElementType::kFloat16, ElementType::kBfloat16, ElementType::kInt8}) {
    cases.push_back(MakeCase(*disks[0], "post_relu", type, *backend));
    cases.push_back(MakeCase(*disks[1], "pre_gelu_begin", type, *backend));
  }
  const TemporaryDirectory directory;
  WriteFile(directory / "cases.json", cases.dump());
  HEED_EXPECT_CLIENT_PASSES("ctranslate2_client.py", directory / "cases.json");
}

}  // namespace
}  // namespace heed
