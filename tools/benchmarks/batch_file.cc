#include "tools/benchmarks/batch_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "util/check.h"
#include "util/line_reader.h"

namespace heed {
namespace {

using Sentences = std::vector<std::vector<int32_t>>;

SequenceLayout LayoutOf(const Sentences& sentences, const std::vector<size_t>& order) {
  std::vector<int32_t> lengths;
  for (const size_t i : order) lengths.push_back(static_cast<int32_t>(sentences[i].size()));
  return SequenceLayout::FromLengths(lengths);
}

// Longest target first, as Batch wants it.
std::vector<size_t> Order(const Sentences& sources, const Sentences& targets) {
  std::vector<size_t> order(targets.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(targets[a].size(), sources[a].size()) >
           std::pair(targets[b].size(), sources[b].size());
  });
  return order;
}

Batch Pack(const Sentences& sources, const Sentences& targets) {
  const std::vector<size_t> order = Order(sources, targets);
  Batch batch;
  batch.source = LayoutOf(sources, order);
  batch.target = LayoutOf(targets, order);
  for (const size_t i : order) {
    batch.source_ids.insert(batch.source_ids.end(), sources[i].begin(), sources[i].end());
    batch.target_labels.insert(batch.target_labels.end(), targets[i].begin(), targets[i].end());
    batch.target_inputs.push_back(kDecoderStartId);
    batch.target_inputs.insert(batch.target_inputs.end(), targets[i].begin(), targets[i].end() - 1);
    batch.sentence_ids.push_back(static_cast<int64_t>(i));
  }
  return batch;
}

bool IsUsable(const Sentences& sentences, int64_t vocabulary) {
  return !sentences.empty() && std::all_of(sentences.begin(), sentences.end(), [&](const auto& s) {
    return !s.empty() &&
           std::all_of(s.begin(), s.end(), [&](int32_t id) { return id >= 0 && id < vocabulary; });
  });
}

}  // namespace

std::vector<Batch> ReadBatches(const std::filesystem::path& path, int64_t vocabulary) {
  std::vector<Batch> batches;
  LineReader reader(path);
  for (std::string_view line; reader.Next(&line);) {
    try {
      const nlohmann::json json = nlohmann::json::parse(line);
      const auto sources = json.at("source").get<Sentences>();
      const auto targets = json.at("target").get<Sentences>();
      if (sources.size() != targets.size() || !IsUsable(sources, vocabulary) ||
          !IsUsable(targets, vocabulary)) {
        ThrowUserError("{}:{}: sources and targets must be as many, none empty, ids below {}",
                       path.string(), reader.line_number(), vocabulary);
      }
      batches.push_back(Pack(sources, targets));
    } catch (const nlohmann::json::exception& error) {
      ThrowUserError("{}:{}: {}", path.string(), reader.line_number(), error.what());
    }
  }
  if (batches.empty()) ThrowUserError("{}: no batches", path.string());
  return batches;
}

}  // namespace heed
