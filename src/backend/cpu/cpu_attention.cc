// Attention: one task per sentence and head.
#include <algorithm>

#include "backend/cpu/cpu_backend.h"

namespace heed {
namespace {

AttentionHead HeadOf(const AttentionArguments& a, int64_t sentence, int64_t head) {
  const int64_t width = a.q.columns() / a.heads;
  const int64_t query = a.queries->start(sentence), key = a.keys->start(sentence);
  const bool drops = a.dropout.rate > 0;
  return {.q = a.q.Row<float>(query) + head * width,
          .k = a.k.Row<float>(key) + head * width,
          .v = a.v.Row<float>(key) + head * width,
          .q_stride = a.q.stride(),
          .k_stride = a.k.stride(),
          .v_stride = a.v.stride(),
          .num_queries = a.queries->length(sentence),
          .num_keys = a.keys->length(sentence),
          .width = width,
          .causal = a.mask == AttentionMask::kCausal,
          .scale = static_cast<float>(a.scale),
          .dropout = {.stream = a.dropout.stream,
                      .threshold = DropoutThreshold(a.dropout.rate),
                      .scale = drops ? static_cast<float>(1 / (1 - a.dropout.rate)) : 1.0F},
          .first_row = static_cast<uint64_t>(query * a.heads + head),
          .row_increment = static_cast<uint64_t>(a.heads)};
}

}  // namespace

int64_t AttentionQueryBlock(int64_t num_keys) {
  constexpr int64_t kScoreFloats = 48 * 1024;  // 192 KiB of scores
  const int64_t rows = kScoreFloats / std::max(num_keys, int64_t{1});
  return std::clamp(rows / 12 * 12, int64_t{12}, kMaxQueryBlock);
}

int64_t AttentionScratch(int64_t num_keys, int64_t width, bool backward) {
  const int64_t padded = (num_keys + 15) / 16 * 16;
  const int64_t panels = padded * width + 8;
  const int64_t scores = AttentionQueryBlock(num_keys) * padded;
  return (backward ? 2 : 1) * (panels + scores) + 16;
}

void CpuBackend::AttentionForward(const AttentionArguments& arguments, MatrixView y,
                                  MatrixView log_sums) {
  const int64_t heads = arguments.heads;
  pool_.Run(arguments.queries->num_sentences() * heads, [&](int64_t task, int thread) {
    const int64_t sentence = task / heads, head = task % heads;
    if (arguments.queries->length(sentence) == 0) return;
    AttentionHead h = HeadOf(arguments, sentence, head);
    h.scratch =
        scratch_[static_cast<size_t>(thread)].Floats(AttentionScratch(h.num_keys, h.width, false));
    const int64_t query = arguments.queries->start(sentence);
    kernels_.attention_forward(h, y.Row<float>(query) + head * h.width, y.stride,
                               log_sums ? log_sums.Row<float>(query) + head : nullptr,
                               log_sums.stride);
  });
}

void CpuBackend::AttentionBackward(const AttentionArguments& arguments, ConstMatrixView y,
                                   ConstMatrixView log_sums, ConstMatrixView dy, MatrixView dq,
                                   MatrixView dk, MatrixView dv) {
  const int64_t heads = arguments.heads;
  pool_.Run(arguments.queries->num_sentences() * heads, [&](int64_t task, int thread) {
    const int64_t sentence = task / heads, head = task % heads;
    AttentionHead h = HeadOf(arguments, sentence, head);
    h.scratch =
        scratch_[static_cast<size_t>(thread)].Floats(AttentionScratch(h.num_keys, h.width, true));
    const int64_t query = arguments.queries->start(sentence), key = arguments.keys->start(sentence);
    const int64_t column = head * h.width;
    kernels_.attention_backward(h, {.y = y.Row<float>(query) + column,
                                    .dy = dy.Row<float>(query) + column,
                                    .y_stride = y.stride(),
                                    .dy_stride = dy.stride(),
                                    .log_sums = log_sums.Row<float>(query) + head,
                                    .log_sums_stride = log_sums.stride(),
                                    .dq = dq.Row<float>(query) + column,
                                    .dk = dk.Row<float>(key) + column,
                                    .dv = dv.Row<float>(key) + column,
                                    .dq_stride = dq.stride,
                                    .dk_stride = dk.stride,
                                    .dv_stride = dv.stride});
  });
}

void CpuBackend::CachedAttention(const CachedAttentionArguments& a, MatrixView y) {
  const int64_t width = a.q.columns() / a.heads;
  pool_.Run(a.q.rows() * a.heads, [&](int64_t task, int thread) {
    const int64_t row = task / a.heads, column = task % a.heads * width;
    const int32_t* history = a.history.data() + row * a.steps;
    float* scores = scratch_[static_cast<size_t>(thread)].Floats(a.steps);
    float* out = y.Row<float>(row) + column;
    const float* q = a.q.Row<float>(row) + column;
    for (int64_t step = 0; step < a.steps; ++step) {
      scores[step] = static_cast<float>(a.scale) *
                     kernels_.dot(q, a.k.Row<float>(history[step]) + column, width);
    }
    kernels_.softmax(scores, a.steps);
    kernels_.fill(out, width, 0.0F);
    for (int64_t step = 0; step < a.steps; ++step) {
      kernels_.scaled(a.v.Row<float>(history[step]) + column, scores[step], width, out, true);
    }
  });
}

}  // namespace heed
