// What training and decoding know of a model: a loss over a packed batch, and a search that
// advances hypotheses one token at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "data/batch.h"
#include "ops/context.h"
#include "ops/cross_entropy.h"

namespace heed {

// What a step of decoding gives, for each hypothesis.
struct DecodingStep {
  Tensor logits;  // [hypotheses, vocabulary]: of what follows the appended token
  // [hypotheses, columns]: how much the step attended to each token of the hypothesis's source (the
  // Transformer: the last layer, mean of the heads); columns beyond the source are 0. Only if
  // DecodingPlan asks.
  Tensor attention;
};

// The state of one beam search over a batch of source sentences: encoder output and caches.
// It uses the tensors of the context that started it and must not outlive them.
class DecodingSession {
 public:
  DecodingSession() = default;
  DecodingSession(const DecodingSession&) = delete;
  DecodingSession& operator=(const DecodingSession&) = delete;
  virtual ~DecodingSession() = default;

  // Appends one token to each hypothesis.
  //   tokens     the appended token; the model's start token at the first step
  //   parents    row, in the previous call, of the hypothesis that is continued; ignored at first
  //   sentences  source sentence of each hypothesis, ascending
  // A hypothesis's rows depend on its own source and tokens only, to the bit.
  virtual DecodingStep Step(Context& ctx, std::span<const int32_t> tokens,
                            std::span<const int32_t> parents,
                            std::span<const int32_t> sentences) = 0;
};

struct DecodingPlan {
  int64_t max_hypotheses = 0;  // rows in any step
  int64_t max_steps = 0;
  bool with_attention = false;  // steps give their attention
};

class Seq2SeqModel {
 public:
  Seq2SeqModel() = default;
  Seq2SeqModel(const Seq2SeqModel&) = delete;
  Seq2SeqModel& operator=(const Seq2SeqModel&) = delete;
  virtual ~Seq2SeqModel() = default;

  // Losses of the batch's target tokens, see ops::CrossEntropy: [target tokens, 2]. When recording,
  // backward may follow at once. The batch must outlive the step.
  virtual Tensor Loss(Context& ctx, const Batch& batch,
                      const ops::CrossEntropyOptions& options) const = 0;

  // Encodes sentences whose ids end with the end mark. `sources` must outlive the session.
  virtual std::unique_ptr<DecodingSession> StartDecoding(Context& ctx,
                                                         std::span<const int32_t> source_ids,
                                                         const SequenceLayout& sources,
                                                         const DecodingPlan& plan) const = 0;

  // The decoder's first input: -1 (a zero vector) or the id of a begin mark.
  virtual int32_t start_token() const = 0;
  virtual int64_t target_vocabulary() const = 0;
  // Longest source and longest target that the model can take, in tokens with end mark; 0 = any.
  virtual int64_t max_length() const = 0;
};

}  // namespace heed
