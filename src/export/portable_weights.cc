#include "export/portable_weights.h"

#include <algorithm>
#include <array>
#include <utility>

#include "nn/sinusoid.h"
#include "util/check.h"

namespace heed {
namespace {

struct AxisRule {
  std::string_view suffix;
  WidthAxis axis;
};

// The first suffix that fits decides.
constexpr auto kAxisRules = std::to_array<AxisRule>({
    {"attention.output.weight", WidthAxis::kOutputs},
    {"attention.output.bias", WidthAxis::kOutputs},
    {".down.weight", WidthAxis::kOutputs},
    {".down.bias", WidthAxis::kOutputs},
    {"norm.weight", WidthAxis::kOutputs},
    {"norm.bias", WidthAxis::kOutputs},
    {"embedding.weight", WidthAxis::kColumns},
    {"output.weight", WidthAxis::kColumns},
    {".qkv.weight", WidthAxis::kColumns},
    {".query.weight", WidthAxis::kColumns},
    {".key_value.weight", WidthAxis::kColumns},
    {".up.weight", WidthAxis::kColumns},
    {".positions", WidthAxis::kColumns},
    {"output.bias", WidthAxis::kNone},
    {".qkv.bias", WidthAxis::kNone},
    {".query.bias", WidthAxis::kNone},
    {".key_value.bias", WidthAxis::kNone},
    {".up.bias", WidthAxis::kNone},
});

bool IsInterleaved(const PositionOptions& positions) {
  return positions.kind == PositionKind::kSinusoidal &&
         positions.layout == SinusoidLayout::kInterleaved;
}

// One row at a time, so that long tables need no memory.
RowSource SinusoidRows(const PositionOptions& options, int64_t rows, int64_t width) {
  return {.name = "sinusoidal positions",
          .rows = rows,
          .columns = width,
          .read = [options, width](int64_t row, std::span<float> values) {
            PositionOptions here = options;
            here.offset += row;
            const std::vector<double> table = SinusoidTable(here, 1, width);
            std::ranges::transform(table, values.begin(),
                                   [](double value) { return static_cast<float>(value); });
          }};
}

}  // namespace

WidthAxis WidthAxisOf(std::string_view name) {
  for (const AxisRule& rule : kAxisRules) {
    if (name.ends_with(rule.suffix)) return rule.axis;
  }
  HEED_CHECK(false, "no rule says how parameter {} depends on the order of values", name);
  return WidthAxis::kNone;
}

std::vector<int64_t> HalfSplitOrder(int64_t width) {
  const int64_t half = width / 2;
  std::vector<int64_t> order(static_cast<size_t>(width));
  for (int64_t i = 0; i < width; ++i) {
    // The last of an odd width has no partner and stays.
    const bool is_cosine = i >= half && i < 2 * half;
    order[static_cast<size_t>(i)] = is_cosine ? 2 * (i - half) + 1 : std::min(2 * i, width - 1);
  }
  return order;
}

PortableWeights::PortableWeights(const ModelSource& source)
    : source_(source), options_(source.options()) {
  if (!IsInterleaved(options_.positions)) return;
  options_.positions.layout = SinusoidLayout::kHalf;
  order_ = HalfSplitOrder(options_.model_width);
}

RowSource PortableWeights::Rows(std::string_view name) const {
  RowSource source = source_.Rows(name);
  if (order_.empty()) return source;
  switch (WidthAxisOf(name)) {
    case WidthAxis::kNone:
      return source;
    case WidthAxis::kColumns:
      return ReorderColumns(std::move(source), order_);
    case WidthAxis::kOutputs:
      return source.is_vector ? ReorderColumns(std::move(source), order_)
                              : ReorderRows(std::move(source), order_);
  }
  return source;
}

RowSource PortableWeights::Positions(std::string_view stack, int64_t rows) const {
  switch (options_.positions.kind) {
    case PositionKind::kLearned:
      return Rows(std::string(stack) + ".positions");
    case PositionKind::kSinusoidal:
      return SinusoidRows(options_.positions, rows, options_.model_width);
    case PositionKind::kNone:
      return ZeroRows("no positions", rows, options_.model_width);
  }
  HEED_CHECK(false, "positions of no kind");
  return {};
}

}  // namespace heed
