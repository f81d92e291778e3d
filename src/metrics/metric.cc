#include "metrics/metric.h"

#include <fmt/format.h>

#include "metrics/input_checks.h"
#include "util/check.h"

namespace heed {

std::vector<double> SegmentStatistics::Sums() const {
  std::vector<double> sums(static_cast<size_t>(columns), 0.0);
  for (size_t i = 0; i < values.size(); ++i) {
    sums[i % sums.size()] += values[i];
  }
  return sums;
}

std::string MetricScore::Format(int decimals, bool with_signature) const {
  std::string line = with_signature && !signature.empty() ? name + "|" + signature : name;
  line += fmt::format(" = {:.{}f}", score, decimals);
  if (confidence && confidence->mean > 0) {
    line += fmt::format(" (μ = {:.{}f} ± {:.{}f})", confidence->mean, decimals,
                        confidence->half_width, decimals);
  }
  return verbose.empty() ? line : line + " " + verbose;
}

std::string Metric::Signature(const SignatureContext& context) const {
  std::string signature = fmt::format("nrefs:{}", context.num_references);
  if (context.bootstrap_resamples > 0) {
    signature += fmt::format("|bs:{}|seed:{}", context.bootstrap_resamples, context.seed);
  }
  return fmt::format("{}|{}|version:{}", signature, OptionFields(), kSacrebleuVersion);
}

SegmentStatistics Metric::Statistics(std::span<const std::string> hypotheses,
                                     ReferenceStreams references) const {
  CheckLineCounts(hypotheses, references);
  SegmentStatistics statistics{.columns = NumStatistics(), .values = {}};
  const auto columns = static_cast<size_t>(statistics.columns);
  statistics.values.resize(hypotheses.size() * columns);
  std::vector<std::string_view> segment(references.size());
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    for (size_t r = 0; r < references.size(); ++r) {
      segment[r] = references[r][i];
    }
    FillRow(hypotheses[i], segment, std::span(statistics.values).subspan(i * columns, columns));
  }
  return statistics;
}

MetricScore Metric::CorpusScore(std::span<const std::string> hypotheses,
                                ReferenceStreams references) const {
  const SegmentStatistics statistics = Statistics(hypotheses, references);
  return ScoreSums(statistics.Sums(), {.num_references = std::ssize(references)});
}

MetricScore Metric::SentenceScore(const std::string& hypothesis,
                                  std::span<const std::string> references) const {
  std::vector<std::vector<std::string>> streams;
  streams.reserve(references.size());
  for (const std::string& reference : references) {
    streams.push_back({reference});
  }
  return CorpusScore(std::span(&hypothesis, 1), streams);
}

MetricScore Metric::ScoreSums(std::span<const double> sums, const SignatureContext& context) const {
  HEED_CHECK(std::ssize(sums) == NumStatistics(), "{} needs {} sums, got {}", Name(),
             NumStatistics(), sums.size());
  Evaluation evaluation = Evaluate(sums);
  return {.name = Name(),
          .score = evaluation.score,
          .signature = Signature(context),
          .verbose = std::move(evaluation.verbose),
          .confidence = std::nullopt};
}

}  // namespace heed
