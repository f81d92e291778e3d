#include "backend/reference/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/reference/dropout.h"

namespace heed::reference {
namespace {

// One head of one query row, and the key rows that it sees: [key_start, key_start + visible).
struct Query {
  int64_t row = 0;
  int64_t head = 0;
  int64_t key_start = 0;
  int64_t visible = 0;
};

// How many keys of `num_keys` query `query` of `num_queries` sees.
int64_t VisibleKeys(AttentionMask mask, int64_t query, int64_t num_queries, int64_t num_keys) {
  if (mask == AttentionMask::kNone) return num_keys;
  return std::clamp(query + num_keys - num_queries + 1, int64_t{0}, num_keys);
}

template <class Body>
void ForEachQuery(const AttentionArguments& arguments, Body body) {
  const SequenceLayout& queries = *arguments.queries;
  const SequenceLayout& keys = *arguments.keys;
  for (int64_t sentence = 0; sentence < queries.num_sentences(); ++sentence) {
    for (int64_t i = 0; i < queries.length(sentence); ++i) {
      for (int64_t head = 0; head < arguments.heads; ++head) {
        body(Query{.row = queries.start(sentence) + i,
                   .head = head,
                   .key_start = keys.start(sentence),
                   .visible = VisibleKeys(arguments.mask, i, queries.length(sentence),
                                          keys.length(sentence))});
      }
    }
  }
}

double AttentionDropout(const AttentionArguments& arguments, const Query& query, int64_t key) {
  return DropoutFactor(arguments.dropout, ((query.row * arguments.heads + query.head) << 20) + key);
}

template <class Real>
double Dot(const Real* x, const Real* y, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return sum;
}

// y += factor * x.
template <class From, class Real>
void AddScaled(double factor, const From* x, int64_t n, Real* y) {
  for (int64_t i = 0; i < n; ++i) {
    y[i] = static_cast<Real>(static_cast<double>(y[i]) + factor * static_cast<double>(x[i]));
  }
}

// Scores become probabilities; returns the log of their sum of exponentials, -inf if none.
double Softmax(std::span<double> scores) {
  if (scores.empty()) return -std::numeric_limits<double>::infinity();
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score - largest);
  for (double& score : scores) score /= sum;
  return largest + std::log(sum);
}

// y = the sum of factors[i] * v row(i), columns [begin, begin + width).
template <class Real, class RowOf>
void Mix(std::span<const double> factors, ConstMatrixView v, RowOf row_of, int64_t begin,
         std::span<Real> y) {
  for (size_t column = 0; column < y.size(); ++column) {
    double sum = 0;
    for (size_t i = 0; i < factors.size(); ++i) {
      const Real* v_row = v.Row<Real>(row_of(static_cast<int64_t>(i)));
      sum += factors[i] * static_cast<double>(v_row[begin + static_cast<int64_t>(column)]);
    }
    y[column] = static_cast<Real>(sum);
  }
}

// The scores of the keys that the query sees, into `scores`.
template <class Real>
void Scores(const AttentionArguments& arguments, const Query& query, std::span<double> scores) {
  const int64_t width = arguments.q.columns() / arguments.heads;
  const int64_t begin = query.head * width;
  const Real* q = arguments.q.Row<Real>(query.row) + begin;
  for (int64_t key = 0; key < query.visible; ++key) {
    const Real* k = arguments.k.Row<Real>(query.key_start + key) + begin;
    scores[static_cast<size_t>(key)] = arguments.scale * Dot(q, k, width);
  }
}

std::span<double> Grow(std::vector<double>& scratch, int64_t size) {
  if (scratch.size() < static_cast<size_t>(size)) scratch.resize(static_cast<size_t>(size));
  return std::span(scratch).first(static_cast<size_t>(size));
}

}  // namespace

template <class Real>
void AttentionForward(const AttentionArguments& arguments, MatrixView y, MatrixView log_sums,
                      std::vector<double>& scratch) {
  const int64_t width = y.columns / arguments.heads;
  ForEachQuery(arguments, [&](const Query& query) {
    const int64_t begin = query.head * width;
    const std::span<double> scores = Grow(scratch, query.visible);
    Scores<Real>(arguments, query, scores);
    const double log_sum = Softmax(scores);
    if (log_sums) log_sums.Row<Real>(query.row)[query.head] = static_cast<Real>(log_sum);
    for (int64_t key = 0; key < query.visible; ++key) {
      scores[static_cast<size_t>(key)] *= AttentionDropout(arguments, query, key);
    }
    const auto key_row = [&](int64_t key) { return query.key_start + key; };
    Mix(scores, arguments.v, key_row, begin,
        std::span<Real>(y.Row<Real>(query.row) + begin, static_cast<size_t>(width)));
  });
}

// With p the probabilities and f the dropout factors, y = sum f p v, so that
// dv += f p dy and, for the scores, ds = p (f dy.v - sum p f dy.v) = p (f dy.v - dy.y).
template <class Real>
void AttentionBackward(const AttentionArguments& arguments, ConstMatrixView y,
                       ConstMatrixView log_sums, ConstMatrixView dy, MatrixView dq, MatrixView dk,
                       MatrixView dv) {
  for (const MatrixView& gradient : {dq, dk, dv}) {
    for (int64_t row = 0; row < gradient.rows; ++row) {
      std::fill_n(gradient.Row<Real>(row), gradient.columns, Real{0});
    }
  }
  const int64_t width = y.columns() / arguments.heads;
  ForEachQuery(arguments, [&](const Query& query) {
    const int64_t begin = query.head * width;
    const Real* q = arguments.q.Row<Real>(query.row) + begin;
    const Real* above = dy.Row<Real>(query.row) + begin;
    const double mean = Dot(above, y.Row<Real>(query.row) + begin, width);
    const double log_sum = static_cast<double>(log_sums.Row<Real>(query.row)[query.head]);
    for (int64_t key = 0; key < query.visible; ++key) {
      const int64_t row = query.key_start + key;
      const Real* k = arguments.k.Row<Real>(row) + begin;
      const Real* v = arguments.v.Row<Real>(row) + begin;
      const double factor = AttentionDropout(arguments, query, key);
      const double probability = std::exp(arguments.scale * Dot(q, k, width) - log_sum);
      const double dscore = probability * (factor * Dot(above, v, width) - mean);
      AddScaled(factor * probability, above, width, dv.Row<Real>(row) + begin);
      AddScaled(arguments.scale * dscore, k, width, dq.Row<Real>(query.row) + begin);
      AddScaled(arguments.scale * dscore, q, width, dk.Row<Real>(row) + begin);
    }
  });
}

template <class Real>
void CachedAttention(const CachedAttentionArguments& arguments, MatrixView y,
                     std::vector<double>& scratch) {
  const int64_t width = y.columns / arguments.heads;
  const std::span<double> scores = Grow(scratch, arguments.steps);
  for (int64_t hypothesis = 0; hypothesis < y.rows; ++hypothesis) {
    const auto cache_row = [&](int64_t step) {
      return arguments.history[static_cast<size_t>(hypothesis * arguments.steps + step)];
    };
    for (int64_t head = 0; head < arguments.heads; ++head) {
      const int64_t begin = head * width;
      const Real* q = arguments.q.Row<Real>(hypothesis) + begin;
      for (int64_t step = 0; step < arguments.steps; ++step) {
        const Real* k = arguments.k.Row<Real>(cache_row(step)) + begin;
        scores[static_cast<size_t>(step)] = arguments.scale * Dot(q, k, width);
      }
      Softmax(scores);
      Mix(scores, arguments.v, cache_row, begin,
          std::span<Real>(y.Row<Real>(hypothesis) + begin, static_cast<size_t>(width)));
    }
  }
}

template <class Real>
void AttentionWeights(const AttentionArguments& arguments, MatrixView weights,
                      std::vector<double>& scratch) {
  for (int64_t row = 0; row < weights.rows; ++row) {
    std::fill_n(weights.Row<Real>(row), weights.columns, Real{0});
  }
  ForEachQuery(arguments, [&](const Query& query) {
    const std::span<double> scores = Grow(scratch, query.visible);
    Scores<Real>(arguments, query, scores);
    Softmax(scores);
    AddScaled(1 / static_cast<double>(arguments.heads), scores.data(), query.visible,
              weights.Row<Real>(query.row));
  });
}

template void AttentionForward<float>(const AttentionArguments&, MatrixView, MatrixView,
                                      std::vector<double>&);
template void AttentionForward<double>(const AttentionArguments&, MatrixView, MatrixView,
                                       std::vector<double>&);
template void AttentionBackward<float>(const AttentionArguments&, ConstMatrixView, ConstMatrixView,
                                       ConstMatrixView, MatrixView, MatrixView, MatrixView);
template void AttentionBackward<double>(const AttentionArguments&, ConstMatrixView, ConstMatrixView,
                                        ConstMatrixView, MatrixView, MatrixView, MatrixView);
template void CachedAttention<float>(const CachedAttentionArguments&, MatrixView,
                                     std::vector<double>&);
template void CachedAttention<double>(const CachedAttentionArguments&, MatrixView,
                                      std::vector<double>&);
template void AttentionWeights<float>(const AttentionArguments&, MatrixView, std::vector<double>&);
template void AttentionWeights<double>(const AttentionArguments&, MatrixView, std::vector<double>&);

}  // namespace heed::reference
