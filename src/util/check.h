// Errors: who is to blame decides the class.
//
//   UserError      a wrong recipe, file or command line; says what, where and what to do. Exit 2.
//   InternalError  our bug, raised by HEED_CHECK; always on, also in release builds.
//   DeviceError    a library or a device failed.
//
// They are caught in one place, `main`. Non-goal: status codes; a trainer seldom recovers.
#pragma once

#include <fmt/core.h>

#include <stdexcept>

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

namespace internal {
// The formatting itself is compiled once, in check.cc; this header is included nearly everywhere.
[[noreturn]] void FailUser(fmt::string_view format, fmt::format_args args);

struct FailedCheck {
  const char* file;
  int line;
  const char* condition;
};
[[noreturn]] void FailCheck(const FailedCheck& check, fmt::string_view format,
                            fmt::format_args args);

template <class... Args>
[[noreturn]] void FailCheckWith(const FailedCheck& check, fmt::format_string<Args...> format,
                                const Args&... args) {
  FailCheck(check, format, fmt::make_format_args(args...));
}
}  // namespace internal

// Throws UserError with a formatted message, for instance
//   ThrowUserError("{}:{}: empty line; remove it or set data.empty_lines: drop", path, line);
template <class... Args>
[[noreturn]] void ThrowUserError(fmt::format_string<Args...> format, const Args&... args) {
  internal::FailUser(format, fmt::make_format_args(args...));
}

}  // namespace heed

// HEED_CHECK(x.rows() == y.rows(), "x has {} rows, y has {}", x.rows(), y.rows());
#define HEED_CHECK(condition, ...)                                                    \
  do {                                                                                \
    if (!(condition)) {                                                               \
      ::heed::internal::FailCheckWith({__FILE__, __LINE__, #condition}, __VA_ARGS__); \
    }                                                                                 \
  } while (false)
