#include "data/prepare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heed {
namespace {

using Row = std::vector<std::string>;

// Code points, which is what terminals align for the names that corpora have.
size_t WidthOf(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// The first column to the left, the others to the right.
std::string Align(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], WidthOf(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - WidthOf(row[i]), ' ');
      text += i == 0 ? row[i] + blanks : "  " + blanks + row[i];
    }
    text += '\n';
  }
  return text;
}

CorpusReport Sum(const std::vector<CorpusReport>& corpora) {
  CorpusReport sum;
  sum.name = "all training";
  for (const CorpusReport& corpus : corpora) {
    sum.read += corpus.read;
    sum.kept += corpus.kept;
    for (size_t i = 0; i < kNumDropReasons; ++i) sum.dropped[i] += corpus.dropped[i];
    for (const auto side : {&CorpusReport::source, &CorpusReport::target}) {
      (sum.*side).tokens += (corpus.*side).tokens;
      (sum.*side).unknown += (corpus.*side).unknown;
      (sum.*side).bytes += (corpus.*side).bytes;
    }
  }
  return sum;
}

Row Cells(const CorpusReport& corpus, const std::vector<size_t>& reasons) {
  Row row = {corpus.name, fmt::format("{}", corpus.read), fmt::format("{}", corpus.kept)};
  for (const size_t reason : reasons) row.push_back(fmt::format("{}", corpus.dropped[reason]));
  row.push_back(fmt::format("{}", corpus.source.tokens));
  row.push_back(fmt::format("{}", corpus.target.tokens));
  return row;
}

std::string Table(const std::vector<CorpusReport>& corpora) {
  std::vector<size_t> reasons;  // those that dropped anything
  for (size_t i = 0; i < kNumDropReasons; ++i) {
    if (std::any_of(corpora.begin(), corpora.end(),
                    [&](const CorpusReport& corpus) { return corpus.dropped[i] > 0; })) {
      reasons.push_back(i);
    }
  }
  std::vector<Row> rows = {{"corpus", "read", "kept"}};
  for (const size_t reason : reasons) rows[0].emplace_back(NameOf(static_cast<DropReason>(reason)));
  rows[0].insert(rows[0].end(), {"source tokens", "target tokens"});
  for (const CorpusReport& corpus : corpora) rows.push_back(Cells(corpus, reasons));
  return Align(rows);
}

std::string Notes(const CorpusReport& corpus) {
  std::string text;
  if (corpus.with_controls > 0) {
    text += fmt::format("{}: {} pairs hold control characters, which count as spaces\n",
                        corpus.name, corpus.with_controls);
  }
  if (corpus.repaired > 0) {
    text += fmt::format("{}: {} pairs had ill-formed UTF-8, replaced by U+FFFD\n", corpus.name,
                        corpus.repaired);
  }
  if (corpus.suspicious_line > 0) {
    text += fmt::format(
        "{}: from about line {} on, the lengths of source and target no longer go together; is a "
        "line missing on each side?\n",
        corpus.name, corpus.suspicious_line);
  }
  return text;
}

std::string Percent(int64_t part, int64_t whole) {
  return fmt::format(
      "{:.2f} %",
      whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string Vocabulary(std::string_view name, const VocabularyReport& vocabulary) {
  return fmt::format("{}: {} pieces, {} of them ({}) occur in the training data\n", name,
                     vocabulary.size, vocabulary.used, Percent(vocabulary.used, vocabulary.size));
}

std::string Unknown(std::string_view name, const SideReport& side) {
  return fmt::format("{} tokens: {} unknown, {} spelt in bytes\n", name,
                     Percent(side.unknown, side.tokens), Percent(side.bytes, side.tokens));
}

}  // namespace

std::string PrepareReport::Format() const {
  std::vector<CorpusReport> rows = train;
  const CorpusReport all = Sum(train);
  if (train.size() > 1) rows.push_back(all);
  if (valid) rows.push_back(*valid);
  std::string text = Table(rows);
  for (const CorpusReport& corpus : rows) text += Notes(corpus);
  text += Vocabulary(is_joint ? "joint vocabulary" : "source vocabulary", source);
  if (!is_joint) text += Vocabulary("target vocabulary", target);
  text += Unknown("training source", all.source);
  text += Unknown("training target", all.target);
  if (valid) {
    text += Unknown("validation source", valid->source);
    text += Unknown("validation target", valid->target);
  }
  text.pop_back();
  return text;
}

// The JSON functions below are found by nlohmann's library.

void to_json(nlohmann::json& json, const SideReport& side) {
  json = {{"tokens", side.tokens}, {"unknown", side.unknown}, {"bytes", side.bytes}};
}

void from_json(const nlohmann::json& json, SideReport& side) {
  side = {json.at("tokens"), json.at("unknown"), json.at("bytes")};
}

void to_json(nlohmann::json& json, const CorpusReport& corpus) {
  nlohmann::json dropped = nlohmann::json::object();
  for (size_t i = 0; i < kNumDropReasons; ++i) {
    dropped[std::string(NameOf(static_cast<DropReason>(i)))] = corpus.dropped[i];
  }
  json = {{"name", corpus.name},
          {"read", corpus.read},
          {"kept", corpus.kept},
          {"dropped", dropped},
          {"with_controls", corpus.with_controls},
          {"repaired", corpus.repaired},
          {"suspicious_line", corpus.suspicious_line},
          {"source", corpus.source},
          {"target", corpus.target}};
}

void from_json(const nlohmann::json& json, CorpusReport& corpus) {
  json.at("name").get_to(corpus.name);
  json.at("read").get_to(corpus.read);
  json.at("kept").get_to(corpus.kept);
  for (size_t i = 0; i < kNumDropReasons; ++i) {
    json.at("dropped")
        .at(std::string(NameOf(static_cast<DropReason>(i))))
        .get_to(corpus.dropped[i]);
  }
  json.at("with_controls").get_to(corpus.with_controls);
  json.at("repaired").get_to(corpus.repaired);
  json.at("suspicious_line").get_to(corpus.suspicious_line);
  json.at("source").get_to(corpus.source);
  json.at("target").get_to(corpus.target);
}

void to_json(nlohmann::json& json, const VocabularyReport& vocabulary) {
  json = {{"size", vocabulary.size}, {"used", vocabulary.used}};
}

void from_json(const nlohmann::json& json, VocabularyReport& vocabulary) {
  vocabulary = {json.at("size"), json.at("used")};
}

void to_json(nlohmann::json& json, const PrepareReport& report) {
  json = {{"train", report.train},
          {"is_joint", report.is_joint},
          {"source", report.source},
          {"target", report.target}};
  if (report.valid) json["valid"] = *report.valid;
}

void from_json(const nlohmann::json& json, PrepareReport& report) {
  json.at("train").get_to(report.train);
  json.at("is_joint").get_to(report.is_joint);
  json.at("source").get_to(report.source);
  json.at("target").get_to(report.target);
  if (json.contains("valid")) report.valid = json.at("valid").get<CorpusReport>();
}

}  // namespace heed
