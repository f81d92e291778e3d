#include "export/import_model.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "config/recipe_reader.h"
#include "config/recipe_writer.h"
#include "export/argos_import.h"
#include "export/ctranslate2_import.h"
#include "export/heed_import.h"
#include "export/huggingface_import.h"
#include "export/marian_import.h"
#include "export/parity.h"
#include "export/zip_archive.h"
#include "models/model_factory.h"
#include "text/piece_list.h"
#include "util/check.h"
#include "util/directories.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

ImportedModel Open(const fs::path& model, const ImportOptions& options) {
  switch (options.format) {
    case ImportFormat::kCtranslate2:
      return ImportCtranslate2(model, options.vocabularies);
    case ImportFormat::kHeed:
      return ImportHeed(model);
    case ImportFormat::kHuggingFace:
      return ImportHuggingFace(
          model, options.vocabularies,
          {.source = options.source_language, .target = options.target_language});
    case ImportFormat::kMarian:
      return ImportMarian(model, options.vocabularies);
    case ImportFormat::kArgos:
      return ImportArgos(model, options.vocabularies);
  }
  HEED_CHECK(false, "format {} has no importer", EnumToString(options.format));
  return {};
}

bool IsArchive(const fs::path& path) {
  std::error_code ignored;
  const bool is_named_so = path.extension() == ".zip" || path.extension() == ".argosmodel";
  return is_named_so && fs::is_regular_file(path, ignored);
}

// ">>deu<<", which models of several target languages want before their sources.
std::string LanguageMark(const ImportedModel& model, const ImportOptions& options) {
  const PieceList* list = model.vocabularies.source->list();
  if (list == nullptr) return "";
  std::vector<std::string> marks;
  for (int32_t id = 0; id < list->size(); ++id) {
    if (list->IsPrefix(id) && list->piece(id).starts_with(">>")) marks.push_back(list->piece(id));
  }
  std::string wanted = ">>" + options.target_language + "<<";
  if (std::ranges::count(marks, wanted) > 0) return wanted;
  if (marks.empty()) return "";
  const size_t count = marks.size();
  constexpr size_t kMostNamed = 10;
  marks.resize(std::min(count, kMostNamed));
  HEED_LOG(warn,
           "the model has {} target languages: sources must begin with one of {}{}, or give "
           "--target-language",
           count, fmt::join(marks, " "), count > kMostNamed ? " ..." : "");
  return "";
}

Recipe RecipeOf(const ImportedModel& model, const ImportOptions& options, const fs::path& output) {
  const fs::path whole = fs::absolute(output / "").parent_path();  // without a slash at its end
  Recipe recipe = model.recipe.value_or(Recipe{});
  recipe.name = whole.filename().string();
  recipe.output = whole.string();
  const auto either = [](const std::string& given, const std::string& found) {
    return given.empty() ? found : given;
  };
  recipe.data.source_language = either(options.source_language, model.source_language);
  recipe.data.target_language = either(options.target_language, model.target_language);
  recipe.vocabulary.joint = model.vocabularies.is_joint();
  recipe.vocabulary.shared_ids = !model.vocabularies.is_joint() && model.vocabularies.shares_ids();
  recipe.vocabulary.source_prefix =
      model.source_prefix.empty() ? LanguageMark(model, options) : model.source_prefix;
  recipe.vocabulary.target_prefix = model.target_prefix;
  recipe.model = model.shape.options;
  if (model.decoding) recipe.decoding = *model.decoding;
  if (recipe.model.positions.kind == PositionKind::kLearned) {
    const int64_t longest = recipe.model.positions.max_length - 1;  // and the end mark
    recipe.data.filters.max_length = std::min(recipe.data.filters.max_length, longest);
  }
  return recipe;
}

void RequireFinite(const ImportedModel& model, const fs::path& path, Backend& backend) {
  const std::vector<double> log_probabilities =
      ProbeLogProbabilities(MakeProbe(model.shape), model.shape, model.fill, backend);
  if (std::ranges::all_of(log_probabilities, [](double value) { return std::isfinite(value); })) {
    return;
  }
  ThrowUserError("{} gives log-probabilities that are not finite: its weights are damaged",
                 path.string());
}

void Write(const ImportedModel& model, const std::string& recipe, const fs::path& directory) {
  ParameterStore store;
  const auto ours = MakeModel(store, model.shape, false);
  store.Allocate(DType::kFloat32, false, &Memory::Host);
  model.fill(store);
  const fs::path vocabularies = directory / "vocabularies";
  MakeDirectories(vocabularies);
  SaveVocabularies(model.vocabularies, vocabularies);
  CheckpointContent content;
  content.parameters = &store;
  content.buffers = {{std::string(kModelFile), "", store.flat_values()}};
  content.recipe = recipe;
  content.state.update = model.update;
  for (const std::string& name : VocabularyFileNames(model.vocabularies)) {
    content.copies.push_back(vocabularies / name);
  }
  WriteCheckpoint(directory, content);
  RemoveDirectory(vocabularies);
}

}  // namespace

TransformerShape ImportModel(const fs::path& path, const ImportOptions& options,
                             const fs::path& output, Backend& backend) {
  RequireAbsent(output);
  AtomicDirectory directory(output);
  const fs::path unpacked = directory.path() / "unpacked";
  if (IsArchive(path)) {
    MakeDirectories(unpacked);
    UnpackZip(path, unpacked);
  }
  const ImportedModel model = Open(IsArchive(path) ? RootOfUnpacked(unpacked) : path, options);
  RequireFinite(model, path, backend);
  const std::string recipe = WriteRecipe(RecipeOf(model, options, output));
  ParseRecipe(recipe, path.string() + " as a recipe");  // what cannot be read is not written
  Write(model, recipe, directory.path());
  if (IsArchive(path)) RemoveDirectory(unpacked);
  directory.Commit();
  return model.shape;
}

}  // namespace heed
