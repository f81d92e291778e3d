#include "tests/backend/row_kernels.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "tests/backend/twin.h"

namespace heed {
namespace {

constexpr Side kSide = Side::kSubject;

// Results by row.
RowBits BitsOf(std::initializer_list<MatrixView> results) {
  RowBits bits(static_cast<size_t>(results.begin()->rows));
  for (const MatrixView& result : results) {
    for (int64_t row = 0; row < result.rows; ++row) {
      AppendBits(result.Rows(row, 1), bits[static_cast<size_t>(row)]);
    }
  }
  return bits;
}

RowKernel LinearKernel(int64_t rows, int64_t in, int64_t out, Activation activation) {
  return {.name = fmt::format("Linear {} -> {}", in, out),
          .rows = rows,
          .run = [=, x = Twin::Random(rows, in, 3, 1), w = Twin::Random(out, in, 0, 2),
                  b = Twin::Random(1, out, 0, 3)](Backend& backend, int64_t begin,
                                                  int64_t count) mutable {
            Twin y(count, out);
            backend.Linear(x.On(kSide).Rows(begin, count), w.On(kSide), b.On(kSide), activation,
                           y.On(kSide));
            return BitsOf({y.On(kSide)});
          }};
}

RowKernel LinearBackwardInputKernel(int64_t rows, int64_t in, int64_t out) {
  return {.name = fmt::format("LinearBackwardInput {} -> {}", in, out),
          .rows = rows,
          .run = [=, dy = Twin::Random(rows, out, 3, 1), w = Twin::Random(out, in, 0, 2)](
                     Backend& backend, int64_t begin, int64_t count) mutable {
            Twin dx(count, in), added(count, in);
            const MatrixView above = dy.On(kSide).Rows(begin, count);
            backend.LinearBackwardInput(above, w.On(kSide), dx.On(kSide), false);
            backend.LinearBackwardInput(above, w.On(kSide), added.On(kSide), true);
            return BitsOf({dx.On(kSide), added.On(kSide)});
          }};
}

RowKernel ActivationKernel(int64_t columns, Activation activation) {
  constexpr int64_t kRows = 70;
  return {.name = fmt::format("activation {} of {}", static_cast<int>(activation), columns),
          .rows = kRows,
          .run = [=, x = Twin::Random(kRows, 2 * columns, 0, 1, -4, 4),
                  dy = Twin::Random(kRows, 2 * columns, 3, 2)](Backend& backend, int64_t begin,
                                                               int64_t count) mutable {
            Twin y(count, 2 * columns), dx(count, 2 * columns);
            Twin gated(count, columns), dgated(count, 2 * columns);
            const MatrixView input = x.On(kSide).Rows(begin, count);
            const MatrixView above = dy.On(kSide).Rows(begin, count);
            backend.ActivationForward(activation, input, y.On(kSide));
            backend.ActivationBackward(activation, input, above, dx.On(kSide), false);
            backend.GatedForward(activation, input, gated.On(kSide));
            backend.GatedBackward(activation, input, above.Columns(0, columns), dgated.On(kSide),
                                  false);
            return BitsOf({y.On(kSide), dx.On(kSide), gated.On(kSide), dgated.On(kSide)});
          }};
}

RowKernel LayerNormKernel(int64_t columns) {
  constexpr int64_t kRows = 70;
  return {
      .name = fmt::format("LayerNorm of {}", columns),
      .rows = kRows,
      .run = [=, x = Twin::Random(kRows, columns, 3, 1), dy = Twin::Random(kRows, columns, 0, 2),
              gamma = Twin::Random(1, columns, 0, 3), beta = Twin::Random(1, columns, 0, 4)](
                 Backend& backend, int64_t begin, int64_t count) mutable {
        Twin y(count, columns), statistics(count, 2), dx(count, columns);
        const MatrixView input = x.On(kSide).Rows(begin, count);
        backend.LayerNormForward(input, gamma.On(kSide), beta.On(kSide), 1e-5, y.On(kSide),
                                 statistics.On(kSide));
        backend.LayerNormBackwardInput(dy.On(kSide).Rows(begin, count), input, gamma.On(kSide),
                                       statistics.On(kSide), dx.On(kSide), false);
        return BitsOf({y.On(kSide), statistics.On(kSide), dx.On(kSide)});
      }};
}

RowKernel LogSoftmaxTopKKernel(int64_t columns) {
  constexpr int64_t kRows = 40, kBest = 5;
  return {.name = fmt::format("LogSoftmax and TopK of {}", columns),
          .rows = kRows,
          .run = [=, x = Twin::Random(kRows, columns, 0, 1, -5, 5)](Backend& backend, int64_t begin,
                                                                    int64_t count) mutable {
            Twin y(count, columns), best(count, kBest);
            std::vector<int32_t> best_columns(static_cast<size_t>(count * kBest));
            backend.Copy(x.On(kSide).Rows(begin, count), y.On(kSide));
            backend.LogSoftmax(y.On(kSide));
            backend.TopK(y.On(kSide), kBest, best.On(kSide), best_columns);
            RowBits bits = BitsOf({y.On(kSide), best.On(kSide)});
            for (size_t i = 0; i < best_columns.size(); ++i) {
              bits[i / kBest].push_back(static_cast<uint32_t>(best_columns[i]));
            }
            return bits;
          }};
}

RowKernel CrossEntropyKernel(int64_t columns) {
  constexpr int64_t kRows = 40;
  std::vector<int32_t> labels;
  for (int32_t row = 0; row < kRows; ++row) labels.push_back(row % 9 == 4 ? -1 : row % 17);
  return {.name = fmt::format("CrossEntropy of {}", columns),
          .rows = kRows,
          .run = [=, x = Twin::Random(kRows, columns, 0, 1, -5, 5)](Backend& backend, int64_t begin,
                                                                    int64_t count) mutable {
            Twin logits(count, columns), losses(count, 2);
            backend.Copy(x.On(kSide).Rows(begin, count), logits.On(kSide));
            backend.CrossEntropy(
                logits.On(kSide),
                std::span(labels).subspan(static_cast<size_t>(begin), static_cast<size_t>(count)),
                0.1, 1, true, losses.On(kSide));
            return BitsOf({logits.On(kSide), losses.On(kSide)});
          }};
}

RowKernel EmbeddingKernel(int64_t columns) {
  constexpr int64_t kRows = 70;
  std::vector<int32_t> ids;
  for (int32_t row = 0; row < kRows; ++row) ids.push_back(row * 7 % 12 - 1);
  return {.name = fmt::format("EmbeddingForward of {}", columns),
          .rows = kRows,
          .run = [=, table = Twin::Random(11, columns, 0, 1)](Backend& backend, int64_t begin,
                                                              int64_t count) mutable {
            Twin y(count, columns);
            backend.EmbeddingForward(
                std::span(ids).subspan(static_cast<size_t>(begin), static_cast<size_t>(count)),
                table.On(kSide), 8.1, y.On(kSide), false);
            return BitsOf({y.On(kSide)});
          }};
}

RowKernel CachedAttentionKernel(int64_t steps, int64_t heads, int64_t head_width) {
  constexpr int64_t kRows = 30;
  const int64_t width = heads * head_width;
  std::vector<int32_t> history;
  for (int64_t i = 0; i < kRows * steps; ++i) history.push_back(static_cast<int32_t>(i * 31 % 97));
  return {.name = fmt::format("CachedAttention {} steps, {} x {}", steps, heads, head_width),
          .rows = kRows,
          .run = [=, q = Twin::Random(kRows, width, 0, 1), k = Twin::Random(97, width, 0, 2),
                  v = Twin::Random(97, width, 0, 3)](Backend& backend, int64_t begin,
                                                     int64_t count) mutable {
            Twin y(count, width);
            backend.CachedAttention(
                {.q = q.On(kSide).Rows(begin, count),
                 .k = k.On(kSide),
                 .v = v.On(kSide),
                 .history = std::span(history).subspan(static_cast<size_t>(begin * steps),
                                                       static_cast<size_t>(count * steps)),
                 .steps = steps,
                 .heads = heads,
                 .scale = 0.3},
                y.On(kSide));
            return BitsOf({y.On(kSide)});
          }};
}

// One row of the table is one sentence here.
RowKernel AttentionKernel(int64_t heads, int64_t head_width, AttentionMask mask) {
  const std::vector<int32_t> lengths = {7, 1, 0, 64, 3, 33, 12, 1, 129, 5, 5, 17};
  const SequenceLayout whole = SequenceLayout::FromLengths(lengths);
  const int64_t width = heads * head_width;
  const auto run = [=, qkv = Twin::Random(whole.num_tokens(), 3 * width, 0, 1),
                    dy = Twin::Random(whole.num_tokens(), width, 0, 2)](
                       Backend& backend, int64_t begin, int64_t count) mutable {
    const SequenceLayout part = SequenceLayout::FromLengths(
        std::span(lengths).subspan(static_cast<size_t>(begin), static_cast<size_t>(count)));
    const int64_t tokens = part.num_tokens();
    const MatrixView rows = qkv.On(kSide).Rows(whole.start(begin), tokens);
    const AttentionArguments arguments = {.q = rows.Columns(0, width),
                                          .k = rows.Columns(width, width),
                                          .v = rows.Columns(2 * width, width),
                                          .queries = &part,
                                          .keys = &part,
                                          .heads = heads,
                                          .mask = mask,
                                          .scale = 0.3,
                                          .dropout = {}};
    Twin y(tokens, width), log_sums(tokens, heads), dqkv(tokens, 3 * width);
    Twin weights(tokens, whole.longest());
    backend.AttentionWeights(arguments, weights.On(kSide));
    backend.AttentionForward(arguments, y.On(kSide), log_sums.On(kSide));
    backend.AttentionBackward(
        arguments, y.On(kSide), log_sums.On(kSide), dy.On(kSide).Rows(whole.start(begin), tokens),
        dqkv.On(kSide).Columns(0, width), dqkv.On(kSide).Columns(width, width),
        dqkv.On(kSide).Columns(2 * width, width));
    RowBits bits(static_cast<size_t>(count));
    for (int64_t sentence = 0; sentence < count; ++sentence) {
      for (Twin* result : {&y, &log_sums, &dqkv, &weights}) {
        AppendBits(result->On(kSide).Rows(part.start(sentence), part.length(sentence)),
                   bits[static_cast<size_t>(sentence)]);
      }
    }
    return bits;
  };
  return {.name = fmt::format("Attention {} x {} causal {}", heads, head_width,
                              mask == AttentionMask::kCausal),
          .rows = whole.num_sentences(),
          .run = run};
}

}  // namespace

void AppendBits(ConstMatrixView values, std::vector<uint32_t>& bits) {
  for (int64_t row = 0; row < values.rows(); ++row) {
    for (int64_t column = 0; column < values.columns(); ++column) {
      bits.push_back(std::bit_cast<uint32_t>(values.Row<float>(row)[column]));
    }
  }
}

std::vector<RowKernel> RowKernels() {
  std::vector<RowKernel> kernels = {
      LinearKernel(257, 300, 129, Activation::kRelu),
      LinearKernel(70, 64, 64, Activation::kNone),
      LinearKernel(70, 513, 31, Activation::kNone),
      LinearKernel(13, 64, 8193, Activation::kNone),  // the output layer of a search step
      LinearKernel(70, 7, 3, Activation::kNone),
      LinearBackwardInputKernel(257, 129, 300),
      LinearBackwardInputKernel(70, 64, 64),
      LinearBackwardInputKernel(70, 31, 513),
      LayerNormKernel(64),
      LayerNormKernel(513),
      LayerNormKernel(7),
      LogSoftmaxTopKKernel(17),
      LogSoftmaxTopKKernel(1001),
      CrossEntropyKernel(17),
      CrossEntropyKernel(1001),
      EmbeddingKernel(65),
      CachedAttentionKernel(1, 2, 8),
      CachedAttentionKernel(33, 2, 64),
      CachedAttentionKernel(17, 5, 3),
  };
  for (const Activation activation : {Activation::kRelu, Activation::kGelu, Activation::kSilu}) {
    kernels.push_back(ActivationKernel(65, activation));
  }
  for (const AttentionMask mask : {AttentionMask::kNone, AttentionMask::kCausal}) {
    kernels.push_back(AttentionKernel(2, 64, mask));
    kernels.push_back(AttentionKernel(5, 3, mask));
  }
  return kernels;
}

}  // namespace heed
