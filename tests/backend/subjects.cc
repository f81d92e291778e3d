#include "tests/backend/subjects.h"

#include "backend/cpu/cpu_backend.h"

namespace heed {

std::unique_ptr<Backend> MakeSubject(const std::string& name, int num_threads) {
  if (name == "cpu_portable") return std::make_unique<CpuBackend>(num_threads, PortableKernels());
  return MakeBackend({.name = name, .num_threads = num_threads});
}

}  // namespace heed
