#include "decode/sampler.h"

#include <algorithm>
#include <cmath>

#include "util/check.h"

namespace heed {
namespace {

struct Weighted {
  int32_t token;
  double weight;
};

// p^(1 / temperature) relative to the most probable token, most probable first.
std::vector<Weighted> SortedWeights(const SamplingOptions& options,
                                    const std::vector<double>& log_probabilities,
                                    const std::function<bool(int32_t)>& forbids) {
  std::vector<Weighted> tokens;
  for (size_t i = 0; i < log_probabilities.size(); ++i) {
    const auto token = static_cast<int32_t>(i);
    if (!forbids(token)) tokens.push_back({token, log_probabilities[i]});
  }
  HEED_CHECK(!tokens.empty(), "every token is forbidden");
  std::stable_sort(tokens.begin(), tokens.end(),
                   [](const Weighted& a, const Weighted& b) { return a.weight > b.weight; });
  const double largest = tokens.front().weight;
  for (Weighted& entry : tokens) {
    entry.weight = std::exp((entry.weight - largest) / options.temperature);
  }
  return tokens;
}

double Sum(const std::vector<Weighted>& tokens) {
  double sum = 0;
  for (const Weighted& entry : tokens) sum += entry.weight;
  return sum;
}

}  // namespace

int32_t DrawToken(const SamplingOptions& options, const std::vector<double>& log_probabilities,
                  double uniform, const std::function<bool(int32_t)>& forbids) {
  std::vector<Weighted> tokens = SortedWeights(options, log_probabilities, forbids);
  if (options.top_k > 0 && options.top_k < std::ssize(tokens)) {
    tokens.resize(static_cast<size_t>(options.top_k));
  }
  if (options.top_p < 1) {
    const double enough = options.top_p * Sum(tokens);
    double sum = 0;
    size_t kept = 0;
    while (kept < tokens.size() && sum < enough) sum += tokens[kept++].weight;
    tokens.resize(std::max<size_t>(1, kept));
  }
  double rest = uniform * Sum(tokens);
  for (const Weighted& entry : tokens) {
    rest -= entry.weight;
    if (rest <= 0) return entry.token;
  }
  return tokens.back().token;
}

}  // namespace heed
