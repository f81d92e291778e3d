#include "export/row_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tensor/half_precision.h"
#include "util/check.h"

namespace heed {
namespace {

// Stored elements of type Stored, turned into floats by `convert`.
template <class Stored, class Convert>
auto ReadStored(const std::byte* data, int64_t columns, Convert convert) {
  return [data, columns, convert](int64_t row, std::span<float> values) {
    const std::byte* from = data + row * columns * static_cast<int64_t>(sizeof(Stored));
    for (float& value : values) {
      Stored stored;
      std::memcpy(&stored, from, sizeof stored);
      value = convert(stored);
      from += sizeof stored;
    }
  };
}

// Row i of the result is row chosen[i] of the source.
RowSource GatherRows(RowSource source, std::vector<int64_t> chosen) {
  source.rows = std::ssize(chosen);
  source.read = [read = std::move(source.read), chosen = std::move(chosen)](
                    int64_t row, std::span<float> values) {
    read(chosen[static_cast<size_t>(row)], values);
  };
  return source;
}

RowSource GatherColumns(RowSource source, std::vector<int64_t> chosen) {
  const int64_t all = std::exchange(source.columns, std::ssize(chosen));
  source.read = [read = std::move(source.read), chosen = std::move(chosen), all](
                    int64_t row, std::span<float> values) {
    std::vector<float> whole(static_cast<size_t>(all));
    read(row, whole);
    for (size_t i = 0; i < values.size(); ++i) values[i] = whole[static_cast<size_t>(chosen[i])];
  };
  return source;
}

}  // namespace

RowSource TensorRows(const StoredTensor& tensor) {
  const size_t rank = tensor.shape.size();
  if (rank != 1 && rank != 2) {
    ThrowUserError("tensor '{}' has {} axes; a model has only vectors and matrices", tensor.name,
                   rank);
  }
  RowSource source{.name = tensor.name,
                   .rows = rank == 1 ? 1 : tensor.shape[0],
                   .columns = tensor.shape.back(),
                   .is_vector = rank == 1,
                   .read = {}};
  const std::string_view type = tensor.type.name;
  if (type == "F32") {
    source.read = ReadStored<float>(tensor.data, source.columns, [](float x) { return x; });
  } else if (type == "F64") {
    source.read = ReadStored<double>(tensor.data, source.columns,
                                     [](double x) { return static_cast<float>(x); });
  } else if (type == "F16") {
    source.read = ReadStored<uint16_t>(tensor.data, source.columns, FromFloat16);
  } else if (type == "BF16") {
    source.read = ReadStored<uint16_t>(tensor.data, source.columns, FromBfloat16);
  } else {
    ThrowUserError("tensor '{}' has type {}; weights are F32, F64, F16 or BF16", tensor.name, type);
  }
  return source;
}

RowSource SliceOutputs(RowSource source, int64_t first, int64_t count) {
  HEED_CHECK(first >= 0 && count >= 0 && first + count <= source.outputs(),
             "outputs {}+{} of {}, which has {}", first, count, source.name, source.outputs());
  if (first == 0 && count == source.outputs()) return source;
  if (!source.is_vector) {
    source.rows = count;
    source.read = [read = std::move(source.read), first](int64_t row, std::span<float> values) {
      read(first + row, values);
    };
    return source;
  }
  const int64_t all = std::exchange(source.columns, count);
  source.read = [read = std::move(source.read), first, all](int64_t row, std::span<float> values) {
    std::vector<float> whole(static_cast<size_t>(all));
    read(row, whole);
    std::copy_n(whole.begin() + first, values.size(), values.begin());
  };
  return source;
}

RowSource ExtendOutputs(RowSource source, int64_t outputs, float value) {
  const int64_t given = source.outputs();
  HEED_CHECK(outputs >= given, "{} outputs for {}, which has {}", outputs, source.name, given);
  (source.is_vector ? source.columns : source.rows) = outputs;
  source.read = [read = std::move(source.read), is_vector = source.is_vector, given, value](
                    int64_t row, std::span<float> values) {
    if (is_vector) {
      const auto count = static_cast<size_t>(given);
      read(row, values.first(count));
      std::ranges::fill(values.subspan(count), value);
    } else if (row < given) {
      read(row, values);
    } else {
      std::ranges::fill(values, value);
    }
  };
  return source;
}

RowSource ReorderColumns(RowSource source, std::vector<int64_t> order) {
  HEED_CHECK(std::ssize(order) == source.columns, "an order of {} columns for {}, which has {}",
             order.size(), source.name, source.columns);
  return GatherColumns(std::move(source), std::move(order));
}

RowSource ReorderRows(RowSource source, std::vector<int64_t> order) {
  HEED_CHECK(std::ssize(order) == source.rows, "an order of {} rows for {}, which has {}",
             order.size(), source.name, source.rows);
  return GatherRows(std::move(source), std::move(order));
}

RowSource SelectOutputs(RowSource source, std::vector<int64_t> chosen) {
  for (const int64_t output : chosen) {
    HEED_CHECK(output >= 0 && output < source.outputs(), "output {} of {}, which has {}", output,
               source.name, source.outputs());
  }
  return source.is_vector ? GatherColumns(std::move(source), std::move(chosen))
                          : GatherRows(std::move(source), std::move(chosen));
}

RowSource ZeroRows(std::string name, int64_t rows, int64_t columns) {
  return {
      .name = std::move(name),
      .rows = rows,
      .columns = columns,
      .read = [](int64_t /*row*/, std::span<float> values) { std::ranges::fill(values, 0.0F); }};
}

}  // namespace heed
