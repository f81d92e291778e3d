#include "util/check.h"

namespace heed::internal {

void FailCheck(const char* file, int line, const char* condition, const std::string& message) {
  throw InternalError(fmt::format("{}:{}: {} [{} does not hold]", file, line, message, condition));
}

}  // namespace heed::internal
