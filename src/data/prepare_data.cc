#include "data/prepare_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "data/corpus_encoder.h"
#include "data/prepare_key.h"
#include "util/check.h"
#include "util/directories.h"
#include "util/files.h"
#include "util/logging.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kFormat = 2;
// Shares of unknown tokens in a side of the training data.
constexpr double kMuchUnknown = 0.01, kTooMuchUnknown = 0.2;

// What prepared.json says about an earlier preparation.
struct Manifest {
  PrepareKey vocabulary_key, shard_key;
  std::string vocabularies;  // FingerprintOf them
  PrepareReport report;
};

fs::path ManifestPath(const fs::path& directory) {
  return directory / "prepared.json";
}

void WriteManifest(const fs::path& directory, const Manifest& manifest) {
  const nlohmann::json json = {{"format", kFormat},
                               {"fingerprint", HashOfKey(manifest.shard_key)},
                               {"vocabulary_key", manifest.vocabulary_key},
                               {"shard_key", manifest.shard_key},
                               {"vocabularies", manifest.vocabularies},
                               {"report", manifest.report}};
  // Paths may hold bytes that are no UTF-8.
  WriteFile(ManifestPath(directory),
            json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

// Nothing if there is none, or none that this version can use.
std::optional<Manifest> ReadManifest(const fs::path& directory) {
  if (!fs::exists(ManifestPath(directory))) return std::nullopt;
  try {
    const auto json = nlohmann::json::parse(ReadFile(ManifestPath(directory)));
    if (json.at("format") != kFormat) return std::nullopt;
    return Manifest{json.at("vocabulary_key"), json.at("shard_key"), json.at("vocabularies"),
                    json.at("report")};
  } catch (const nlohmann::json::exception& error) {
    HEED_LOG(warn, "{} is damaged ({}); preparing again", ManifestPath(directory).string(),
             error.what());
    return std::nullopt;
  }
}

// Before any work: are all files there?
void CheckFilesExist(const Recipe& recipe) {
  std::vector<std::string> paths;
  for (const TrainingCorpusOptions& corpus : recipe.data.train) {
    paths.insert(paths.end(), {corpus.source, corpus.target, corpus.tsv});
  }
  paths.insert(paths.end(),
               {recipe.data.valid.source, recipe.data.valid.target, recipe.data.valid.tsv});
  std::string missing;
  for (const std::string& path : paths) {
    if (path.empty()) continue;
    std::error_code error;  // set for what is neither there nor absent: no rights, a loop of links
    const bool is_there = fs::exists(path, error);
    if (error) ThrowFileError("read", path, error.value());
    if (!is_there) missing += (missing.empty() ? "" : ", ") + path;
  }
  if (missing.empty()) return;
  ThrowUserError("no such file: {}; {}", missing,
                 recipe.data.fetch.empty()
                     ? "check the paths under 'data', which are relative to the present folder"
                     : "fetch the data with: " + recipe.data.fetch);
}

std::string NameOf(const TrainingCorpusOptions& corpus) {
  if (!corpus.name.empty()) return corpus.name;
  return fs::path(corpus.tsv.empty() ? corpus.source : corpus.tsv).filename().string();
}

fs::path ShardPath(const fs::path& directory, size_t corpus) {
  return directory / fmt::format("train.{}.shard", corpus);
}

// One preparation.
class Preparation {
 public:
  Preparation(const Recipe& recipe, const fs::path& directory, ThreadPool& pool)
      : recipe_(recipe), directory_(directory), pool_(pool), filter_(recipe.data.filters) {}

  PreparedData Run() {
    CheckFilesExist(recipe_);
    MakeDirectories(directory_);
    const FileLock lock(
        directory_ / "prepare.lock",
        "another process prepares data there; wait for it, or choose another 'output'");
    RemoveLeftovers(directory_);
    earlier_ = ReadManifest(directory_);
    const PrepareKey corpora = TrainingCorpusKey(recipe_);
    PrepareVocabularies(corpora);
    const Vocabularies& vocabularies = data_.vocabularies;
    now_.shard_key = ShardKey(recipe_, corpora, vocabularies.source->fingerprint(),
                              vocabularies.target->fingerprint());
    data_.fingerprint = HashOfKey(now_.shard_key);
    for (const TrainingCorpusOptions& corpus : recipe_.data.train) {
      data_.corpora.push_back(corpus);
      data_.weights.push_back(corpus.weight);
    }
    if (!FindShards()) MakeShards();
    if (data_.valid && data_.valid->size() == 0) {
      ThrowUserError("data.valid ({}) has no line; give it some, or leave it out",
                     DescribeFiles(recipe_.data.valid));
    }
    if (data_.num_pairs() == 0) {
      ThrowUserError("no training pair is left:\n{}\ncheck the corpora and data.filters",
                     data_.report.Format());
    }
    return std::move(data_);
  }

 private:
  void PrepareVocabularies(const PrepareKey& corpora) {
    if (HasGivenVocabularies(recipe_.vocabulary)) {
      data_.vocabularies = LoadGivenVocabularies(recipe_);
      return;
    }
    now_.vocabulary_key = VocabularyKey(recipe_, corpora);
    if (FindVocabularies()) return;
    data_.vocabularies = TrainVocabularies(recipe_, filter_);
    SaveVocabularies(data_.vocabularies, directory_);
    // If the rest is interrupted, the vocabularies can still be used.
    now_.vocabularies = FingerprintOf(data_.vocabularies);
    WriteManifest(directory_, now_);
  }

  bool FindVocabularies() {
    if (!earlier_ || earlier_->vocabulary_key.empty()) return false;
    if (const auto change = FirstChange(earlier_->vocabulary_key, now_.vocabulary_key)) {
      HEED_LOG(info, "{} has changed: training the vocabulary again", *change);
      return false;
    }
    try {
      data_.vocabularies = LoadVocabularies(directory_, recipe_.vocabulary);
      now_.vocabularies = FingerprintOf(data_.vocabularies);
      if (now_.vocabularies == earlier_->vocabularies) return true;
      HEED_LOG(warn, "the vocabulary in {} is another one than was trained; training it again",
               directory_.string());
      return false;
    } catch (const UserError& error) {
      HEED_LOG(warn, "{}; training the vocabulary again", error.what());
      return false;
    }
  }

  bool FindShards() {
    if (!earlier_ || earlier_->shard_key.empty()) return false;
    if (const auto change = FirstChange(earlier_->shard_key, now_.shard_key)) {
      HEED_LOG(info, "{} has changed: preparing again", *change);
      return false;
    }
    try {
      OpenShards();
      CheckReportFits(earlier_->report);
    } catch (const UserError& error) {
      HEED_LOG(warn, "{}; preparing again", error.what());
      return false;
    }
    data_.report = earlier_->report;
    for (size_t i = 0; i < data_.report.train.size(); ++i) {
      data_.report.train[i].name = NameOf(recipe_.data.train[i]);
    }
    HEED_LOG(info, "the prepared data in {} is up to date: {} pairs, fingerprint {}",
             directory_.string(), data_.num_pairs(), data_.fingerprint);
    return true;
  }

  void OpenShards() {
    data_.train.clear();
    for (size_t i = 0; i < recipe_.data.train.size(); ++i) {
      data_.train.push_back(OpenShard(ShardPath(directory_, i)));
    }
    if (recipe_.data.valid.IsGiven()) data_.valid.emplace(OpenShard(directory_ / "valid.shard"));
  }

  // The sums of the report decide about batches.
  void CheckReportFits(const PrepareReport& report) const {
    bool fits = report.train.size() == data_.train.size();
    for (size_t i = 0; fits && i < data_.train.size(); ++i) {
      fits = report.train[i].kept == data_.train[i].size();
    }
    if (!fits) ThrowUserError("{} does not fit the shards", ManifestPath(directory_).string());
  }

  TokenShard OpenShard(const fs::path& path) const {
    TokenShard shard(path);
    if (shard.fingerprint() != data_.fingerprint) {
      ThrowUserError("{}: made from other data", path.string());
    }
    return shard;
  }

  void MakeShards() {
    const Vocabularies& vocabularies = data_.vocabularies;
    CorpusEncoder encoder({vocabularies.source.get(), vocabularies.target.get(), &pool_}, &filter_);
    for (size_t i = 0; i < recipe_.data.train.size(); ++i) {
      const TrainingCorpusOptions& corpus = recipe_.data.train[i];
      HEED_LOG(info, "encoding {}", DescribeFiles(corpus));
      data_.report.train.push_back(Encode(&encoder, NameOf(corpus), corpus,
                                          ShardPath(directory_, i),
                                          recipe_.vocabulary.sampling.IsOn()));
    }
    if (recipe_.data.valid.IsGiven()) {
      CorpusEncoder unfiltered({vocabularies.source.get(), vocabularies.target.get(), &pool_},
                               nullptr);
      data_.report.valid =
          Encode(&unfiltered, "validation", recipe_.data.valid, directory_ / "valid.shard", true);
    }
    ReportVocabularies(encoder);
    HEED_LOG(info, "prepared data in {}, fingerprint {}:\n{}", directory_.string(),
             data_.fingerprint, data_.report.Format());
    CheckUnknown();
    OpenShards();
    data_.is_fresh = true;
    now_.report = data_.report;
    WriteManifest(directory_, now_);
  }

  CorpusReport Encode(CorpusEncoder* encoder, const std::string& name, const CorpusOptions& corpus,
                      const fs::path& path, bool keep_text) const {
    const int64_t largest =
        std::max(data_.source_tokenizer().size(), data_.target_tokenizer().size());
    ShardWriter writer(path, {largest, keep_text, data_.fingerprint});
    CorpusReport report =
        encoder->Run(name, corpus, [&](const ShardPair& pair) { writer.Add(pair); });
    writer.Finish();
    return report;
  }

  void ReportVocabularies(const CorpusEncoder& encoder) {
    std::vector<int64_t> source = encoder.source_counts(), target = encoder.target_counts();
    data_.report.is_joint = data_.vocabularies.shares_ids();
    if (data_.report.is_joint) {
      for (size_t i = 0; i < source.size(); ++i) source[i] = target[i] += source[i];
    }
    const auto report = [](const std::vector<int64_t>& counts) {
      const auto unused = std::count(counts.begin(), counts.end(), 0);
      return VocabularyReport{static_cast<int64_t>(counts.size()),
                              static_cast<int64_t>(counts.size()) - unused};
    };
    data_.report.source = report(source);
    data_.report.target = report(target);
  }

  // A vocabulary of other languages shows here rather than in bad translations.
  void CheckUnknown() const {
    for (const auto side : {&CorpusReport::source, &CorpusReport::target}) {
      int64_t tokens = 0, unknown = 0;
      for (const CorpusReport& corpus : data_.report.train) {
        tokens += (corpus.*side).tokens;
        unknown += (corpus.*side).unknown;
      }
      const double share =
          tokens == 0 ? 0 : static_cast<double>(unknown) / static_cast<double>(tokens);
      const char* name = side == &CorpusReport::source ? "source" : "target";
      if (share > kTooMuchUnknown) {
        ThrowUserError(
            "{:.0f} % of the {} tokens are unknown to the vocabulary; is it one of this language? "
            "Train it on this data, or set vocabulary.byte_fallback or a higher "
            "vocabulary.character_coverage",
            100 * share, name);
      }
      if (share > kMuchUnknown) {
        HEED_LOG(warn,
                 "{:.1f} % of the {} tokens are unknown; consider vocabulary.byte_fallback or a "
                 "higher vocabulary.character_coverage",
                 100 * share, name);
      }
    }
  }

  const Recipe& recipe_;
  fs::path directory_;
  ThreadPool& pool_;
  PairFilter filter_;
  std::optional<Manifest> earlier_;
  Manifest now_;
  PreparedData data_;
};

}  // namespace

int64_t PreparedData::num_pairs() const {
  int64_t sum = 0;
  for (const TokenShard& shard : train) sum += shard.size();
  return sum;
}

std::string PreparedData::Describe(int64_t sentence_id) const {
  for (size_t i = 0; i < train.size(); ++i) {
    if (sentence_id < train[i].size()) {
      const uint64_t line = train[i].entries()[static_cast<size_t>(sentence_id)].line;
      const CorpusOptions& corpus = corpora[i];
      if (!corpus.tsv.empty()) return fmt::format("{}:{}", corpus.tsv, line);
      return fmt::format("{}:{} + {}:{}", corpus.source, line, corpus.target, line);
    }
    sentence_id -= train[i].size();
  }
  HEED_CHECK(false, "sentence {} behind the last", sentence_id);
}

PreparedData PrepareData(const Recipe& recipe, const fs::path& directory, ThreadPool& pool) {
  return Preparation(recipe, directory, pool).Run();
}

}  // namespace heed
