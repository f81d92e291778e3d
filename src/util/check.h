// Errors: who is to blame decides the class.
//
//   UserError      a wrong recipe, file or command line; says what, where and what to do. Exit 2.
//   InternalError  our bug, raised by HEED_CHECK; always on, also in release builds.
//   DeviceError    a library or a device failed.
//
// They are caught in one place, `main`. Non-goal: status codes; a trainer seldom recovers.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace heed {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws UserError with a formatted message, for instance
//   ThrowUserError("{}:{}: empty line; remove it or set data.empty_lines: drop", path, line);
template <class... Args>
[[noreturn]] void ThrowUserError(fmt::format_string<Args...> format, Args&&... args) {
  throw UserError(fmt::format(format, std::forward<Args>(args)...));
}

namespace internal {
[[noreturn]] void FailCheck(const char* file, int line, const char* condition,
                            const std::string& message);
}  // namespace internal
}  // namespace heed

// HEED_CHECK(x.rows() == y.rows(), "x has {} rows, y has {}", x.rows(), y.rows());
#define HEED_CHECK(condition, ...)                                                             \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      ::heed::internal::FailCheck(__FILE__, __LINE__, #condition, ::fmt::format(__VA_ARGS__)); \
    }                                                                                          \
  } while (false)
