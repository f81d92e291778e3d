#include "config/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "util/check.h"

namespace heed {

std::string SourcePosition::ToString() const {
  return line > 0 ? fmt::format("{}:{}:{}", file, line, column) : file;
}

void ProblemList::Add(SourcePosition where, std::string message) {
  problems_.push_back({std::move(where), std::move(message)});
}

std::string ProblemList::ToString() const {
  std::map<std::string, size_t> file_order;
  for (const Problem& problem : problems_) {
    file_order.try_emplace(problem.where.file, file_order.size());
  }
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Problem& a, const Problem& b) {
    return std::tuple(file_order.at(a.where.file), a.where.line, a.where.column) <
           std::tuple(file_order.at(b.where.file), b.where.line, b.where.column);
  });

  constexpr size_t kMostShown = 30;
  std::string text;
  for (size_t i = 0; i < std::min(sorted.size(), kMostShown); ++i) {
    if (i > 0) text += '\n';
    text += fmt::format("{}: {}", sorted[i].where.ToString(), sorted[i].message);
  }
  if (sorted.size() > kMostShown) {
    text += fmt::format("\n... and {} more problems", sorted.size() - kMostShown);
  }
  return text;
}

void ProblemList::ThrowIfAny() const {
  if (!IsEmpty()) throw UserError(ToString());
}

}  // namespace heed
