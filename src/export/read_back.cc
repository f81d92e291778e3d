#include "export/read_back.h"

#include <map>
#include <utility>

#include "util/check.h"

namespace heed {
namespace {

// Copies a tensor to outputs [first, first + count) of a parameter; returns its elements.
int64_t FillPart(const Parameter& parameter, const TensorName& name, const RowSource& source) {
  const bool is_vector = source.is_vector && parameter.rows == 1;
  const int64_t outputs = is_vector ? parameter.columns : parameter.rows;
  const int64_t count = name.count == TensorName::kAll ? outputs : name.count;
  const MatrixView part = is_vector ? parameter.value.Columns(name.first, count)
                                    : parameter.value.Rows(name.first, count);
  if (part.rows != source.rows || part.columns != source.columns) {
    ThrowUserError("tensor '{}' is [{}, {}]; the model needs [{}, {}]", name.theirs, source.rows,
                   source.columns, part.rows, part.columns);
  }
  for (int64_t row = 0; row < part.rows; ++row) {
    source.read(row, {part.Row<float>(row), static_cast<size_t>(part.columns)});
  }
  return part.size();
}

}  // namespace

void FillParameters(const ParameterStore& parameters, const TensorNames& names,
                    const std::function<RowSource(const std::string& theirs)>& open) {
  std::map<const Parameter*, int64_t> filled;
  for (const TensorName& name : names) {
    const Parameter* parameter = parameters.Find(name.ours);
    HEED_CHECK(parameter != nullptr, "{} names no parameter", name.ours);
    filled[parameter] += FillPart(*parameter, name, open(name.theirs));
  }
  for (const auto& parameter : parameters.parameters()) {
    HEED_CHECK(filled[parameter.get()] == parameter->size(), "{} of {} values of {} are set",
               filled[parameter.get()], parameter->size(), parameter->name);
  }
}

}  // namespace heed
