#include "decode/sentence_search.h"

#include <algorithm>
#include <numeric>

#include "decode/coverage.h"
#include "decode/length_rules.h"
#include "util/check.h"

namespace heed {

SentenceSearch::SentenceSearch(const DecodingOptions& options, int32_t end_id, int64_t max_length,
                               std::vector<int32_t> prefix)
    : options_(options),
      end_id_(end_id),
      max_length_(max_length),
      min_length_(options.min_length),
      prefix_(std::move(prefix)),
      running_(1) {}

int32_t SentenceSearch::LastToken(const Running& hypothesis, int32_t start_token) const {
  return hypothesis.node < 0 ? start_token : nodes_[static_cast<size_t>(hypothesis.node)].token;
}

int32_t SentenceSearch::ForcedToken() const {
  if (length_ < std::ssize(prefix_)) return prefix_[static_cast<size_t>(length_)];
  return length_ >= max_length_ ? end_id_ : -1;
}

double SentenceSearch::Score(double log_probability, int64_t n) const {
  return log_probability / LengthPenalty(options_.length_penalty, n);
}

int32_t SentenceSearch::Append(const Candidate& candidate) {
  const Running& parent = running_[static_cast<size_t>(candidate.parent)];
  nodes_.push_back({parent.node, candidate.token, candidate.token_log_probability});
  return static_cast<int32_t>(nodes_.size()) - 1;
}

SentenceSearch::Running SentenceSearch::Continue(const Candidate& candidate) {
  const Running& parent = running_[static_cast<size_t>(candidate.parent)];
  return {Append(candidate), parent.row, candidate.log_probability, parent.coverage};
}

void SentenceSearch::AddAttention(size_t hypothesis, std::span<const double> weights) {
  std::vector<double>& coverage = running_[hypothesis].coverage;
  coverage.resize(weights.size(), 0.0);
  for (size_t i = 0; i < weights.size(); ++i) coverage[i] += weights[i];
}

void SentenceSearch::Finish(const Candidate& candidate, int64_t order) {
  double score = Score(candidate.log_probability, length_ + 1);
  if (options_.coverage_penalty > 0) {
    const auto parent = static_cast<size_t>(candidate.parent);
    score += CoveragePenalty(options_.coverage_penalty, running_[parent].coverage);
  }
  const Finished finished{Append(candidate), candidate.log_probability, score, order};
  const auto worse = [](const Finished& a, const Finished& b) { return a.score > b.score; };
  finished_.insert(std::upper_bound(finished_.begin(), finished_.end(), finished, worse), finished);
}

void SentenceSearch::Advance(std::span<const Candidate> best) {
  const auto beam = static_cast<size_t>(options_.beam);
  std::vector<Running> next;
  for (size_t rank = 0; rank < best.size() && next.size() < beam; ++rank) {
    const Candidate& candidate = best[rank];
    if (candidate.token != end_id_) {
      next.push_back(Continue(candidate));
    } else if (rank < beam) {
      Finish(candidate, 0);
    }
  }
  if (finished_.size() > beam) finished_.resize(beam);
  running_ = std::move(next);
  ++length_;
  if (NothingCanImprove()) running_.clear();
}

// Log-probabilities only fall, and a longer hypothesis is divided by more: no continuation scores
// above its present log-probability under the penalty of the longest length. The coverage penalty
// is never above 0.
bool SentenceSearch::NothingCanImprove() const {
  if (running_.empty() || std::ssize(finished_) < options_.beam) return false;
  double best = running_.front().log_probability;
  for (const Running& hypothesis : running_) best = std::max(best, hypothesis.log_probability);
  return Score(best, max_length_ + 1) <= finished_.back().score;
}

void SentenceSearch::Multiply(int64_t count) {
  HEED_CHECK(length_ == 0 && running_.size() == 1, "draws start at the first token");
  running_.resize(static_cast<size_t>(count));
  draw_numbers_.resize(running_.size());
  std::iota(draw_numbers_.begin(), draw_numbers_.end(), 0);
}

void SentenceSearch::AdvanceEach(std::span<const Candidate> draws) {
  HEED_CHECK(draws.size() == running_.size(), "{} draws for {} hypotheses", draws.size(),
             running_.size());
  std::vector<Running> next;
  std::vector<int64_t> numbers;
  for (const Candidate& draw : draws) {
    const int64_t number = draw_numbers_[static_cast<size_t>(draw.parent)];
    if (draw.token == end_id_) {
      Finish(draw, number);
    } else {
      next.push_back(Continue(draw));
      numbers.push_back(number);
    }
  }
  running_ = std::move(next);
  draw_numbers_ = std::move(numbers);
  ++length_;
}

std::vector<Hypothesis> SentenceSearch::Result(int64_t n_best, bool by_score) const {
  std::vector<Finished> order = finished_;
  if (!by_score) {
    std::sort(order.begin(), order.end(),
              [](const Finished& a, const Finished& b) { return a.order < b.order; });
  }
  if (std::ssize(order) > n_best) order.resize(static_cast<size_t>(n_best));
  std::vector<Hypothesis> result;
  for (const Finished& finished : order) {
    Hypothesis& hypothesis = result.emplace_back();
    hypothesis.score = finished.score;
    hypothesis.log_probability = finished.log_probability;
    for (int32_t node = finished.node; node >= 0; node = nodes_[static_cast<size_t>(node)].parent) {
      hypothesis.tokens.push_back(nodes_[static_cast<size_t>(node)].token);
      hypothesis.token_log_probabilities.push_back(
          nodes_[static_cast<size_t>(node)].log_probability);
    }
    std::reverse(hypothesis.tokens.begin(), hypothesis.tokens.end());
    std::reverse(hypothesis.token_log_probabilities.begin(),
                 hypothesis.token_log_probabilities.end());
    hypothesis.was_ended = std::ssize(hypothesis.tokens) > max_length_;
  }
  return result;
}

}  // namespace heed
