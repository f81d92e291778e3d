// Backend: the kernels that ops are made of. Four implementers (docs/design in CONTRIBUTING.md):
//   reference  plain loops in float or double, the oracle of every other
//   cpu        AVX2 kernels and oneDNN, several threads
//   cuda       cuBLASLt, cuDNN and own kernels
//   measuring  computes nothing; runs a step to learn its memory
// A kernel that a backend lacks is a compile error, never a hole at run time.
//
// Rules for every kernel
// - Real matrices have the type `real()`; sizes are checked by the ops, not here.
// - `accumulate` says whether the output is added to (true) or assigned (false). Gradients of
//   parameters are always added to, since the flat gradient buffer is cleared once an update.
// - Inputs and outputs may not overlap unless the comment says so.
// - No result depends on the number of threads; no heap is touched.
// - An output row of a row-wise kernel (all but those that reduce over tokens) does not depend on
// the
//   other rows or on how many there are: translation must not depend on the batch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "tensor/matrix_view.h"
#include "tensor/memory.h"
#include "tensor/sequence_layout.h"
#include "util/philox.h"

namespace heed {

// GELU is the exact one, x Phi(x) (Hendrycks and Gimpel 2016); SiLU is x sigmoid(x).
enum class Activation : uint8_t { kNone, kRelu, kGelu, kSilu };

enum class AttentionMask : uint8_t {
  kNone,   // every key of the sentence
  kCausal  // query i of n sees key j of m if j - (m - n) <= i: the last query sees all
};

// Dropout of one op. Element e of the output is dropped if its random bits fall below the
// threshold; what stays is divided by (1 - rate). A rate of 0 draws nothing.
struct DropoutSpec {
  double rate = 0;
  RandomStream stream;
};

// Packed multi-head attention: sentence i's queries attend to sentence i's keys.
struct AttentionArguments {
  ConstMatrixView q;              // [query tokens, heads * head_width]
  ConstMatrixView k;              // [key tokens, heads * head_width]
  ConstMatrixView v;              // [key tokens, heads * head_width]
  const SequenceLayout* queries;  // the same number of sentences as keys
  const SequenceLayout* keys;
  int64_t heads = 1;
  AttentionMask mask = AttentionMask::kNone;
  double scale = 1;     // of the scores, before softmax
  DropoutSpec dropout;  // of the probabilities; element ((query row * heads + head) << 20) + key
                        // position in its sentence
};

// Attention of single new queries over cached keys and values, for decoding.
struct CachedAttentionArguments {
  ConstMatrixView q;                 // [hypotheses, heads * head_width]
  ConstMatrixView k;                 // [cache rows, heads * head_width]
  ConstMatrixView v;                 // [cache rows, heads * head_width]
  std::span<const int32_t> history;  // [hypotheses, steps]: cache row of each earlier step, oldest
                                     // first, the present one included
  int64_t steps = 0;
  int64_t heads = 1;
  double scale = 1;
};

// Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019) over flat buffers.
struct AdamArguments {
  MatrixView value;          // [1, n]
  ConstMatrixView gradient;  // [1, n]
  MatrixView first_moment;   // [1, n]
  MatrixView second_moment;  // [1, n]
  double learning_rate = 0;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0;     // AdamW's: value -= learning_rate * weight_decay * value
  double l2 = 0;               // Adam's: gradient += l2 * value
  int64_t update = 1;          // from 1; for the bias correction
  double gradient_factor = 1;  // gradients are multiplied by this first (clipping)
};

class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual std::string Describe() const = 0;  // "cpu (AVX2, 2 threads)"
  virtual DType real() const = 0;
  virtual Memory Allocate(int64_t bytes) = 0;  // zeroed
  // False if kernels compute nothing, so that results must not be read.
  virtual bool computes() const { return true; }

  // ---- fills, copies, sums ----
  virtual void Fill(MatrixView y, double value) = 0;
  virtual void Copy(ConstMatrixView x, MatrixView y) = 0;
  virtual void AddTo(ConstMatrixView x, MatrixView y) = 0;  // y += x

  // ---- linear ----
  // y = activation(x w' + b).  x [tokens, in], w [out, in], b [1, out] or empty, y [tokens, out].
  // Only kNone and kRelu: the others need the pre-activation for their gradient.
  virtual void Linear(ConstMatrixView x, ConstMatrixView w, ConstMatrixView b,
                      Activation activation, MatrixView y) = 0;
  // dx (+)= dy w.  dy [tokens, out], dx [tokens, in].
  virtual void LinearBackwardInput(ConstMatrixView dy, ConstMatrixView w, MatrixView dx,
                                   bool accumulate) = 0;
  // dw += dy' x.
  virtual void LinearBackwardWeight(ConstMatrixView dy, ConstMatrixView x, MatrixView dw) = 0;
  // db [1, columns] += the column sums of dy.
  virtual void LinearBackwardBias(ConstMatrixView dy, MatrixView db) = 0;

  // ---- pointwise ----
  virtual void ActivationForward(Activation activation, ConstMatrixView x, MatrixView y) = 0;
  // dx (+)= dy * activation'(x). For kRelu x may be the output instead. dx may be dy itself (then
  // accumulate is false).
  virtual void ActivationBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy,
                                  MatrixView dx, bool accumulate) = 0;
  // y = activation(x[:, :n]) * x[:, n:] (Shazeer 2020).  x [tokens, 2 n], y [tokens, n].
  virtual void GatedForward(Activation activation, ConstMatrixView x, MatrixView y) = 0;
  virtual void GatedBackward(Activation activation, ConstMatrixView x, ConstMatrixView dy,
                             MatrixView dx, bool accumulate) = 0;
  // y = dropout(x) (+ residual, if given). y may be x or residual. Element = row * columns +
  // column.
  virtual void DropoutAdd(ConstMatrixView x, ConstMatrixView residual, const DropoutSpec& dropout,
                          MatrixView y) = 0;
  // dx (+)= dropout mask * dy / (1 - rate). dx may be dy itself (then accumulate is false).
  virtual void DropoutBackward(ConstMatrixView dy, const DropoutSpec& dropout, MatrixView dx,
                               bool accumulate) = 0;

  // ---- layer normalisation (Ba et al. 2016), over the columns of each row ----
  // gamma, beta [1, columns]; statistics [tokens, 2]: mean and 1 / sqrt(variance + epsilon).
  virtual void LayerNormForward(ConstMatrixView x, ConstMatrixView gamma, ConstMatrixView beta,
                                double epsilon, MatrixView y, MatrixView statistics) = 0;
  virtual void LayerNormBackwardInput(ConstMatrixView dy, ConstMatrixView x, ConstMatrixView gamma,
                                      ConstMatrixView statistics, MatrixView dx,
                                      bool accumulate) = 0;
  // dgamma, dbeta +=.
  virtual void LayerNormBackwardWeight(ConstMatrixView dy, ConstMatrixView x,
                                       ConstMatrixView statistics, MatrixView dgamma,
                                       MatrixView dbeta) = 0;

  // ---- attention (Vaswani et al. 2017, section 3.2) ----
  // y [query tokens, heads * head_width]; log_sums [query tokens, heads]: log sum exp of the scaled
  // scores of each row, for backward (empty when not recording). A query without keys gives zeros.
  // Memory beyond the outputs grows linearly with the length (scratch of a few rows of scores).
  virtual void AttentionForward(const AttentionArguments& arguments, MatrixView y,
                                MatrixView log_sums) = 0;
  // dq, dk, dv are assigned.
  virtual void AttentionBackward(const AttentionArguments& arguments, ConstMatrixView y,
                                 ConstMatrixView log_sums, ConstMatrixView dy, MatrixView dq,
                                 MatrixView dk, MatrixView dv) = 0;
  // y [hypotheses, heads * head_width].
  virtual void CachedAttention(const CachedAttentionArguments& arguments, MatrixView y) = 0;
  // weights [query tokens, columns]: how much each query attends to each key of its sentence, the
  // mean of the heads' probabilities; 0 where it sees no key. `columns` is at least the longest key
  // sentence. Without dropout; v is not read.
  virtual void AttentionWeights(const AttentionArguments& arguments, MatrixView weights) = 0;

  // ---- embedding ----
  // y (+)= scale * table[ids[i]]; an id of -1 stands for the zero vector.  table [entries, width].
  virtual void EmbeddingForward(std::span<const int32_t> ids, ConstMatrixView table, double scale,
                                MatrixView y, bool accumulate) = 0;
  // dtable[ids[i]] += scale * dy[i], for each entry in the order of the tokens.
  virtual void EmbeddingBackward(std::span<const int32_t> ids, ConstMatrixView dy, double scale,
                                 MatrixView dtable) = 0;
  // y[i] = x[rows[i]].
  virtual void GatherRows(ConstMatrixView x, std::span<const int32_t> rows, MatrixView y) = 0;

  // ---- loss ----
  // Softmax cross-entropy with label smoothing (Szegedy et al. 2016, section 7): the target
  // distribution is (1 - smoothing) on the label plus smoothing / vocabulary everywhere.
  //   logits  [tokens, vocabulary]  overwritten by gradient_scale * d(loss)/d(logits) if
  //                                 with_gradient; unspecified afterwards otherwise
  //   labels  [tokens]              -1 = a spare row: loss 0, gradient 0
  //   losses  [tokens, 2]           smoothed loss and plain negative log-likelihood, nats
  virtual void CrossEntropy(MatrixView logits, std::span<const int32_t> labels, double smoothing,
                            double gradient_scale, bool with_gradient, MatrixView losses) = 0;

  // ---- optimizer, over flat buffers [1, n] ----
  virtual double SumOfSquares(ConstMatrixView x) = 0;  // summed in double, in a fixed order
  virtual void Adam(const AdamArguments& arguments) = 0;
  // average = decay * average + (1 - decay) * value.
  virtual void MovingAverage(ConstMatrixView value, double decay, MatrixView average) = 0;

  // ---- decoding ----
  // Each row of x becomes its log-softmax, in place; summed in double on every backend.
  virtual void LogSoftmax(MatrixView x) = 0;
  // The k largest elements of each row, largest first, ties by smaller column.
  // values [rows, k], columns [rows, k] row-major.
  virtual void TopK(ConstMatrixView x, int64_t k, MatrixView values,
                    std::span<int32_t> columns) = 0;
};

struct BackendOptions {
  std::string name = "cpu";      // cpu, reference, measuring
  DType real = DType::kFloat32;  // float64 only for reference and measuring
  int num_threads = 0;           // 0 = every core
};

// Throws UserError if the name is unknown or the backend cannot run here.
std::unique_ptr<Backend> MakeBackend(const BackendOptions& options);

}  // namespace heed
