#include "config/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "config/enum_names.h"
#include "util/check.h"

namespace heed {
namespace {

class RuleChecker {
 public:
  RuleChecker(const Recipe& recipe, const KeyPositions& positions, const std::string& source)
      : recipe_(recipe), positions_(positions), source_(source) {}

  ProblemList Check() {
    CheckNames();
    CheckData();
    CheckVocabulary();
    CheckModel();
    CheckSchedule();
    CheckLengths();
    CheckMetrics();
    CheckDecoding();
    CheckTestSets();
    return std::move(problems_);
  }

 private:
  // Adds a problem at the key `path` unless `holds`.
  void Require(bool holds, const std::string& path, const std::string& message) {
    if (holds) return;
    const auto found = positions_.find(path);
    problems_.Add(found != positions_.end() ? found->second : SourcePosition{source_}, message);
  }

  // "'model.heads' (recipe.yaml:5:3)", or "(by default)" for a key that was not given.
  std::string Key(const std::string& path) const {
    if (positions_.empty()) return fmt::format("'{}'", path);
    const auto found = positions_.find(path);
    return fmt::format("'{}' ({})", path,
                       found != positions_.end() ? found->second.ToString() : "by default");
  }

  void CheckNames() {
    Require(
        recipe_.name.find('/') == std::string::npos, "name",
        fmt::format("'name' is '{}'; it names a folder, so it must not contain '/'", recipe_.name));
  }

  void CheckCorpus(const CorpusOptions& corpus, const std::string& path) {
    const bool has_lines = !corpus.source.empty() || !corpus.target.empty();
    const bool has_columns = !corpus.tsv.empty();
    Require(!has_columns || !has_lines, path,
            fmt::format("'{}' has both 'tsv' and 'source' or 'target'; give one kind", path));
    Require(has_columns || (!corpus.source.empty() && !corpus.target.empty()), path,
            fmt::format("'{}' needs 'source' and 'target', or 'tsv'", path));
    Require(!has_columns || corpus.source_column != corpus.target_column, path,
            fmt::format("'{}' takes source and target from the same column {}", path,
                        corpus.source_column));
    const auto require_columns = [&](const char* key, bool is_default) {
      const std::string column = path + '.' + key;
      Require(has_columns || is_default, column,
              fmt::format("'{}' is for 'tsv' files only", column));
    };
    require_columns("source_column", corpus.source_column == CorpusOptions().source_column);
    require_columns("target_column", corpus.target_column == CorpusOptions().target_column);
  }

  void CheckData() {
    for (size_t i = 0; i < recipe_.data.train.size(); ++i) {
      CheckCorpus(recipe_.data.train[i], fmt::format("data.train[{}]", i));
    }
    if (recipe_.data.valid.IsGiven()) CheckCorpus(recipe_.data.valid, "data.valid");
  }

  void CheckSubwordSampling() {
    const SubwordSamplingOptions& sampling = recipe_.vocabulary.sampling;
    const bool is_unigram = recipe_.vocabulary.type == VocabularyKind::kUnigram;
    const std::string at = "vocabulary.sampling.";
    Require(is_unigram || !sampling.alpha, at + "alpha",
            fmt::format("'{}alpha' is for unigram; {} is bpe, whose sampling is 'dropout'", at,
                        Key("vocabulary.type")));
    Require(!is_unigram || sampling.dropout == 0, at + "dropout",
            fmt::format("'{}dropout' is for bpe; {} is unigram, whose sampling is 'alpha'", at,
                        Key("vocabulary.type")));
    Require(sampling.nbest != 0 && sampling.nbest != 1, at + "nbest",
            fmt::format("'{}nbest' is {}, which leaves nothing to choose; use -1 or at least 2", at,
                        sampling.nbest));
  }

  void CheckVocabulary() {
    const VocabularyOptions& vocabulary = recipe_.vocabulary;
    const auto for_separate = [&](const char* key, bool is_set) {
      const std::string path = std::string("vocabulary.") + key;
      Require(!vocabulary.joint || !is_set, path,
              fmt::format("'{}' is for separate vocabularies, but {} is true", path,
                          Key("vocabulary.joint")));
    };
    for_separate("source_size", vocabulary.source_size.has_value());
    for_separate("target_size", vocabulary.target_size.has_value());
    for_separate("source_model", !vocabulary.source_model.empty());
    for_separate("target_model", !vocabulary.target_model.empty());
    for_separate("shared_ids", vocabulary.shared_ids);
    Require(vocabulary.joint || vocabulary.model.empty(), "vocabulary.model",
            fmt::format("'vocabulary.model' is a joint model, but {} is false; give 'source_model' "
                        "and 'target_model'",
                        Key("vocabulary.joint")));
    Require(vocabulary.source_model.empty() == vocabulary.target_model.empty(),
            vocabulary.source_model.empty() ? "vocabulary.target_model" : "vocabulary.source_model",
            "'vocabulary.source_model' and 'vocabulary.target_model' must be given together");
    CheckSubwordSampling();
    CheckUserSymbols();
  }

  void CheckUserSymbols() {
    std::set<std::string> seen;
    for (const std::string& symbol : recipe_.vocabulary.user_symbols) {
      Require(!symbol.empty() && seen.insert(symbol).second, "vocabulary.user_symbols",
              fmt::format("'vocabulary.user_symbols' has '{}' {}", symbol,
                          symbol.empty() ? "(nothing)" : "twice"));
    }
  }

  void CheckModel() {
    const ModelOptions& model = recipe_.model;
    Require(model.model_width % model.heads == 0, "model.heads",
            fmt::format("{} is {} and does not divide {}, which is {}", Key("model.heads"),
                        model.heads, Key("model.model_width"), model.model_width));
    const bool is_sinusoidal = model.positions.kind == PositionKind::kSinusoidal;
    Require(!is_sinusoidal || (model.model_width % 2 == 0 && model.model_width >= 4),
            "model.model_width",
            fmt::format("{} is {}; sinusoidal positions need an even width of at least 4",
                        Key("model.model_width"), model.model_width));
    Require(!recipe_.training.optimizer.initialise || !model.initialise_from.empty(),
            "training.optimizer.initialise",
            "'training.optimizer.initialise' needs a run to start from; set "
            "'model.initialise_from'");
    const bool shares_ids = recipe_.vocabulary.joint || recipe_.vocabulary.shared_ids;
    Require(model.tie_embeddings != EmbeddingTying::kAll || shares_ids, "model.tie_embeddings",
            fmt::format("{} is 'all', which needs a joint vocabulary (or 'vocabulary.shared_ids'), "
                        "but {} is false",
                        Key("model.tie_embeddings"), Key("vocabulary.joint")));
  }

  void CheckSchedule() {
    const ScheduleOptions& schedule = recipe_.training.schedule;
    if (schedule.kind != ScheduleKind::kLinear && schedule.kind != ScheduleKind::kCosine) return;
    const std::string at = "training.schedule.";
    Require(schedule.total_updates.has_value(), at + "kind",
            fmt::format("{} is '{}', which needs '{}total_updates' or 'training.stop.updates'",
                        Key(at + "kind"), EnumToString(schedule.kind), at));
    Require(schedule.total_updates.value_or(schedule.warmup_updates + 1) > schedule.warmup_updates,
            at + "total_updates",
            fmt::format("{} is {}; it must be above {}, which is {}", Key(at + "total_updates"),
                        schedule.total_updates.value_or(0), Key(at + "warmup_updates"),
                        schedule.warmup_updates));
    Require(schedule.final_rate <= schedule.peak_rate, at + "final_rate",
            fmt::format("{} is {}; it must be at most {}, which is {}", Key(at + "final_rate"),
                        schedule.final_rate, Key(at + "peak_rate"), schedule.peak_rate));
  }

  void CheckLengths() {
    const FilterOptions& filters = recipe_.data.filters;
    const std::string longest = Key("data.filters.max_length");
    Require(
        filters.min_length <= filters.max_length, "data.filters.min_length",
        fmt::format("{} is {}; it must be at most {}, which is {}", Key("data.filters.min_length"),
                    filters.min_length, longest, filters.max_length));
    Require(filters.max_length <= recipe_.training.batch_tokens, "training.batch_tokens",
            fmt::format("{} is {}; the longest training sentence must fit: {} is {}",
                        Key("training.batch_tokens"), recipe_.training.batch_tokens, longest,
                        filters.max_length));
    const PositionOptions& positions = recipe_.model.positions;
    Require(
        positions.kind != PositionKind::kLearned ||
            filters.max_length + positions.offset <= positions.max_length,
        "model.positions.max_length",
        fmt::format("{} is {}; the longest training sentence must fit from position {}: {} is {}",
                    Key("model.positions.max_length"), positions.max_length, positions.offset,
                    longest, filters.max_length));
  }

  template <class Metric>
  void RequireDistinct(const std::vector<Metric>& metrics, const std::string& path) {
    std::set<Metric> seen;
    for (const Metric metric : metrics) {
      Require(seen.insert(metric).second, path,
              fmt::format("'{}' has '{}' twice", path, EnumToString(metric)));
    }
  }

  void RequireValidated(ValidationMetric metric, const std::string& path) {
    const auto& computed = recipe_.validation.metrics;
    Require(std::find(computed.begin(), computed.end(), metric) != computed.end(), path,
            fmt::format("{} names '{}', which is not among {}", Key(path), EnumToString(metric),
                        Key("validation.metrics")));
  }

  void CheckMetrics() {
    RequireDistinct(recipe_.validation.metrics, "validation.metrics");
    RequireDistinct(recipe_.training.early_stopping.metrics, "training.early_stopping.metrics");
    RequireDistinct(recipe_.evaluation.metrics, "evaluation.metrics");
    for (const ValidationMetric metric : recipe_.training.early_stopping.metrics) {
      RequireValidated(metric, "training.early_stopping.metrics");
    }
    if (recipe_.training.checkpoints.keep_best > 0) {
      RequireValidated(recipe_.training.checkpoints.best_metric,
                       "training.checkpoints.best_metric");
    }
  }

  void CheckDecoding() {
    const DecodingOptions& decoding = recipe_.decoding;
    Require(decoding.method != DecodingMethod::kBeam || decoding.n_best <= decoding.beam,
            "decoding.n_best",
            fmt::format("{} is {}; it must be at most {}, which is {}", Key("decoding.n_best"),
                        decoding.n_best, Key("decoding.beam"), decoding.beam));
    const MaxLengthOptions& longest = decoding.max_length;
    Require(longest.ratio > 0 || longest.extra > 0, "decoding.max_length",
            "'decoding.max_length' allows no token; raise 'ratio' or 'extra'");
    Require(longest.ratio > 0 || longest.extra >= decoding.min_length, "decoding.min_length",
            fmt::format("{} is {}, above the longest translation allowed, {}",
                        Key("decoding.min_length"), decoding.min_length, longest.extra));
  }

  void CheckTestSets() {
    std::set<std::string> names;
    for (size_t i = 0; i < recipe_.evaluation.test_sets.size(); ++i) {
      const TestSetOptions& test_set = recipe_.evaluation.test_sets[i];
      Require(names.insert(test_set.name).second, fmt::format("evaluation.test_sets[{}].name", i),
              fmt::format("two test sets are called '{}'", test_set.name));
      const auto& references = test_set.references;
      Require(std::find(references.begin(), references.end(), "") == references.end(),
              fmt::format("evaluation.test_sets[{}].references", i),
              fmt::format("a reference of test set '{}' has no file name", test_set.name));
    }
  }

  const Recipe& recipe_;
  const KeyPositions& positions_;
  const std::string& source_;
  ProblemList problems_;
};

}  // namespace

void Validate(const Recipe& recipe, const KeyPositions& positions, const std::string& source) {
  RuleChecker(recipe, positions, source).Check().ThrowIfAny();
}

void CheckReadyToTrain(const Recipe& recipe) {
  ProblemList problems;
  const SourcePosition where{fmt::format("recipe '{}'", recipe.name)};
  const TrainingOptions& training = recipe.training;
  if (recipe.data.train.empty()) {
    problems.Add(where, "nothing to train on; list corpora under 'data.train'");
  }
  if (!training.early_stopping.metrics.empty() && !recipe.data.valid.IsGiven()) {
    problems.Add(where, "'training.early_stopping' needs validation data; give 'data.valid'");
  }
  const StopOptions& stop = training.stop;
  if (!stop.updates && !stop.epochs && !stop.tokens && !stop.hours &&
      training.early_stopping.metrics.empty()) {
    problems.Add(where,
                 "training would never end; set one of 'training.stop' (updates, epochs, "
                 "tokens, hours) or 'training.early_stopping.metrics'");
  }
  problems.ThrowIfAny();
}

void CheckReadyToEvaluate(const Recipe& recipe) {
  if (recipe.evaluation.test_sets.empty()) {
    ThrowUserError("recipe '{}': nothing to evaluate; list test sets under 'evaluation.test_sets'",
                   recipe.name);
  }
}

}  // namespace heed
