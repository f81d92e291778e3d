#include "data/prepare_key.h"

#include <algorithm>

#include "config/field_types.h"
#include "util/checksum.h"
#include "util/mapped_file.h"

namespace heed {
namespace {

// Appends "path: value" for every field of a section.
class KeyWriter {
 public:
  KeyWriter(std::string path, PrepareKey* key) : path_(std::move(path)), key_(key) {}

  template <class Value, class... Constraints>
  void operator()(const char* name, Value& field, const char* /*meaning*/,
                  const Constraints&... /*constraints*/) {
    const std::string path = fmt::format("{}.{}", path_, name);
    if constexpr (SectionField<Value>) {
      KeyWriter below(path, key_);
      field.VisitFields(below);
    } else {
      key_->push_back(fmt::format("{}: {}", path, FormatField(field)));
    }
  }

 private:
  std::string path_;
  PrepareKey* key_;
};

template <class Section>
void AppendSection(const std::string& path, Section section, PrepareKey* key) {
  KeyWriter writer(path, key);
  section.VisitFields(writer);
}

std::string DescribeFile(const std::string& path) {
  return fmt::format("{} {}", path, ContentHash(path));
}

std::string DescribeCorpus(const CorpusOptions& corpus) {
  if (corpus.tsv.empty()) {
    return fmt::format("{}, {}", DescribeFile(corpus.source), DescribeFile(corpus.target));
  }
  return fmt::format("{}, columns {} and {}", DescribeFile(corpus.tsv), corpus.source_column,
                     corpus.target_column);
}

std::string_view NameOfLine(const std::string& line) {
  const std::string_view whole = line;
  return whole.substr(0, line.find(": "));
}

bool Holds(const PrepareKey& key, const std::string& line) {
  return std::find(key.begin(), key.end(), line) != key.end();
}

}  // namespace

std::string ContentHash(const std::filesystem::path& path) {
  constexpr size_t kBlockBytes = size_t{1} << 20, kBlocks = 64;
  const MappedFile file(path);
  const std::string_view text = file.text();
  if (text.size() <= kBlocks * kBlockBytes) return HexDigits(Fnv1a64(text));
  uint64_t hash = Fnv1a64(fmt::format("{}", text.size()));
  for (size_t block = 0; block < kBlocks; ++block) {
    const size_t start = (text.size() - kBlockBytes) / (kBlocks - 1) * block;
    const bool is_last = block + 1 == kBlocks;
    hash = Fnv1a64(text.substr(is_last ? text.size() - kBlockBytes : start, kBlockBytes), hash);
  }
  return HexDigits(hash);
}

PrepareKey TrainingCorpusKey(const Recipe& recipe) {
  PrepareKey key;
  for (const TrainingCorpusOptions& corpus : recipe.data.train) {
    key.push_back(fmt::format("data.train[{}]: {}", key.size(), DescribeCorpus(corpus)));
  }
  return key;
}

PrepareKey VocabularyKey(const Recipe& recipe, const PrepareKey& training_corpora) {
  PrepareKey key = training_corpora;
  VocabularyOptions vocabulary = recipe.vocabulary;
  vocabulary.sampling = {};
  FilterOptions filters = recipe.data.filters;
  const FilterOptions defaults;
  filters.min_length = defaults.min_length;
  filters.max_length = defaults.max_length;
  filters.max_ratio = defaults.max_ratio;
  AppendSection("vocabulary", vocabulary, &key);
  // What training a vocabulary does not depend on; vocabularies from before these keys stay usable.
  std::erase_if(key, [](const std::string& line) {
    const std::string_view name = NameOfLine(line);
    return name == "vocabulary.shared_ids" || name == "vocabulary.source_prefix" ||
           name == "vocabulary.target_prefix";
  });
  AppendSection("data.filters", filters, &key);
  key.push_back(fmt::format("model.decoder_start: {}", FormatField(recipe.model.decoder_start)));
  return key;
}

PrepareKey ShardKey(const Recipe& recipe, const PrepareKey& training_corpora,
                    const std::string& source_vocabulary, const std::string& target_vocabulary) {
  PrepareKey key = training_corpora;
  if (recipe.data.valid.IsGiven()) {
    key.push_back("data.valid: " + DescribeCorpus(recipe.data.valid));
  }
  key.push_back("the source vocabulary: " + source_vocabulary);
  key.push_back("the target vocabulary: " + target_vocabulary);
  AppendSection("data.filters", recipe.data.filters, &key);
  key.push_back(fmt::format("vocabulary.sampling: {}", recipe.vocabulary.sampling.IsOn()));
  return key;
}

std::string HashOfKey(const PrepareKey& key) {
  uint64_t hash = kFnv1aStart;
  for (const std::string& line : key) hash = Fnv1a64("\n", Fnv1a64(line, hash));
  return HexDigits(hash);
}

std::optional<std::string> FirstChange(const PrepareKey& before, const PrepareKey& now) {
  for (const std::string& line : now) {
    if (!Holds(before, line)) return std::string(NameOfLine(line));
  }
  for (const std::string& line : before) {
    if (!Holds(now, line)) return std::string(NameOfLine(line));
  }
  return std::nullopt;
}

}  // namespace heed
