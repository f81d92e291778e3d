#include "export/marian_export.h"

#include <fmt/format.h>

#include "export/marian_bin.h"
#include "export/marian_config.h"
#include "export/marian_npz.h"
#include "export/marian_obstacles.h"
#include "export/marian_vocabulary.h"
#include "util/files.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// Writes the vocabularies in YAML and returns their names, source and target, which are those that
// converters look for.
std::vector<std::string> WriteMarianLists(const Vocabularies& vocabularies,
                                          const fs::path& directory) {
  if (vocabularies.shares_ids()) {
    WriteFile(directory / "vocab.yml", MarianVocabularyYaml(*vocabularies.source));
    return {"vocab.yml", "vocab.yml"};
  }
  WriteFile(directory / "src.vocab.yml", MarianVocabularyYaml(*vocabularies.source));
  WriteFile(directory / "trg.vocab.yml", MarianVocabularyYaml(*vocabularies.target));
  return {"src.vocab.yml", "trg.vocab.yml"};
}

// Writes all vocabulary files and returns the names of those that Marian shall read.
std::vector<std::string> WriteMarianVocabularies(const Vocabularies& vocabularies,
                                                 const fs::path& directory) {
  std::vector<std::string> lists = WriteMarianLists(vocabularies, directory);
  const auto write = [&](const char* name, const Tokenizer& tokenizer) {
    WriteFile(directory / name, tokenizer.serialized());
  };
  if (vocabularies.source->list() != nullptr || vocabularies.target->list() != nullptr) {
    write("source.spm", *vocabularies.source);  // OPUS-MT's names
    write("target.spm", *vocabularies.target);
    return lists;
  }
  if (vocabularies.is_joint()) {
    write("vocab.spm", *vocabularies.source);
    return {"vocab.spm", "vocab.spm"};
  }
  write("vocab.src.spm", *vocabularies.source);
  write("vocab.trg.spm", *vocabularies.target);
  return {"vocab.src.spm", "vocab.trg.spm"};
}

void WriteMarianYaml(const ModelSource& model, const std::string& model_file,
                     const fs::path& directory) {
  const MarianFiles files{.model = model_file,
                          .vocabularies = WriteMarianVocabularies(model.vocabularies(), directory)};
  WriteFile(directory / kMarianDecoderFile, MarianDecoderYaml(files, model.recipe().decoding));
}

// `block`: of the text's padding.
std::vector<MarianItem> AllMarianItems(const ModelSource& model, const PortableWeights& weights,
                                       int64_t block) {
  std::vector<MarianItem> items = MarianItems(weights);
  items.push_back(MarianTextItem(kMarianConfig, MarianModelYaml(model.shape()), block));
  return items;
}

}  // namespace

std::vector<std::string> FindMarianBinObstacles(const ModelSource& model, ElementType type) {
  return FindMarianObstacles(model, type);
}

std::vector<std::string> FindMarianNpzObstacles(const ModelSource& model, ElementType type) {
  std::vector<std::string> reasons = FindMarianObstacles(model, type);
  int64_t bytes = 0;
  for (const StoredTensor& tensor : model.weights().tensors()) {
    constexpr int64_t kAround = 1024;  // headers of the three arrays that a tensor may become
    bytes += tensor.elements * SizeOf(ElementType::kFloat32) + kAround;
  }
  if (bytes > kLargestNpz) {
    reasons.push_back(
        fmt::format("it needs {} and an .npz of Marian's may have {}; choose --to "
                    "marian-bin",
                    FormatBytes(bytes), FormatBytes(kLargestNpz)));
  }
  return reasons;
}

void WriteMarianBinModel(const ModelSource& model, ElementType /*type*/,
                         const fs::path& directory) {
  const PortableWeights weights(model);
  WriteMarianBin(directory / kMarianBinFile, AllMarianItems(model, weights, kMarianBlock));
  WriteMarianYaml(model, kMarianBinFile, directory);
}

void WriteMarianNpzModel(const ModelSource& model, ElementType /*type*/,
                         const fs::path& directory) {
  const PortableWeights weights(model);
  // Converters take off one zero and parse the rest.
  WriteMarianNpz(directory / kMarianNpzFile, AllMarianItems(model, weights, 1));
  WriteMarianYaml(model, kMarianNpzFile, directory);
}

}  // namespace heed
