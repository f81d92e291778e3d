#include "tensor/tensor.h"

#include "util/check.h"

namespace heed {

Tensor::Tensor(const Tensor& other)
    : slot(other.slot), view_(other.view_), storage_(other.storage_) {
  if (storage_ != nullptr) ++storage_->references;
}

Tensor::~Tensor() {
  if (storage_ != nullptr && --storage_->references == 0) storage_->pool->Release(storage_);
}

bool Tensor::unique() const {
  return storage_ != nullptr && storage_->references == 1;
}

Tensor TensorPool::New(DType type, int64_t rows, int64_t columns) {
  HEED_CHECK(rows >= 0 && columns >= 0, "a tensor of {} x {}", rows, columns);
  if (idle_.empty()) {
    constexpr int kGrowth = 256;
    for (int i = 0; i < kGrowth; ++i) {
      records_.push_back(std::make_unique<Tensor::Storage>());
      idle_.push_back(records_.back().get());
    }
    idle_.reserve(records_.size());
  }
  Tensor::Storage* storage = idle_.back();
  const int64_t bytes = rows * columns * SizeOf(type);
  *storage = {this, workspace_.Allocate(bytes), bytes, 1};
  idle_.pop_back();
  Tensor tensor;
  tensor.storage_ = storage;
  tensor.view_ = {workspace_.at(storage->offset), type, rows, columns, columns};
  return tensor;
}

void TensorPool::Release(Tensor::Storage* storage) {
  workspace_.Free(storage->offset, storage->bytes);
  idle_.push_back(storage);
}

}  // namespace heed
