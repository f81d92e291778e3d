#include "util/check.h"

#include <fmt/format.h>

namespace heed::internal {

void FailUser(fmt::string_view format, fmt::format_args args) {
  throw UserError(fmt::vformat(format, args));
}

void FailCheck(const FailedCheck& check, fmt::string_view format, fmt::format_args args) {
  throw InternalError(fmt::format("{}:{}: {} [{} does not hold]", check.file, check.line,
                                  fmt::vformat(format, args), check.condition));
}

}  // namespace heed::internal
