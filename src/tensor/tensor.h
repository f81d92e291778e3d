// Tensor: a reference-counted handle to a matrix in the workspace, [rows, columns].
//
// The last handle gives the memory back at once, so forward temporaries die at scope exit and saved
// activations when their backward closure has run. Counts are plain integers: one thread per device
// handles tensors. `slot` names the tensor's gradient on the tape (-1 = no gradient wanted).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tensor/matrix_view.h"
#include "tensor/workspace.h"

namespace heed {

class TensorPool;

class Tensor {
 public:
  Tensor() = default;
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept
      : slot(std::exchange(other.slot, -1)),
        view_(std::exchange(other.view_, {})),
        storage_(std::exchange(other.storage_, nullptr)) {}
  Tensor& operator=(Tensor other) noexcept {
    std::swap(slot, other.slot);
    std::swap(view_, other.view_);
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~Tensor();

  explicit operator bool() const { return storage_ != nullptr; }
  int64_t rows() const { return view_.rows; }
  int64_t columns() const { return view_.columns; }
  int64_t size() const { return view_.size(); }
  DType type() const { return view_.type; }
  const MatrixView& view() const { return view_; }
  // True if no other handle shares the memory, so that it may be overwritten.
  bool unique() const;
  bool wants_gradient() const { return slot >= 0; }

  int32_t slot = -1;

 private:
  friend class TensorPool;
  struct Storage {
    TensorPool* pool = nullptr;
    int64_t offset = 0;
    int64_t bytes = 0;
    int32_t references = 0;
  };
  MatrixView view_;
  Storage* storage_ = nullptr;
};

// Hands out tensors from a workspace and recycles their records: no heap once it is warm.
class TensorPool {
 public:
  explicit TensorPool(Workspace& workspace) : workspace_(workspace) {}
  TensorPool(const TensorPool&) = delete;
  TensorPool& operator=(const TensorPool&) = delete;

  // Uninitialised memory, [rows, columns], contiguous.
  Tensor New(DType type, int64_t rows, int64_t columns);
  Workspace& workspace() { return workspace_; }

 private:
  friend class Tensor;
  void Release(Tensor::Storage* storage);

  Workspace& workspace_;
  std::vector<std::unique_ptr<Tensor::Storage>> records_;
  std::vector<Tensor::Storage*> idle_;
};

}  // namespace heed
