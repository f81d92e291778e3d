#include "backend/cpu/cpu_backend.h"

#include <algorithm>
#include <cstring>

namespace heed {

CpuBackend::CpuBackend(int num_threads, const KernelTable& kernels)
    : kernels_(kernels),
      pool_(num_threads),
      gemm_(kernels, pool_),
      scratch_(static_cast<size_t>(pool_.num_threads())) {}

std::string CpuBackend::Describe() const {
  return fmt::format("cpu ({}, {} thread{})", kernels_.name, pool_.num_threads(),
                     pool_.num_threads() == 1 ? "" : "s");
}

void CpuBackend::Fill(MatrixView y, double value) {
  ForRows(y.rows, y.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.fill(y.Row<float>(row), y.columns, static_cast<float>(value));
    }
  });
}

void CpuBackend::Copy(ConstMatrixView x, MatrixView y) {
  ForRows(y.rows, y.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      std::memcpy(y.Row<float>(row), x.Row<float>(row),
                  static_cast<size_t>(y.columns) * sizeof(float));
    }
  });
}

void CpuBackend::AddTo(ConstMatrixView x, MatrixView y) {
  ForRows(y.rows, y.columns, [&](int64_t begin, int64_t count, int) {
    for (int64_t row = begin; row < begin + count; ++row) {
      kernels_.add(x.Row<float>(row), y.columns, y.Row<float>(row));
    }
  });
}

}  // namespace heed
