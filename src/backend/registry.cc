// MakeBackend: the one place that knows every backend. The declaration is in backend.h.
#include <memory>

#include "backend/backend.h"
#include "backend/cpu/cpu_backend.h"
#include "backend/measuring.h"
#include "backend/reference/reference_backend.h"

namespace heed {
namespace {

std::unique_ptr<Backend> MakeReference(DType real) {
  if (real == DType::kFloat64) return std::make_unique<ReferenceBackend<double>>();
  return std::make_unique<ReferenceBackend<float>>();
}

void RequireFloat32(const BackendOptions& options) {
  if (options.real == DType::kFloat32) return;
  ThrowUserError("backend {} has no {} arithmetic; use float32, or the backend reference",
                 options.name, Name(options.real));
}

}  // namespace

std::unique_ptr<Backend> MakeBackend(const BackendOptions& options) {
  HEED_CHECK(options.real != DType::kInt32, "a backend for {}", Name(options.real));
  if (options.name == "reference") return MakeReference(options.real);
  if (options.name == "measuring") return std::make_unique<MeasuringBackend>(options.real);
  if (options.name == "cpu") {
    RequireFloat32(options);
    return std::make_unique<CpuBackend>(options.num_threads);
  }
  ThrowUserError("unknown backend '{}'; known are cpu, reference, measuring", options.name);
}

}  // namespace heed
