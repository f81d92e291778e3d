#include "data/parallel_corpus.h"

#include <optional>

#include "data/pairing.h"
#include "text/utf8.h"
#include "util/check.h"

namespace heed {
namespace {

// Column `number` of a line, from 1.
std::optional<std::string_view> ColumnOf(std::string_view line, int64_t number) {
  for (; number > 1; --number) {
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return std::nullopt;
    line.remove_prefix(tab + 1);
  }
  return line.substr(0, line.find('\t'));
}

// The start of a line, for messages.
std::string Excerpt(const std::string& path, int64_t wanted) {
  constexpr size_t kLongest = 60;
  LineReader reader(path);
  for (std::string_view line; reader.Next(&line);) {
    if (reader.line_number() < wanted) continue;
    const std::string text = ReplaceBadUtf8(line.substr(0, kLongest));
    return line.size() > kLongest ? text + "..." : text;
  }
  return {};
}

}  // namespace

ParallelCorpus::ParallelCorpus(const CorpusOptions& options) : options_(options) {
  if (!options_.tsv.empty()) {
    source_ = std::make_unique<LineReader>(options_.tsv);
    return;
  }
  if (options_.source.empty() || options_.target.empty()) {
    ThrowUserError("a corpus needs 'source' and 'target', or 'tsv'; got source '{}', target '{}'",
                   options_.source, options_.target);
  }
  source_ = std::make_unique<LineReader>(options_.source);
  target_ = std::make_unique<LineReader>(options_.target);
}

bool ParallelCorpus::Next(CorpusPair* pair) {
  *pair = {};
  const bool has_pair = target_ == nullptr ? NextOfColumns(pair) : NextOfFiles(pair);
  pair->line = source_->line_number();
  return has_pair;
}

bool ParallelCorpus::NextOfColumns(CorpusPair* pair) {
  std::string_view line;
  if (!source_->Next(&line)) return false;
  const auto source = ColumnOf(line, options_.source_column);
  const auto target = ColumnOf(line, options_.target_column);
  pair->has_both = source && target;
  if (!pair->has_both) return true;
  pair->source = *source;
  pair->target = *target;
  return true;
}

bool ParallelCorpus::NextOfFiles(CorpusPair* pair) {
  const bool has_source = source_->Next(&pair->source);
  const bool has_target = target_->Next(&pair->target);
  if (has_source != has_target) ThrowOutOfStep();
  return has_source;
}

void ParallelCorpus::ThrowOutOfStep() {
  for (std::string_view line; source_->Next(&line);) continue;
  for (std::string_view line; target_->Next(&line);) continue;
  const bool source_is_longer = source_->line_number() > target_->line_number();
  const std::string& longer = source_is_longer ? options_.source : options_.target;
  const std::string& shorter = source_is_longer ? options_.target : options_.source;
  const std::optional<int64_t> extra = FindExtraLine(longer, shorter);
  const std::string counts =
      fmt::format("{} has {} lines and {} has {}, but line by line they must be partners",
                  options_.source, source_->line_number(), options_.target, target_->line_number());
  if (!extra) {
    ThrowUserError("{}; {} seems to be cut off at its end: fetch it again, or cut both alike",
                   counts, shorter);
  }
  ThrowUserError(
      "{}; the first suspicious line is {}:{}, which seems to have no partner (\"{}\"): repair the "
      "files there, or fetch them again",
      counts, longer, *extra, Excerpt(longer, *extra));
}

std::string ParallelCorpus::Where(Side side, int64_t line) const {
  const std::string& path = !options_.tsv.empty()   ? options_.tsv
                            : side == Side::kSource ? options_.source
                                                    : options_.target;
  return fmt::format("{}:{}", path, line);
}

std::string DescribeFiles(const CorpusOptions& options) {
  if (!options.tsv.empty()) return options.tsv;
  return fmt::format("{} + {}", options.source, options.target);
}

}  // namespace heed
