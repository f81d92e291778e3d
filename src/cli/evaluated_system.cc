#include "cli/evaluated_system.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "util/check.h"
#include "util/line_reader.h"
#include "util/logging.h"

namespace heed {
namespace {

std::filesystem::path FileFor(const std::filesystem::path& folder, const TestSetOptions& test) {
  return folder / (test.name + ".txt");
}

class ModelSystem final : public EvaluatedSystem {
 public:
  ModelSystem(const ModelArguments& models, const Recipe& recipe)
      : EvaluatedSystem(fmt::format("{}", fmt::join(models.models, " + "))),
        bundle_(models),
        options_(recipe.decoding),
        seed_(static_cast<uint64_t>(recipe.seed)) {
    for (const auto& model : bundle_.models) {
      HEED_LOG(info, "model {}", model->directory.string());
    }
  }

  std::vector<std::string> Translations(const TestSetOptions& test,
                                        const std::vector<std::string>& sources) override {
    Translator translator(bundle_.system, options_, seed_, *bundle_.backend);
    std::vector<std::string> translations = translator.TranslateBest(sources);
    const TranslationStatistics& done = translator.statistics();
    HEED_LOG(info, "{}: {} lines in {:.1f} s, {:.0f} target tokens/s", test.name, done.lines,
             done.seconds, static_cast<double>(done.target_tokens) / std::max(1e-9, done.seconds));
    if (done.cut_lines > 0) {
      HEED_LOG(warn, "{}: only the beginnings of {} lines that are too long are translated",
               test.name, done.cut_lines);
    }
    return translations;
  }

 private:
  ModelBundle bundle_;
  DecodingOptions options_;
  uint64_t seed_;
};

class FileSystem final : public EvaluatedSystem {
 public:
  explicit FileSystem(const std::string& path) : EvaluatedSystem(path) {}

  std::vector<std::string> Translations(const TestSetOptions& test,
                                        const std::vector<std::string>& sources) override {
    std::filesystem::path path = name();
    if (std::filesystem::is_directory(path)) path = FileFor(path, test);
    std::vector<std::string> lines = ReadLines(path);
    if (lines.size() != sources.size()) {
      ThrowUserError("test set {}: {} has {} lines, but {} has {} translations", test.name,
                     test.source, sources.size(), path.string(), lines.size());
    }
    return lines;
  }
};

}  // namespace

std::unique_ptr<EvaluatedSystem> OpenModels(const ModelArguments& models, const Recipe& recipe) {
  return std::make_unique<ModelSystem>(models, recipe);
}

bool HoldsTranslations(const std::string& path, const Recipe& recipe) {
  const auto& tests = recipe.evaluation.test_sets;
  if (!std::filesystem::is_directory(path)) return std::filesystem::exists(path);
  return std::any_of(tests.begin(), tests.end(), [&](const TestSetOptions& test) {
    return std::filesystem::exists(FileFor(path, test));
  });
}

std::unique_ptr<EvaluatedSystem> OpenTranslations(const std::string& path, const Recipe& recipe) {
  const auto& tests = recipe.evaluation.test_sets;
  if (!std::filesystem::exists(path)) {
    ThrowUserError("{} does not exist; name a file of translations, or a folder with {}.txt", path,
                   tests.front().name);
  }
  if (!std::filesystem::is_directory(path)) {
    if (tests.size() > 1) {
      ThrowUserError(
          "{} is one file, but the recipe has {} test sets; name a folder with {}.txt and so on, "
          "as 'heed evaluate --output' writes it",
          path, tests.size(), tests.front().name);
    }
    return std::make_unique<FileSystem>(path);
  }
  for (const TestSetOptions& test : tests) {
    if (!std::filesystem::exists(FileFor(path, test))) {
      ThrowUserError("{} has no {}.txt for the test set of that name", path, test.name);
    }
  }
  return std::make_unique<FileSystem>(path);
}

}  // namespace heed
