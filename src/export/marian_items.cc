#include "export/marian_items.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "export/element_type.h"
#include "export/marian_names.h"

namespace heed {
namespace {

// The parameter that the logits are products with.
std::string OutputMatrix(EmbeddingTying tying) {
  switch (tying) {
    case EmbeddingTying::kAll:
      return "embedding.weight";
    case EmbeddingTying::kDecoder:
      return "target_embedding.weight";
    case EmbeddingTying::kNone:
      break;
  }
  return "output.weight";
}

// The parameter that a name stands for, whole; zeros if it is a bias that the model lacks.
RowSource WholeRows(const PortableWeights& weights, const std::string& ours) {
  const bool is_output = ours == "output.bias";
  const bool is_lacking =
      ours.ends_with(".bias") && !ours.ends_with("norm.bias") &&
      !(is_output ? weights.options().output_bias : weights.options().projection_bias);
  if (!is_lacking) return weights.Rows(ours);
  constexpr size_t kSuffix = std::string_view(".bias").size();
  const std::string weight = is_output ? OutputMatrix(weights.options().tie_embeddings)
                                       : ours.substr(0, ours.size() - kSuffix) + ".weight";
  RowSource zeros = ZeroRows(ours, 1, weights.Rows(weight).rows);
  zeros.is_vector = true;
  return zeros;
}

// All values, [columns, rows] if `transposed`.
std::string MakeValues(const RowSource& source, bool transposed) {
  const auto rows = static_cast<size_t>(source.rows);
  const auto columns = static_cast<size_t>(source.columns);
  std::string bytes(rows * columns * sizeof(float), '\0');
  std::vector<float> row(columns);
  for (size_t i = 0; i < rows; ++i) {
    source.read(static_cast<int64_t>(i), row);
    RequireFinite(source, static_cast<int64_t>(i), row);
    for (size_t k = 0; k < columns; ++k) {
      const size_t place = transposed ? k * rows + i : i * columns + k;
      std::memcpy(bytes.data() + place * sizeof(float), &row[k], sizeof(float));
    }
  }
  return bytes;
}

}  // namespace

int64_t MarianItem::bytes() const {
  int64_t bytes = SizeOf(type);
  for (const int64_t size : shape) bytes *= size;
  return bytes;
}

std::vector<MarianItem> MarianItems(const PortableWeights& weights) {
  std::vector<MarianItem> items;
  for (const TensorName& name : MarianNames(weights.options())) {
    RowSource rows = WholeRows(weights, name.ours);
    if (name.count != TensorName::kAll) {
      rows = SliceOutputs(std::move(rows), name.first, name.count);
    }
    const bool transposed = IsTransposedInMarian(name.theirs);
    MarianItem item{.name = name.theirs, .shape = {rows.rows, rows.columns}, .make = {}};
    if (transposed) std::swap(item.shape[0], item.shape[1]);
    item.make = [rows = std::move(rows), transposed] { return MakeValues(rows, transposed); };
    items.push_back(std::move(item));
  }
  return items;
}

MarianItem MarianTextItem(std::string name, std::string text, int64_t block) {
  const int64_t bytes = (std::ssize(text) / block + 1) * block;
  text.resize(static_cast<size_t>(bytes), '\0');
  return {.name = std::move(name),
          .type = MarianType::kInt8,
          .shape = {bytes},
          .make = [text = std::move(text)] { return text; }};
}

}  // namespace heed
