// All that a run must know to go on exactly where it stopped, besides the tensors: one flat,
// human-readable JSON object. The random numbers need no state (util/philox.h: they are keyed by
// seed and update), the learning rate is a function of `update`, and the position in the data is
// counted in sentences, so that it survives a change of the batch size.
//
// To add a field: a member and a line in VisitFields; raise kFormat and say in run_state.cc what
// older files mean.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace heed {

// What one validation measured.
struct ValidationRecord {
  int64_t update = 0;
  int64_t epoch = 0;
  int64_t target_tokens = 0;              // seen in training until then
  double seconds = 0;                     // of training until then
  std::map<std::string, double> metrics;  // by name: "nll", "bleu", ...

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("update", update);
    visit("epoch", epoch);
    visit("target_tokens", target_tokens);
    visit("seconds", seconds);
    visit("metrics", metrics);
  }
  bool operator==(const ValidationRecord&) const = default;
};

// The best value of a metric so far.
struct BestMetric {
  double value = 0;
  int64_t update = 0;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("value", value);
    visit("update", update);
  }
  bool operator==(const BestMetric&) const = default;
};

// Sentences consumed in the present epoch while batches had these bounds (data/data_position.h).
struct DataSegmentRecord {
  int64_t target_tokens = 0;
  int64_t source_tokens = 0;
  int64_t batch_sentences = 0;
  int64_t sentences = 0;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("target_tokens", target_tokens);
    visit("source_tokens", source_tokens);
    visit("batch_sentences", batch_sentences);
    visit("sentences", sentences);
  }
  bool operator==(const DataSegmentRecord&) const = default;
};

struct RunState {
  static constexpr int64_t kFormat = 2;

  int64_t format = kFormat;
  int64_t update = 0;                            // updates done; skipped ones count
  int64_t epoch = 0;                             // passes over the data finished
  int64_t sentences_in_epoch = 0;                // sentence pairs consumed of the present pass
  uint64_t data_corpora = 0;                     // tells whether the data is still the same
  uint64_t data_seed = 0;                        // of the order of the data
  std::vector<DataSegmentRecord> data_segments;  // of the present pass; they add up to the above
  uint64_t seed = 0;
  int64_t sentences = 0;  // pairs, source and target tokens seen in all
  int64_t source_tokens = 0;
  int64_t target_tokens = 0;
  double seconds = 0;           // of training, resumed parts added up
  int64_t average_updates = 0;  // of the moving average; 0 = there is none
  int64_t skipped_updates = 0;  // because of non-finite gradients, in all and in a row until now
  int64_t skipped_in_row = 0;
  int64_t optimizer_start = 0;  // updates that the moments had seen before the first of this run
  std::map<std::string, BestMetric> best;     // by metric
  std::map<std::string, int64_t> stalled;     // validations in a row without a new best, by metric
  std::vector<ValidationRecord> validations;  // oldest first
  std::string recipe_fingerprint;
  std::string data_fingerprint;
  std::string vocabulary_fingerprint;

  template <class Visitor>
  void VisitFields(Visitor& visit) {
    visit("format", format);
    visit("update", update);
    visit("epoch", epoch);
    visit("sentences_in_epoch", sentences_in_epoch);
    visit("data_corpora", data_corpora);
    visit("data_seed", data_seed);
    visit("data_segments", data_segments);
    visit("seed", seed);
    visit("sentences", sentences);
    visit("source_tokens", source_tokens);
    visit("target_tokens", target_tokens);
    visit("seconds", seconds);
    visit("average_updates", average_updates);
    visit("skipped_updates", skipped_updates);
    visit("skipped_in_row", skipped_in_row);
    visit("optimizer_start", optimizer_start);
    visit("best", best);
    visit("stalled", stalled);
    visit("validations", validations);
    visit("recipe_fingerprint", recipe_fingerprint);
    visit("data_fingerprint", data_fingerprint);
    visit("vocabulary_fingerprint", vocabulary_fingerprint);
  }
  bool operator==(const RunState&) const = default;
};

// Every int64 and every bit of every double comes back from the text.
std::string RunStateToJson(const RunState& state);
// Throws UserError that names the file and the key if one is absent, unknown or of the wrong type,
// or if a later Heed wrote it.
RunState ReadRunState(const std::filesystem::path& path);

}  // namespace heed
