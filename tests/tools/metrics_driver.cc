// Computes metrics for tests/metrics/sacrebleu_parity.py.
//
//   metrics_driver < jobs.jsonl > results.jsonl
//
// One job per line: {"hypotheses": [...], "references": [[...], ...], "queries": [{...}, ...]}, one
// result per line: [answer, ...]. Bytes that JSON cannot hold come as {"hex": "..."} lines.
// Not part of the product; an unknown query is an error.
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/bootstrap.h"
#include "metrics/chrf.h"
#include "metrics/ter.h"
#include "metrics/tokenizers.h"
#include "metrics/unicode_text.h"
#include "util/check.h"

namespace heed {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

std::string LineFrom(const json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  const auto hex = value.at("hex").get<std::string>();
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

Lines LinesFrom(const json& values) {
  Lines lines;
  for (const json& value : values) {
    lines.push_back(LineFrom(value));
  }
  return lines;
}

std::unique_ptr<Metric> BleuFrom(const json& query) {
  BleuOptions options = {.tokenizer = ParseBleuTokenizer(query.at("tokenizer").get<std::string>()),
                         .lowercase = query.at("lowercase"),
                         .smoothing = ParseBleuSmoothing(query.at("smoothing").get<std::string>()),
                         .max_order = query.at("max_order"),
                         .effective_order = query.at("effective_order")};
  if (!query.at("smoothing_value").is_null()) {
    options.smoothing_value = query.at("smoothing_value").get<double>();
  }
  return std::make_unique<Bleu>(options);
}

std::unique_ptr<Metric> ChrfFrom(const json& query) {
  return std::make_unique<Chrf>(ChrfOptions{.char_order = query.at("char_order"),
                                            .word_order = query.at("word_order"),
                                            .beta = query.at("beta"),
                                            .lowercase = query.at("lowercase"),
                                            .whitespace = query.at("whitespace"),
                                            .eps_smoothing = query.at("eps_smoothing")});
}

TerTokenizerOptions TerTokenizerFrom(const json& query) {
  return {.normalized = query.at("normalized"),
          .no_punct = query.at("no_punct"),
          .asian_support = query.at("asian_support"),
          .case_sensitive = query.at("case_sensitive")};
}

std::unique_ptr<Metric> MetricFrom(const json& query) {
  const auto name = query.at("metric").get<std::string>();
  if (name == "bleu") {
    return BleuFrom(query);
  }
  if (name == "chrf") {
    return ChrfFrom(query);
  }
  HEED_CHECK(name == "ter", "unknown metric {}", name);
  return std::make_unique<Ter>(TerOptions{.tokenizer = TerTokenizerFrom(query)});
}

BootstrapOptions BootstrapFrom(const json& query) {
  return {.resamples = query.at("resamples"), .seed = query.at("seed")};
}

json Describe(const SystemResult& result) {
  return {result.score, result.confidence.mean, result.confidence.half_width,
          result.p_value ? json(*result.p_value) : json(), result.Format(2)};
}

// What the lines look like after the tokenizer.
json Tokenize(const json& query, const Lines& lines) {
  const auto tokenizer = query.at("tokenizer").get<std::string>();
  json tokenized = json::array();
  for (const std::string& line : lines) {
    const std::u32string text = DecodeUtf8(line);
    if (tokenizer == "lower") {
      tokenized.push_back(EncodeUtf8(Lowercase(text)));
    } else if (tokenizer == "tercom") {
      tokenized.push_back(EncodeUtf8(TokenizeForTer(TerTokenizerFrom(query), text)));
    } else {
      tokenized.push_back(EncodeUtf8(TokenizeForBleu(ParseBleuTokenizer(tokenizer), text)));
    }
  }
  return tokenized;
}

json ScoreCorpus(const Metric& metric, const Lines& hypotheses, ReferenceStreams references) {
  const SegmentStatistics statistics = metric.Statistics(hypotheses, references);
  const MetricScore score = metric.CorpusScore(hypotheses, references);
  return {score.score, score.Format(2, false), score.Format(1, true), statistics.values};
}

json ScoreSentences(const Metric& metric, const Lines& hypotheses, ReferenceStreams references) {
  json answer = json::array();
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    Lines segment;
    for (const Lines& stream : references) {
      segment.push_back(stream[i]);
    }
    const MetricScore score = metric.SentenceScore(hypotheses[i], segment);
    answer.push_back({score.score, score.Format(2, true)});
  }
  return answer;
}

json Answer(const json& query, const Lines& hypotheses, ReferenceStreams references) {
  const auto kind = query.at("kind").get<std::string>();
  if (kind == "tokenize") {
    return Tokenize(query, hypotheses);
  }
  const std::unique_ptr<Metric> metric = MetricFrom(query);
  if (kind == "corpus") {
    return ScoreCorpus(*metric, hypotheses, references);
  }
  if (kind == "sentence") {
    return ScoreSentences(*metric, hypotheses, references);
  }
  const SegmentStatistics statistics = metric->Statistics(hypotheses, references);
  if (kind == "confidence") {
    const MetricScore score =
        ScoreWithConfidence(*metric, statistics, std::ssize(references), BootstrapFrom(query));
    return {score.confidence->mean, score.confidence->half_width, score.Format(2, true)};
  }
  HEED_CHECK(kind == "paired", "unknown query {}", kind);
  const SegmentStatistics other = metric->Statistics(LinesFrom(query.at("other")), references);
  const PairedResult result = PairedBootstrap(*metric, statistics, other, BootstrapFrom(query));
  return {Describe(result.baseline), Describe(result.system)};
}

void AnswerAll() {
  for (std::string line; std::getline(std::cin, line);) {
    const json job = json::parse(line);
    const Lines hypotheses = LinesFrom(job.at("hypotheses"));
    std::vector<Lines> references;
    for (const json& stream : job.at("references")) {
      references.push_back(LinesFrom(stream));
    }
    json answers = json::array();
    for (const json& query : job.at("queries")) {
      answers.push_back(Answer(query, hypotheses, references));
    }
    std::cout << answers.dump() << "\n";
  }
}

}  // namespace
}  // namespace heed

int main() {
  try {
    heed::AnswerAll();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "metrics_driver: " << error.what() << "\n";
    return 1;
  }
}
