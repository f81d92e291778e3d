#include "data/pairing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "text/utf8.h"
#include "util/check.h"
#include "util/checksum.h"
#include "util/line_reader.h"

namespace heed {
namespace {

// Prices, in units of about one nat. A line left out costs as much as some seven wrong partners.
constexpr double kLeftOut = 6;
constexpr double kLengthFactor = 2, kMostForLength = 4;
constexpr double kOtherNumbers = 2, kNumbersOnOneSide = 1;
constexpr double kOtherPunctuation = 0.7;
// Lines left out that are looked for; later ones do not matter for the first.
constexpr int64_t kMostLeftOut = 32;

constexpr double kImpossible = std::numeric_limits<double>::infinity();

// What is compared of a line.
struct Clues {
  double log_length = 0;
  uint64_t numbers = 0;  // 0 = none; the order does not count
  char punctuation = 0;  // the last character, if it ends sentences
};

Clues CluesOf(std::string_view line) {
  Clues clues;
  clues.log_length = std::log(static_cast<double>(CountCharacters(line)) + 1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (size_t i = 0; i < line.size(); ++i) {
    const size_t begin = i;
    while (i < line.size() && is_digit(line[i])) ++i;
    if (i > begin) clues.numbers += Fnv1a64(line.substr(begin, i - begin));
  }
  const char last = line.empty() ? ' ' : line.back();
  if (std::string_view(".?!:;,").find(last) != std::string_view::npos) clues.punctuation = last;
  return clues;
}

double PriceOf(const Clues& a, const Clues& b, double log_ratio) {
  const double surprise = std::abs(a.log_length - b.log_length - log_ratio);
  double price = std::min(kLengthFactor * surprise, kMostForLength);
  if (a.numbers != b.numbers) {
    price += a.numbers == 0 || b.numbers == 0 ? kNumbersOnOneSide : kOtherNumbers;
  }
  if (a.punctuation != b.punctuation) price += kOtherPunctuation;
  return price;
}

struct FileSummary {
  int64_t lines = 0;
  double log_length = 0;  // mean
};

FileSummary Summarize(const std::filesystem::path& path) {
  FileSummary summary;
  LineReader reader(path);
  for (std::string_view line; reader.Next(&line);) {
    summary.log_length += std::log(static_cast<double>(CountCharacters(line)) + 1);
  }
  summary.lines = reader.line_number();
  summary.log_length /= static_cast<double>(std::max<int64_t>(1, summary.lines));
  return summary;
}

// Dynamic programming over the lines of the longer file, for each number of lines left out so far.
class Search {
 public:
  Search(int64_t short_lines, int64_t most_left_out, double log_ratio)
      : short_lines_(short_lines),
        log_ratio_(log_ratio),
        recent_(static_cast<size_t>(most_left_out) + 1),
        paths_(static_cast<size_t>(most_left_out) + 1) {
    paths_[0].price = 0;
  }

  // Line i of the shorter file, before line i of the longer one.
  void AddShort(int64_t i, const Clues& clues) { recent_[SlotOf(i)] = clues; }

  void AddLong(int64_t i, const Clues& clues) {
    // From the last path down, so that the one before still is that of line i - 1.
    for (size_t left_out = paths_.size(); left_out-- > 0;) {
      Path& path = paths_[left_out];
      const int64_t partner = i - static_cast<int64_t>(left_out);
      const bool has_partner = partner >= 1 && partner <= short_lines_;
      if (has_partner) {
        path.price += PriceOf(clues, recent_[SlotOf(partner)], log_ratio_);
      } else {
        path.price = kImpossible;
      }
      if (left_out > 0 && paths_[left_out - 1].price + kLeftOut < path.price) {
        const Path& before = paths_[left_out - 1];
        path = {before.price + kLeftOut, before.first_left_out.value_or(i)};
      }
      // All of the shorter file has partners: what follows in the longer one is its end.
      if (partner == short_lines_ && path.price < best_.price) best_ = path;
    }
  }

  std::optional<int64_t> first_left_out() const { return best_.first_left_out; }

 private:
  // The cheapest pairing so far with a given number of lines left out.
  struct Path {
    double price = kImpossible;
    std::optional<int64_t> first_left_out{};
  };

  size_t SlotOf(int64_t i) const { return static_cast<size_t>(i) % recent_.size(); }

  int64_t short_lines_;
  double log_ratio_;
  std::vector<Clues> recent_;  // of the shorter file, a ring
  std::vector<Path> paths_;    // by the number of lines left out
  Path best_;
};

}  // namespace

std::optional<int64_t> FindExtraLine(const std::filesystem::path& longer,
                                     const std::filesystem::path& shorter) {
  const FileSummary long_file = Summarize(longer), short_file = Summarize(shorter);
  HEED_CHECK(long_file.lines > short_file.lines, "{} lines against {}", long_file.lines,
             short_file.lines);
  if (short_file.lines == 0) return std::nullopt;
  const int64_t most = std::min(kMostLeftOut, long_file.lines - short_file.lines);
  Search search(short_file.lines, most, long_file.log_length - short_file.log_length);
  LineReader long_reader(longer), short_reader(shorter);
  std::string_view line;
  for (int64_t i = 1; i <= short_file.lines + most && long_reader.Next(&line); ++i) {
    const Clues clues = CluesOf(line);
    if (short_reader.Next(&line)) search.AddShort(i, CluesOf(line));
    search.AddLong(i, clues);
  }
  return search.first_left_out();
}

std::optional<double> PairingMonitor::Block::Correlation() const {
  const double source_variance = source_squared / count - source * source / count / count;
  const double target_variance = target_squared / count - target * target / count / count;
  if (source_variance < 1e-3 || target_variance < 1e-3) return std::nullopt;
  const double covariance = product / count - source * target / count / count;
  return covariance / std::sqrt(source_variance * target_variance);
}

void PairingMonitor::Add(std::string_view source, std::string_view target, int64_t line) {
  constexpr double kBlockSize = 500;
  if (block_.count == 0) block_.first_line = line;
  const double a = std::log(static_cast<double>(source.size()) + 1);
  const double b = std::log(static_cast<double>(target.size()) + 1);
  block_.count += 1;
  block_.source += a;
  block_.target += b;
  block_.source_squared += a * a;
  block_.target_squared += b * b;
  block_.product += a * b;
  if (block_.count < kBlockSize) return;
  if (const std::optional<double> correlation = block_.Correlation()) Finish(*correlation);
  block_ = {};
}

// Two bad blocks in a row after good ones are suspicious.
void PairingMonitor::Finish(double correlation) {
  constexpr double kGood = 0.6, kBad = 0.3;
  const bool is_known_good = good_blocks_ > 0 && good_sum_ / good_blocks_ >= kGood;
  if (!is_known_good || correlation >= kBad) {
    good_blocks_ += 1;
    good_sum_ += correlation;
    doubtful_line_.reset();
  } else if (!doubtful_line_) {
    doubtful_line_ = block_.first_line;
  } else if (!suspicious_line_) {
    suspicious_line_ = doubtful_line_;
  }
}

}  // namespace heed
