#include "decode/search.h"

#include <algorithm>
#include <memory>

#include "decode/length_rules.h"
#include "decode/sampler.h"
#include "decode/sentence_search.h"
#include "decode/step_scores.h"
#include "util/check.h"

namespace heed {
namespace {

// One search over one batch.
class Loop {
 public:
  Loop(const DecodingOptions& options, uint64_t seed, const SearchVocabulary& vocabulary,
       const std::vector<const Seq2SeqModel*>& models, int64_t max_model_length,
       const SearchBatch& batch)
      : options_(options),
        seed_(seed),
        vocabulary_(vocabulary),
        models_(models),
        max_model_length_(max_model_length),
        batch_(batch) {}

  std::vector<std::vector<Hypothesis>> Run(Context& ctx);

 private:
  bool samples() const { return options_.method == DecodingMethod::kSampling; }
  DecodingPlan Start();
  int64_t LongestTarget(int64_t source_length, int64_t prefix_length) const;
  void CollectRows();
  void AddAttention(const std::vector<Tensor>& models);
  void Advance(Context& ctx, StepScores& scores);
  void AdvanceBeam(SentenceSearch& sentence, const StepScores& scores);
  void AdvanceSample(SentenceSearch& sentence, int64_t number, const StepScores& scores);
  bool Forbids(int32_t token, const SentenceSearch& sentence) const;

  const DecodingOptions& options_;
  uint64_t seed_;
  const SearchVocabulary& vocabulary_;
  const std::vector<const Seq2SeqModel*>& models_;
  int64_t max_model_length_;
  const SearchBatch& batch_;
  std::vector<SentenceSearch> sentences_;
  std::vector<int32_t> tokens_, parents_, rows_sentences_;
  std::vector<Candidate> candidates_;
};

// Without the end mark, like its arguments.
int64_t Loop::LongestTarget(int64_t source_length, int64_t prefix_length) const {
  int64_t longest = MaxTargetLength(options_, source_length);
  if (max_model_length_ > 0) longest = std::min(longest, max_model_length_ - 1);
  return std::max(longest, prefix_length);
}

DecodingPlan Loop::Start() {
  DecodingPlan plan;
  const SequenceLayout& sources = *batch_.sources;
  for (int64_t s = 0; s < sources.num_sentences(); ++s) {
    std::vector<int32_t> prefix =
        batch_.prefixes.empty() ? std::vector<int32_t>() : batch_.prefixes[static_cast<size_t>(s)];
    const int64_t longest = LongestTarget(sources.length(s) - 1, std::ssize(prefix));
    plan.max_steps = std::max(plan.max_steps, longest + 1);
    sentences_.emplace_back(options_, vocabulary_.end_id, longest, std::move(prefix));
    if (samples()) sentences_.back().Multiply(options_.n_best);
  }
  plan.max_hypotheses = sources.num_sentences() * (samples() ? options_.n_best : options_.beam);
  plan.with_attention = options_.coverage_penalty > 0;
  return plan;
}

void Loop::CollectRows() {
  tokens_.clear();
  parents_.clear();
  rows_sentences_.clear();
  const int32_t start = models_.front()->start_token();
  for (size_t s = 0; s < sentences_.size(); ++s) {
    for (SentenceSearch::Running& hypothesis : sentences_[s].running()) {
      tokens_.push_back(sentences_[s].LastToken(hypothesis, start));
      parents_.push_back(hypothesis.row);
      rows_sentences_.push_back(static_cast<int32_t>(s));
      hypothesis.row = static_cast<int32_t>(tokens_.size()) - 1;
    }
  }
}

bool Loop::Forbids(int32_t token, const SentenceSearch& sentence) const {
  if (token == vocabulary_.end_id) return !sentence.AllowsEnd();
  if (token == vocabulary_.unknown_id && options_.suppress_unknown) return true;
  return std::find(vocabulary_.forbidden.begin(), vocabulary_.forbidden.end(), token) !=
         vocabulary_.forbidden.end();
}

void Loop::AdvanceBeam(SentenceSearch& sentence, const StepScores& scores) {
  const auto wanted = static_cast<size_t>(2 * options_.beam);
  candidates_.clear();
  const int32_t forced = sentence.ForcedToken();
  for (size_t h = 0; h < sentence.running().size(); ++h) {
    const SentenceSearch::Running& hypothesis = sentence.running()[h];
    const auto add = [&](int32_t token, double log_probability) {
      candidates_.push_back({static_cast<int32_t>(h), token, log_probability,
                             hypothesis.log_probability + log_probability});
    };
    if (forced >= 0) {
      add(forced, scores.At(hypothesis.row, forced));
      continue;
    }
    size_t taken = 0;
    for (const StepScores::Entry& entry : scores.Best(hypothesis.row)) {
      if (taken == wanted) break;
      if (Forbids(entry.token, sentence)) continue;
      add(entry.token, entry.log_probability);
      ++taken;
    }
  }
  // Stable, so that ties keep the order of hypotheses and of the vocabulary.
  std::stable_sort(
      candidates_.begin(), candidates_.end(),
      [](const Candidate& a, const Candidate& b) { return a.log_probability > b.log_probability; });
  sentence.Advance(std::span(candidates_).first(std::min(wanted, candidates_.size())));
}

void Loop::AdvanceSample(SentenceSearch& sentence, int64_t number, const StepScores& scores) {
  candidates_.clear();
  const int32_t forced = sentence.ForcedToken();
  for (size_t h = 0; h < sentence.running().size(); ++h) {
    const SentenceSearch::Running& hypothesis = sentence.running()[h];
    int32_t token = forced;
    if (forced < 0) {
      const RandomStream stream{.seed = seed_,
                                .update = static_cast<uint32_t>(sentence.length()),
                                .op = static_cast<uint32_t>(sentence.DrawNumber(h))};
      const double uniform = RandomUniform(stream, static_cast<uint64_t>(number));
      token = DrawToken(options_.sampling, scores.Row(hypothesis.row), uniform,
                        [&](int32_t id) { return Forbids(id, sentence); });
    }
    const double log_probability = scores.At(hypothesis.row, token);
    candidates_.push_back({static_cast<int32_t>(h), token, log_probability,
                           hypothesis.log_probability + log_probability});
  }
  sentence.AdvanceEach(candidates_);
}

// Gives each hypothesis the attention of this step, the mean of the models'.
void Loop::AddAttention(const std::vector<Tensor>& models) {
  const double share = 1 / static_cast<double>(models.size());
  std::vector<double> weights;
  for (size_t s = 0; s < sentences_.size(); ++s) {
    for (size_t h = 0; h < sentences_[s].running().size(); ++h) {
      const int32_t row = sentences_[s].running()[h].row;
      weights.assign(static_cast<size_t>(batch_.sources->length(static_cast<int64_t>(s))), 0.0);
      for (size_t i = 0; i < weights.size(); ++i) {
        for (const Tensor& model : models) {
          weights[i] += share * ElementOf(model, row, static_cast<int64_t>(i));
        }
      }
      sentences_[s].AddAttention(h, weights);
    }
  }
}

void Loop::Advance(Context& ctx, StepScores& scores) {
  if (!samples()) {
    // Enough that 2 beam candidates remain whatever is forbidden.
    scores.FindBest(ctx, 2 * options_.beam + 2 + std::ssize(vocabulary_.forbidden));
  }
  for (size_t s = 0; s < sentences_.size(); ++s) {
    if (sentences_[s].done()) continue;
    if (samples()) {
      AdvanceSample(sentences_[s], batch_.sentence_numbers[s], scores);
    } else {
      AdvanceBeam(sentences_[s], scores);
    }
  }
}

std::vector<std::vector<Hypothesis>> Loop::Run(Context& ctx) {
  const DecodingPlan plan = Start();
  std::vector<std::unique_ptr<DecodingSession>> sessions;
  for (const Seq2SeqModel* model : models_) {
    sessions.push_back(model->StartDecoding(ctx, batch_.source_ids, *batch_.sources, plan));
  }
  for (CollectRows(); !tokens_.empty(); CollectRows()) {
    StepScores scores;
    std::vector<Tensor> attention;
    for (const auto& session : sessions) {
      DecodingStep step = session->Step(ctx, tokens_, parents_, rows_sentences_);
      scores.Add(ctx, step.logits);
      if (plan.with_attention) attention.push_back(std::move(step.attention));
    }
    scores.Average(ctx);
    if (plan.with_attention) AddAttention(attention);
    Advance(ctx, scores);
  }
  std::vector<std::vector<Hypothesis>> result;
  for (const SentenceSearch& sentence : sentences_) {
    result.push_back(sentence.Result(options_.n_best, !samples()));
  }
  return result;
}

}  // namespace

int64_t MaxModelLength(std::span<const Seq2SeqModel* const> models) {
  int64_t shortest = 0;
  for (const Seq2SeqModel* model : models) {
    const int64_t length = model->max_length();
    if (length > 0 && (shortest == 0 || length < shortest)) shortest = length;
  }
  return shortest;
}

Search::Search(const DecodingOptions& options, uint64_t seed, SearchVocabulary vocabulary,
               std::vector<const Seq2SeqModel*> models)
    : options_(options),
      seed_(options.sampling.seed ? static_cast<uint64_t>(*options.sampling.seed) : seed),
      vocabulary_(std::move(vocabulary)),
      models_(std::move(models)),
      max_model_length_(MaxModelLength(models_)) {
  HEED_CHECK(!models_.empty(), "a search without a model");
  if (options_.method == DecodingMethod::kBeam && options_.n_best > options_.beam) {
    ThrowUserError(
        "decoding.n_best is {}, but decoding.beam finds only {} translations; widen the beam",
        options_.n_best, options_.beam);
  }
  for (const Seq2SeqModel* model : models_) {
    if (model->target_vocabulary() != models_.front()->target_vocabulary()) {
      ThrowUserError("the models of an ensemble have vocabularies of {} and {}; train them on one",
                     models_.front()->target_vocabulary(), model->target_vocabulary());
    }
  }
}

std::vector<std::vector<Hypothesis>> Search::Run(Context& ctx, const SearchBatch& batch) const {
  const int64_t num_sentences = batch.sources->num_sentences();
  if (num_sentences == 0) return {};
  HEED_CHECK(batch.prefixes.empty() || std::ssize(batch.prefixes) == num_sentences,
             "{} prefixes for {} sentences", batch.prefixes.size(), num_sentences);
  HEED_CHECK(options_.method == DecodingMethod::kBeam ||
                 std::ssize(batch.sentence_numbers) == num_sentences,
             "sampling needs a number for each of {} sentences", num_sentences);
  return Loop(options_, seed_, vocabulary_, models_, max_model_length_, batch).Run(ctx);
}

}  // namespace heed
