// The search for one sentence's translations: its running and its finished hypotheses.
//
// It sees nothing of other sentences, so translations cannot depend on the batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "config/decoding_options.h"
#include "decode/hypothesis.h"

namespace heed {

// A continuation of running hypothesis `parent` by `token`.
struct Candidate {
  int32_t parent = 0;
  int32_t token = 0;
  double token_log_probability = 0;
  double log_probability = 0;  // of the whole continued hypothesis
};

class SentenceSearch {
 public:
  // Translations have at most `max_length` tokens before the end mark; their first are `prefix`,
  // which is no longer than that.
  SentenceSearch(const DecodingOptions& options, int32_t end_id, int64_t max_length,
                 std::vector<int32_t> prefix);

  // A running hypothesis: its last token (the start token at first), its row in the decoder's last
  // step, its log-probability.
  struct Running {
    int32_t node = -1;  // newest entry of its history; -1 = nothing yet
    int32_t row = 0;
    double log_probability = 0;
    std::vector<double> coverage;  // attention that each source token got; empty if not counted
  };
  const std::vector<Running>& running() const { return running_; }
  std::vector<Running>& running() { return running_; }
  int32_t LastToken(const Running& hypothesis, int32_t start_token) const;
  bool done() const { return running_.empty(); }
  int64_t length() const { return length_; }  // tokens of the running hypotheses

  // The only token allowed next: part of the prefix, or the end mark at the longest length; -1 =
  // free.
  int32_t ForcedToken() const;
  bool AllowsEnd() const { return length_ >= min_length_; }

  // Adds the attention of a hypothesis's last step to its coverage: one weight per source token,
  // end mark included. Needed before each Advance if the options have a coverage penalty.
  void AddAttention(size_t hypothesis, std::span<const double> weights);

  // Beam search: takes the best continuations, best first (ties in any fixed order). End marks
  // among the first `beam` finish; the best others run on. Stops when nothing running can still
  // enter the `beam` best finished.
  void Advance(std::span<const Candidate> best);
  // Sampling: takes exactly one continuation of each running hypothesis.
  void AdvanceEach(std::span<const Candidate> draws);
  // Starts `count` independent draws in place of one hypothesis.
  void Multiply(int64_t count);
  // Which draw a running hypothesis belongs to.
  int64_t DrawNumber(size_t hypothesis) const { return draw_numbers_[hypothesis]; }

  // Best first for beam search, in the order of drawing for samples; at most `n_best`.
  std::vector<Hypothesis> Result(int64_t n_best, bool by_score) const;

 private:
  struct Node {
    int32_t parent, token;
    double log_probability;  // of the token
  };
  struct Finished {
    int32_t node;
    double log_probability, score;
    int64_t order;  // which draw
  };
  int32_t Append(const Candidate& candidate);
  Running Continue(const Candidate& candidate);
  void Finish(const Candidate& candidate, int64_t order);
  bool NothingCanImprove() const;
  double Score(double log_probability, int64_t n) const;

  const DecodingOptions& options_;
  int32_t end_id_;
  int64_t max_length_, min_length_;
  std::vector<int32_t> prefix_;
  int64_t length_ = 0;
  std::vector<Node> nodes_;
  std::vector<Running> running_;
  std::vector<int64_t> draw_numbers_;  // of the running hypotheses, when sampling
  std::vector<Finished> finished_;     // best first, at most `beam`, in beam search
};

}  // namespace heed
