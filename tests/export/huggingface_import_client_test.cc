// Models that the real transformers makes and saves translate here as they do there:
// tests/export/huggingface_models.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "decode/loaded_model.h"
#include "export/import_model.h"
#include "tests/export/client.h"
#include "tests/text/sample_text.h"
#include "tests/util/temporary_directory.h"
#include "util/files.h"
#include "util/json_file.h"

namespace heed {
namespace {

constexpr int64_t kNumTexts = 110;
constexpr int64_t kLongest = 25;  // as in the script

std::vector<std::string> WriteTexts(const TemporaryDirectory& directory) {
  std::string source, target, lines;
  std::vector<std::string> texts;
  for (int64_t number = 0; number < 400; ++number) {
    const auto [english, german] = SamplePair(number);
    source += english + "\n";
    target += german + "\n";
  }
  for (int64_t number = 2000; std::ssize(texts) < kNumTexts - 2; ++number) {
    texts.push_back(SamplePair(number).first);
  }
  texts.emplace_back("Größe ☃☃ 12 ß");  // characters without a piece
  texts.emplace_back("near  the   window");
  for (const std::string& text : texts) lines += text + "\n";
  WriteFile(directory / "source.txt", source);
  WriteFile(directory / "target.txt", target);
  WriteFile(directory / "texts.txt", lines);
  return texts;
}

// The largest difference of two lists of log-probabilities.
double Distance(const std::vector<double>& ours, const std::vector<double>& theirs) {
  if (ours.size() != theirs.size()) return std::numeric_limits<double>::infinity();
  double distance = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    distance = std::max(distance, std::abs(ours[i] - theirs[i]));
  }
  return distance;
}

// transformers does so too.
std::string Trimmed(const std::string& text) {
  const size_t last = text.find_last_not_of(' ');
  return last == std::string::npos ? "" : text.substr(0, last + 1);
}

void ExpectSame(const nlohmann::json& model, const std::vector<std::string>& texts,
                const std::filesystem::path& output, Backend& backend) {
  const std::string name = model["name"];
  ImportModel(model["directory"].get<std::string>(),
              {.format = ImportFormat::kHuggingFace,
               .source_language = model["source_language"],
               .target_language = model["target_language"]},
              output, backend);
  std::vector<std::unique_ptr<LoadedModel>> models;
  models.push_back(LoadTranslationModel(output, backend));
  const LoadedModel& loaded = *models.front();
  EXPECT_EQ(loaded.recipe.decoding.beam, model["num_beams"]) << name;
  EXPECT_EQ(loaded.recipe.decoding.suppress_unknown, model["suppresses_unknown"]) << name;
  DecodingOptions options = loaded.recipe.decoding;
  options.beam = 1;
  options.suppress_unknown = false;
  // With one, a longer translation than the greedy one may have a better score.
  options.length_penalty.kind = LengthPenaltyKind::kNone;
  options.max_length = {.ratio = 0, .extra = kLongest};
  const Tokenizer &source = *loaded.source_tokenizer, &target = *loaded.target_tokenizer;
  Translator translator(MakeSystem(models), options, 1, backend);
  const auto translations = translator.Translate(texts);
  int64_t equal = 0;
  double worst = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    std::vector<int32_t> ids;
    source.Encode(texts[i], &ids);
    ids.push_back(source.eos_id());
    EXPECT_EQ(ids, model["source_ids"][i].get<std::vector<int32_t>>()) << name << texts[i];
    const nlohmann::json& theirs = model["greedy"][i];
    const Translation& ours = translations[i].front();
    const bool is_equal = ours.tokens == theirs["ids"].get<std::vector<int32_t>>();
    EXPECT_TRUE(is_equal) << name << " " << i << ": " << nlohmann::json(ours.tokens) << " not "
                          << theirs["ids"];
    if (!is_equal) continue;
    ++equal;
    // transformers writes ids without a piece as unknown, or leaves them out.
    const std::string text = theirs["text"];
    const bool is_known = text.find("<unk>") == std::string::npos &&
                          std::ranges::count(ours.tokens, target.unk_id()) == 0;
    EXPECT_TRUE(!is_known || Trimmed(ours.text) == text)
        << name << ": '" << ours.text << "' not '" << text << "'";
    worst = std::max(worst, Distance(ours.token_log_probabilities, theirs["log_probabilities"]));
  }
  EXPECT_LE(worst, 1e-4) << name;
  fmt::print("{:<24} greedy equal {} of {}, log-probabilities within {:.1e}\n", name, equal,
             texts.size(), worst);
}

TEST(HuggingFaceImportClient, ModelsOfTransformersTranslateHereAsThere) {
  const TemporaryDirectory directory;
  const std::vector<std::string> texts = WriteTexts(directory);
  HEED_EXPECT_CLIENT_PASSES("HEED_TRANSFORMERS_PYTHON", "huggingface_models.py", directory / "");
  const auto backend = MakeBackend({});
  const nlohmann::json models = ReadJsonFile(directory / "cases.json");
  ASSERT_GE(models.size(), 9U);
  for (const nlohmann::json& model : models) {
    ExpectSame(model, texts, directory / (model["name"].get<std::string>() + ".imported"),
               *backend);
  }
}

}  // namespace
}  // namespace heed
