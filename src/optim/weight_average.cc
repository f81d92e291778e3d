#include "optim/weight_average.h"

#include <algorithm>

namespace heed {
namespace {

constexpr int64_t kSpareElements = 1 << 16;

MatrixView Flat(const Memory& memory, const ParameterStore& store) {
  return {memory.data(), store.type(), 1, store.flat_size(), store.flat_size()};
}

}  // namespace

WeightAverage::WeightAverage(double decay, const ParameterStore& store, Backend& backend)
    : decay_(decay),
      store_(store),
      backend_(backend),
      average_(backend.Allocate(store.flat_size() * SizeOf(store.type()))),
      spare_(backend.Allocate(kSpareElements * SizeOf(store.type()))) {
  Restart();
}

void WeightAverage::Restart() {
  backend_.Copy(store_.flat_values(), average());
}

void WeightAverage::Update(int64_t update) {
  const auto s = static_cast<double>(update);
  const double decay = std::min(decay_, (1 + s) / (10 + s));
  for (const auto& [begin, count] : store_.Trainable()) {
    backend_.MovingAverage(store_.flat_values().Columns(begin, count), decay,
                           average().Columns(begin, count));
  }
}

// In parts, so that the spare memory stays small whatever the model.
void WeightAverage::Swap() {
  const MatrixView averages = average();
  const MatrixView values = store_.flat_values();
  for (int64_t begin = 0; begin < values.columns; begin += kSpareElements) {
    const int64_t count = std::min(kSpareElements, values.columns - begin);
    const MatrixView spare{spare_.data(), values.type, 1, count, count};
    backend_.Copy(averages.Columns(begin, count), spare);
    backend_.Copy(values.Columns(begin, count), averages.Columns(begin, count));
    backend_.Copy(spare, values.Columns(begin, count));
  }
}

MatrixView WeightAverage::average() const {
  return Flat(average_, store_);
}

}  // namespace heed
