#include "tests/models/transformer/padded_oracle.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace heed {
namespace {

Matrix Add(Matrix a, const Matrix& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a[i].size(); ++j) a[i][j] += b[i][j];
  }
  return a;
}

double Activate(ActivationKind kind, double x) {
  switch (kind) {
    case ActivationKind::kRelu:
      return x > 0 ? x : 0;
    case ActivationKind::kGelu:
      return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
    case ActivationKind::kSilu:
      return x / (1 + std::exp(-x));
  }
  return x;
}

void SoftmaxInPlace(std::vector<double>& row) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const double value : row) largest = std::max(largest, value);
  for (double& value : row) sum += value = std::exp(value - largest);
  for (double& value : row) value /= sum;
}

}  // namespace

Matrix PaddedOracle::Linear(const Matrix& x, const std::string& name, int64_t first_row,
                            int64_t rows) const {
  const Parameter& weight = *store_.Find(name + ".weight");
  const Parameter* bias = store_.Find(name + ".bias");
  Matrix y;
  for (const auto& row : x) {
    auto& out = y.emplace_back();
    for (int64_t r = first_row; r < first_row + rows; ++r) {
      double sum = bias != nullptr ? bias->value.Row<double>(0)[r] : 0;
      for (size_t c = 0; c < row.size(); ++c) sum += weight.value.Row<double>(r)[c] * row[c];
      out.push_back(sum);
    }
  }
  return y;
}

Matrix PaddedOracle::Norm(const Matrix& x, const std::string& name) const {
  Matrix y = x;
  for (auto& row : y) {
    double mean = 0, variance = 0;
    for (const double value : row) mean += value / static_cast<double>(row.size());
    for (const double value : row) {
      variance += (value - mean) * (value - mean) / static_cast<double>(row.size());
    }
    for (size_t c = 0; c < row.size(); ++c) {
      row[c] = (row[c] - mean) / std::sqrt(variance + options_.layer_norm_epsilon) *
                   store_.Find(name + ".weight")->value.Row<double>(0)[c] +
               store_.Find(name + ".bias")->value.Row<double>(0)[c];
    }
  }
  return y;
}

Matrix PaddedOracle::FeedForward(const Matrix& x, const std::string& name) const {
  const int64_t hidden = options_.feed_forward_width;
  Matrix y = Linear(x, name + ".up", 0, hidden);
  const Matrix gate = options_.gated ? Linear(x, name + ".up", hidden, hidden) : Matrix();
  for (size_t i = 0; i < y.size(); ++i) {
    for (size_t j = 0; j < y[i].size(); ++j) {
      y[i][j] = Activate(options_.activation, y[i][j]) * (options_.gated ? gate[i][j] : 1);
    }
  }
  return Linear(y, name + ".down", 0, options_.model_width);
}

Matrix PaddedOracle::Attend(const Matrix& q, const Matrix& k, const Matrix& v, int64_t visible,
                            bool causal, Matrix* weights) const {
  const auto width = static_cast<size_t>(options_.model_width / options_.heads);
  Matrix y(q.size(), std::vector<double>(q[0].size(), 0));
  if (weights != nullptr) weights->assign(q.size(), std::vector<double>(k.size(), 0));
  for (size_t first = 0; first < q[0].size(); first += width) {
    for (size_t i = 0; i < q.size(); ++i) {
      std::vector<double> scores(k.size(), 0);
      for (size_t j = 0; j < k.size(); ++j) {
        for (size_t c = first; c < first + width; ++c) scores[j] += q[i][c] * k[j][c];
        scores[j] /= std::sqrt(static_cast<double>(width));
        const bool masked = static_cast<int64_t>(j) >= visible || (causal && j > i);
        if (masked) scores[j] = -std::numeric_limits<double>::infinity();
      }
      SoftmaxInPlace(scores);
      for (size_t j = 0; j < k.size(); ++j) {
        if (weights != nullptr) {
          (*weights)[i][j] += scores[j] / static_cast<double>(options_.heads);
        }
        for (size_t c = first; c < first + width; ++c) y[i][c] += scores[j] * v[j][c];
      }
    }
  }
  return y;
}

template <class Sublayer>
Matrix PaddedOracle::Residual(const Matrix& x, const std::string& norm,
                              const Sublayer& sublayer) const {
  return options_.norm == NormPosition::kBefore ? Add(x, sublayer(Norm(x, norm)))
                                                : Norm(Add(x, sublayer(x)), norm);
}

Matrix PaddedOracle::Embed(const std::vector<int32_t>& ids, const std::string& side) const {
  const bool encoder = side == "encoder";
  const Parameter* table = store_.Find("embedding.weight");
  if (table == nullptr) {
    table = store_.Find(encoder ? "source_embedding.weight" : "target_embedding.weight");
  }
  const auto width = static_cast<size_t>(options_.model_width);
  Matrix y;
  for (size_t p = 0; p < ids.size(); ++p) {
    auto& row = y.emplace_back(width, 0.0);
    for (size_t c = 0; c < width; ++c) {
      if (ids[p] >= 0) {
        row[c] = table->value.Row<double>(ids[p])[c] *
                 (options_.scale_embeddings ? std::sqrt(static_cast<double>(width)) : 1);
      }
      if (options_.positions.kind == PositionKind::kLearned) {
        row[c] += store_.Find(side + ".positions")->value.Row<double>(static_cast<int64_t>(p))[c];
      } else if (options_.positions.kind == PositionKind::kSinusoidal) {  // half, t2t, from 0
        const size_t half = width / 2, pair = c % half;
        const double angle =
            static_cast<double>(p) * std::exp(-std::log(10000.0) * static_cast<double>(pair) /
                                              static_cast<double>(half - 1));
        row[c] += c < half ? std::sin(angle) : std::cos(angle);
      }
    }
  }
  return y;
}

Matrix PaddedOracle::LogProbabilities(std::vector<int32_t> source,
                                      std::vector<int32_t> target_inputs, int64_t padding,
                                      Matrix* attention) const {
  const auto source_length = static_cast<int64_t>(source.size());
  const auto target_length = static_cast<int64_t>(target_inputs.size());
  source.resize(source.size() + static_cast<size_t>(padding), 0);
  target_inputs.resize(target_inputs.size() + static_cast<size_t>(padding), 0);
  const int64_t d = options_.model_width;

  Matrix x = Embed(source, "encoder");
  for (int64_t layer = 1; layer <= options_.encoder_layers; ++layer) {
    const std::string name = fmt::format("encoder.layer{}", layer);
    x = Residual(x, name + ".attention_norm", [&](const Matrix& in) {
      const std::string qkv = name + ".self_attention.qkv";
      const Matrix y = Attend(Linear(in, qkv, 0, d), Linear(in, qkv, d, d),
                              Linear(in, qkv, 2 * d, d), source_length, false);
      return Linear(y, name + ".self_attention.output", 0, d);
    });
    x = Residual(x, name + ".feed_forward_norm",
                 [&](const Matrix& in) { return FeedForward(in, name + ".feed_forward"); });
  }
  const bool pre = options_.norm == NormPosition::kBefore;
  const Matrix memory = pre ? Norm(x, "encoder.final_norm") : x;

  Matrix y = Embed(target_inputs, "decoder");
  for (int64_t layer = 1; layer <= options_.decoder_layers; ++layer) {
    const std::string name = fmt::format("decoder.layer{}", layer);
    y = Residual(y, name + ".self_attention_norm", [&](const Matrix& in) {
      const std::string qkv = name + ".self_attention.qkv";
      const Matrix z = Attend(Linear(in, qkv, 0, d), Linear(in, qkv, d, d),
                              Linear(in, qkv, 2 * d, d), target_length, true);
      return Linear(z, name + ".self_attention.output", 0, d);
    });
    y = Residual(y, name + ".cross_attention_norm", [&](const Matrix& in) {
      const std::string cross = name + ".cross_attention";
      const Matrix z =
          Attend(Linear(in, cross + ".query", 0, d), Linear(memory, cross + ".key_value", 0, d),
                 Linear(memory, cross + ".key_value", d, d), source_length, false, attention);
      return Linear(z, cross + ".output", 0, d);
    });
    y = Residual(y, name + ".feed_forward_norm",
                 [&](const Matrix& in) { return FeedForward(in, name + ".feed_forward"); });
  }
  if (pre) y = Norm(y, "decoder.final_norm");

  const Parameter* weight = store_.Find("output.weight");
  if (weight == nullptr) weight = store_.Find("embedding.weight");
  if (weight == nullptr) weight = store_.Find("target_embedding.weight");
  const Parameter* bias = store_.Find("output.bias");
  Matrix result;
  for (int64_t i = 0; i < target_length; ++i) {
    auto& row = result.emplace_back();
    for (int64_t v = 0; v < weight->rows; ++v) {
      double sum = bias != nullptr ? bias->value.Row<double>(0)[v] : 0;
      for (int64_t c = 0; c < d; ++c) {
        sum += weight->value.Row<double>(v)[c] * y[static_cast<size_t>(i)][static_cast<size_t>(c)];
      }
      row.push_back(sum);
    }
    SoftmaxInPlace(row);
    for (double& p : row) p = std::log(p);
  }
  return result;
}

}  // namespace heed
