#include "export/marian_files.h"

#include <algorithm>
#include <set>
#include <utility>

#include "config/scalar_text.h"
#include "config/yaml_tree.h"
#include "export/marian_format.h"
#include "util/check.h"
#include "util/files.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

bool IsFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The files whose names end so, sorted.
std::vector<fs::path> FilesEndingIn(const fs::path& directory,
                                    std::initializer_list<const char*> ends) {
  std::set<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    for (const char* end : ends) {
      if (name.ends_with(end) && IsFile(entry.path())) found.insert(entry.path());
    }
  }
  return {found.begin(), found.end()};
}

fs::path FindMarianModel(const fs::path& directory) {
  for (const char* name : {kMarianNpzFile, kMarianBinFile}) {
    if (IsFile(directory / name)) return directory / name;
  }
  std::vector<fs::path> models = FilesEndingIn(directory, {".npz", ".bin"});
  std::erase_if(models, [](const fs::path& path) {
    return path.string().ends_with(".optimizer.npz");  // of training
  });
  if (models.size() == 1) return models.front();
  ThrowUserError("{} has {} and no decoder.yml that names one; name the file itself",
                 directory.string(), models.empty() ? "no .npz or .bin" : "several models");
}

// "" if there is none.
fs::path FindDecoderConfig(const fs::path& directory, const fs::path& model) {
  if (!model.empty() && IsFile(model.string() + ".decoder.yml")) {
    return model.string() + ".decoder.yml";
  }
  if (IsFile(directory / kMarianDecoderFile)) return directory / kMarianDecoderFile;
  const auto others = FilesEndingIn(directory, {".decoder.yml"});
  return others.size() == 1 ? others.front() : fs::path();
}

class DecoderConfig {
 public:
  explicit DecoderConfig(const fs::path& path) : path_(path) {
    constexpr int64_t kMostBytes = int64_t{1} << 20;
    if (FileSize(path) > kMostBytes) ThrowUserError("{} is too large", path.string());
    ProblemList problems;
    const auto root = ParseYaml(ReadFile(path), path.string(), problems);
    problems.ThrowIfAny();
    if (root) root_ = *root;
  }

  // The files that a key lists, which may be one without a list.
  std::vector<fs::path> Files(std::string_view key) const {
    std::vector<fs::path> files;
    const ConfigNode::Entry* entry = root_.Find(key);
    if (entry == nullptr) return files;
    if (entry->value.kind == ConfigNode::Kind::kScalar) files.push_back(Inside(entry->value.text));
    for (const ConfigNode& item : entry->value.items) files.push_back(Inside(item.text));
    return files;
  }

  DecodingOptions Decoding() const {
    DecodingOptions decoding;
    if (const auto beam = ParseInteger(Text("beam-size"))) {
      constexpr int64_t kWidest = 1000;
      decoding.beam = std::clamp<int64_t>(*beam, 1, kWidest);
    }
    const std::string normalize = Text("normalize");
    if (!normalize.empty()) {
      // score / tokens^alpha; "true" is 1.
      const double alpha =
          ParseBoolean(normalize).value_or(false) ? 1 : ParseNumber(normalize).value_or(0);
      decoding.length_penalty.kind =
          alpha > 0 ? LengthPenaltyKind::kAverage : LengthPenaltyKind::kNone;
      if (alpha > 0) decoding.length_penalty.alpha = alpha;
    }
    if (ParseNumber(Text("word-penalty")).value_or(0) != 0) {
      HEED_LOG(warn, "{}: word-penalty is not used", path_.string());
    }
    if (ParseBoolean(Text("allow-unk")).value_or(false)) decoding.suppress_unknown = false;
    return decoding;
  }

 private:
  // "" if it is absent or no single value.
  std::string Text(std::string_view key) const {
    const ConfigNode::Entry* entry = root_.Find(key);
    return entry == nullptr ? "" : entry->value.text;
  }

  fs::path Inside(const std::string& name) const {
    const fs::path named = name, directory = path_.parent_path();
    const bool leaves = named.is_absolute() || std::ranges::any_of(named, [](const fs::path& part) {
                          return part == "..";
                        });
    fs::path file = directory / (leaves ? named.filename() : named);
    if (name.find('\0') == std::string::npos && IsFile(file)) return file;
    ThrowUserError("{} names '{}', which is not in its directory; files must be there",
                   path_.string(), name);
  }

  fs::path path_;
  ConfigNode root_;
};

}  // namespace

MarianModelFiles FindMarianModelFiles(const fs::path& path) {
  std::error_code ignored;
  const bool is_directory = fs::is_directory(path, ignored);
  MarianModelFiles files;
  if (!is_directory) files.model = path;
  const fs::path directory = is_directory ? path : path.parent_path();
  const fs::path config = FindDecoderConfig(directory.empty() ? "." : directory, files.model);
  if (!config.empty()) {
    const DecoderConfig decoder(config);
    files.decoding = decoder.Decoding();
    files.vocabularies = decoder.Files("vocabs");
    if (files.vocabularies.size() != 2 && !files.vocabularies.empty()) {
      ThrowUserError("{} names {} vocabularies; Heed's models have one source and one target",
                     config.string(), files.vocabularies.size());
    }
    const std::vector<fs::path> models =
        is_directory ? decoder.Files("models") : std::vector<fs::path>();
    if (models.size() > 1) {
      ThrowUserError("{} names {} models; import them one by one, each by its file",
                     config.string(), models.size());
    }
    if (!models.empty()) files.model = models.front();
  }
  if (files.model.empty()) files.model = FindMarianModel(directory);
  return files;
}

}  // namespace heed
