#include "export/parity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "models/model_factory.h"
#include "util/check.h"
#include "util/philox.h"

namespace heed {
namespace {

// Lengths of the probe's sentences, without end mark; longest target first, as batches have them.
constexpr std::array<int32_t, 5> kSourceLengths = {23, 11, 2, 9, 1};
constexpr std::array<int32_t, 5> kTargetLengths = {19, 14, 5, 3, 0};

int32_t LongestSentence(const ModelOptions& options) {
  if (options.positions.kind != PositionKind::kLearned) return std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(options.positions.max_length);
}

// Random ids and an end mark, which is id 0 here: it need not mean anything to the model.
std::vector<int32_t> MakeSentence(int32_t length, int64_t vocabulary, uint32_t number) {
  const RandomStream stream{.seed = 2017, .update = number};
  std::vector<int32_t> ids;
  ids.reserve(static_cast<size_t>(length) + 1);
  for (int32_t i = 0; i < length; ++i) {
    ids.push_back(static_cast<int32_t>(RandomBits(stream, static_cast<uint64_t>(i)) % vocabulary));
  }
  ids.push_back(0);
  return ids;
}

}  // namespace

Batch MakeProbe(const TransformerShape& shape) {
  Batch batch;
  const int32_t longest = LongestSentence(shape.options) - 1;  // and the end mark
  std::vector<int32_t> source_lengths, target_lengths;
  for (uint32_t i = 0; i < kSourceLengths.size(); ++i) {
    const auto source =
        MakeSentence(std::min(longest, kSourceLengths[i]), shape.source_vocabulary, 2 * i);
    const auto target =
        MakeSentence(std::min(longest, kTargetLengths[i]), shape.target_vocabulary, 2 * i + 1);
    batch.source_ids.insert(batch.source_ids.end(), source.begin(), source.end());
    batch.target_inputs.push_back(kDecoderStartId);
    batch.target_inputs.insert(batch.target_inputs.end(), target.begin(), target.end() - 1);
    batch.target_labels.insert(batch.target_labels.end(), target.begin(), target.end());
    source_lengths.push_back(static_cast<int32_t>(source.size()));
    target_lengths.push_back(static_cast<int32_t>(target.size()));
    batch.sentence_ids.push_back(i);
  }
  batch.source = SequenceLayout::FromLengths(source_lengths);
  batch.target = SequenceLayout::FromLengths(target_lengths);
  return batch;
}

std::vector<double> ProbeLogProbabilities(Batch probe, const TransformerShape& shape,
                                          const std::function<void(const ParameterStore&)>& fill,
                                          Backend& backend) {
  HEED_CHECK(backend.real() == DType::kFloat32, "the probe in {}", Name(backend.real()));
  ParameterStore store;
  const auto model = MakeModel(store, shape, false);
  store.Allocate(backend.real(), false, [&](int64_t bytes) { return backend.Allocate(bytes); });
  fill(store);

  std::ranges::replace(probe.target_inputs, kDecoderStartId, shape.begin_id);
  const Memory slab = backend.Allocate(int64_t{1} << 36);  // backed as far as it is used
  Workspace workspace(slab.data(), slab.bytes());
  TensorPool tensors(workspace);
  Context ctx{.backend = backend, .tensors = tensors};
  const Tensor losses = model->Loss(ctx, probe, {});
  std::vector<double> log_probabilities;
  for (int64_t row = 0; row < losses.rows(); ++row) {
    log_probabilities.push_back(-static_cast<double>(losses.view().Row<float>(row)[1]));
  }
  return log_probabilities;
}

ParityReport CompareProbes(const std::vector<double>& source, const std::vector<double>& exported) {
  HEED_CHECK(!source.empty() && source.size() == exported.size(), "probes of {} and {} tokens",
             source.size(), exported.size());
  ParityReport report{.tokens = std::ssize(source)};
  for (size_t i = 0; i < source.size(); ++i) {
    const double difference = std::abs(source[i] - exported[i]);
    // Not a number must not look like parity.
    const double counted =
        std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    report.largest_difference = std::max(report.largest_difference, counted);
    report.mean_difference += counted / static_cast<double>(source.size());
  }
  return report;
}

bool IsWithinRounding(const ParityReport& report, ElementType type) {
  switch (type) {
    case ElementType::kFloat32:
      return report.largest_difference <= 1e-4;
    case ElementType::kFloat16:
      return report.mean_difference <= 0.02;
    case ElementType::kBfloat16:
      return report.mean_difference <= 0.2;
    case ElementType::kInt8:
      return report.mean_difference <= 0.4;
  }
  return false;
}

}  // namespace heed
