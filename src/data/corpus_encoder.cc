#include "data/corpus_encoder.h"

#include <chrono>

#include "data/pairing.h"
#include "text/cleanup.h"
#include "text/utf8.h"
#include "util/check.h"
#include "util/logging.h"

namespace heed {
namespace {

constexpr size_t kChunkPairs = 8192, kChunkBytes = size_t{32} << 20;
constexpr size_t kTaskPairs = 64;
constexpr auto kTimeBetweenLines = std::chrono::seconds(10);

// Replaces ill-formed UTF-8; true if there was any.
bool Repair(std::string* text) {
  if (!FindBadUtf8(*text)) return false;
  *text = ReplaceBadUtf8(*text);
  return true;
}

void CountTokens(std::span<const int32_t> ids, const Tokenizer& tokenizer,
                 std::vector<int64_t>* counts, SideReport* report) {
  report->tokens += static_cast<int64_t>(ids.size()) + 1;
  ++(*counts)[static_cast<size_t>(tokenizer.eos_id())];
  for (const int32_t id : ids) {
    ++(*counts)[static_cast<size_t>(id)];
    if (id == tokenizer.unk_id()) ++report->unknown;
    if (tokenizer.IsByte(id)) ++report->bytes;
  }
}

// Says from time to time how far a long corpus has got.
class ProgressLine {
 public:
  void Update(const CorpusReport& report) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kTimeBetweenLines) return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    HEED_LOG(info, "{}: {} pairs read, {:.0f} per second", report.name, report.read,
             static_cast<double>(report.read) / seconds);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
};

}  // namespace

CorpusEncoder::CorpusEncoder(const Tools& tools, const PairFilter* filter)
    : tools_(tools),
      filter_(filter),
      source_counts_(static_cast<size_t>(tools.source_tokenizer->size())),
      target_counts_(static_cast<size_t>(tools.target_tokenizer->size())),
      chunk_(kChunkPairs) {}

CorpusReport CorpusEncoder::Run(const std::string& name, const CorpusOptions& options,
                                const Consumer& consume) {
  CorpusReport report;
  report.name = name;
  ParallelCorpus corpus(options);
  PairingMonitor monitor;
  ProgressLine progress;
  int64_t first_without_column = 0;
  while (ReadChunk(&corpus)) {
    const auto num_tasks = static_cast<int64_t>((chunk_size_ + kTaskPairs - 1) / kTaskPairs);
    tools_.pool->Run(num_tasks, [&](int64_t task, int /*thread*/) {
      const size_t begin = static_cast<size_t>(task) * kTaskPairs;
      for (size_t i = begin; i < std::min(chunk_size_, begin + kTaskPairs); ++i)
        Process(&chunk_[i]);
    });
    for (size_t i = 0; i < chunk_size_; ++i) {
      const Entry& entry = chunk_[i];
      Consume(entry, corpus, &report, consume);
      if (entry.has_both) monitor.Add(entry.source, entry.target, entry.line);
      if (!entry.has_both && first_without_column == 0) first_without_column = entry.line;
    }
    progress.Update(report);
  }
  const int64_t without_column = report.dropped[static_cast<size_t>(DropReason::kMissingColumn)];
  if (100 * without_column > report.read) {
    ThrowUserError("{}: {} of {} lines lack column {} or {}, this one first; check the columns",
                   corpus.Where(Side::kSource, first_without_column), without_column, report.read,
                   options.source_column, options.target_column);
  }
  report.suspicious_line = monitor.suspicious_line().value_or(0);
  return report;
}

// Fills chunk_ with the next pairs, whose memory is used again; false at the end.
bool CorpusEncoder::ReadChunk(ParallelCorpus* corpus) {
  size_t bytes = 0;
  CorpusPair pair;
  for (chunk_size_ = 0; chunk_size_ < kChunkPairs && bytes < kChunkBytes; ++chunk_size_) {
    if (!corpus->Next(&pair)) break;
    Entry& entry = chunk_[chunk_size_];
    entry.source = pair.source;
    entry.target = pair.target;
    entry.line = pair.line;
    entry.has_both = pair.has_both;
    bytes += pair.source.size() + pair.target.size();
  }
  return chunk_size_ > 0;
}

// What a thread can do with a pair alone.
void CorpusEncoder::Process(Entry* entry) const {
  entry->is_repaired = false;
  entry->dropped.reset();
  if (!entry->has_both) {
    entry->dropped = DropReason::kMissingColumn;
    return;
  }
  if (filter_ == nullptr || filter_->options().bad_utf8 == BadUtf8Policy::kReplace) {
    entry->is_repaired = Repair(&entry->source);
    entry->is_repaired |= Repair(&entry->target);
  }
  if (filter_ != nullptr) {
    entry->dropped = filter_->CheckText(entry->source, entry->target);
    if (entry->dropped) return;
    if (filter_->options().drop_duplicates) entry->hash = HashOfPair(entry->source, entry->target);
  }
  tools_.source_tokenizer->Encode(entry->source, &entry->source_ids);
  tools_.target_tokenizer->Encode(entry->target, &entry->target_ids);
}

// The first rule that a pair breaks, in the order of the corpora.
std::optional<DropReason> CorpusEncoder::Judge(const Entry& entry) {
  if (entry.dropped || filter_ == nullptr) return entry.dropped;
  if (filter_->options().drop_duplicates && !seen_.Insert(entry.hash))
    return DropReason::kDuplicate;
  return filter_->CheckLengths(static_cast<int64_t>(entry.source_ids.size()) + 1,
                               static_cast<int64_t>(entry.target_ids.size()) + 1);
}

void CorpusEncoder::Consume(const Entry& entry, const ParallelCorpus& corpus, CorpusReport* report,
                            const Consumer& consume) {
  ++report->read;
  if (entry.is_repaired) ++report->repaired;
  if (const std::optional<DropReason> reason = Judge(entry)) {
    ++report->dropped[static_cast<size_t>(*reason)];
    StopIfToldTo(entry, corpus);
    return;
  }
  ++report->kept;
  if (HasControlCharacters(entry.source) || HasControlCharacters(entry.target)) {
    ++report->with_controls;
  }
  CountTokens(entry.source_ids, *tools_.source_tokenizer, &source_counts_, &report->source);
  CountTokens(entry.target_ids, *tools_.target_tokenizer, &target_counts_, &report->target);
  consume({entry.source_ids, entry.target_ids, entry.source, entry.target, entry.line});
}

void CorpusEncoder::StopIfToldTo(const Entry& entry, const ParallelCorpus& corpus) const {
  if (filter_ == nullptr) {  // a validation corpus must be whole
    ThrowUserError("{}: a column is missing", corpus.Where(Side::kSource, entry.line));
  }
  const FilterOptions& options = filter_->options();
  if (entry.dropped == DropReason::kBadUtf8 && options.bad_utf8 == BadUtf8Policy::kError) {
    const auto source_byte = FindBadUtf8(entry.source);
    ThrowUserError(
        "{}:{}: not UTF-8 from this byte on; convert the file, or set data.filters.bad_utf8 to "
        "drop or replace",
        corpus.Where(source_byte ? Side::kSource : Side::kTarget, entry.line),
        (source_byte ? *source_byte : FindBadUtf8(entry.target).value_or(0)) + 1);
  }
  if (entry.dropped == DropReason::kEmpty && options.empty_lines == EmptyLinePolicy::kError) {
    std::string buffer;
    const bool is_source = IsBlank(CleanLine(entry.source, &buffer));
    ThrowUserError("{}: an empty line; remove the pair, or set data.filters.empty_lines to drop",
                   corpus.Where(is_source ? Side::kSource : Side::kTarget, entry.line));
  }
}

}  // namespace heed
