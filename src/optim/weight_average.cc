#include "optim/weight_average.h"

#include <algorithm>

namespace heed {
namespace {

MatrixView Flat(const Memory& memory, const ParameterStore& store) {
  return {memory.data(), store.type(), 1, store.flat_size(), store.flat_size()};
}

}  // namespace

WeightAverage::WeightAverage(double decay, const ParameterStore& store, Backend& backend)
    : decay_(decay),
      store_(store),
      backend_(backend),
      average_(backend.Allocate(store.flat_size() * SizeOf(store.type()))) {
  backend_.Copy(store_.flat_values(), average());
}

void WeightAverage::Update(int64_t update) {
  const auto s = static_cast<double>(update);
  backend_.MovingAverage(store_.flat_values(), std::min(decay_, (1 + s) / (10 + s)), average());
}

void WeightAverage::Swap() {
  if (spare_.data() == nullptr) spare_ = backend_.Allocate(average_.bytes());
  backend_.Copy(average(), Flat(spare_, store_));
  backend_.Copy(store_.flat_values(), average());
  backend_.Copy(Flat(spare_, store_), store_.flat_values());
}

MatrixView WeightAverage::average() const {
  return Flat(average_, store_);
}

}  // namespace heed
