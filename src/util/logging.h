// Logging, to stderr. Numbers for machines go to metrics.jsonl, translations to stdout.
#pragma once

#include <fmt/core.h>

#include <string>

// HEED_LOG(info, "update {} loss {:.4f}", update, loss);
#define HEED_LOG(level, ...) ::heed::internal::LogWith(::heed::LogLevel::level, __VA_ARGS__)

namespace heed {

// NOLINTNEXTLINE(readability-identifier-naming): so that HEED_LOG(info, ...) needs no table
enum class LogLevel { trace, debug, info, warn, error };

// Sends all logs to stderr as "[12:34:56] message"; `level` is trace, debug, info, warning, error
// or off.
void StartLogging(const std::string& level);

namespace internal {
// spdlog and the formatting are compiled once, in logging.cc.
void Log(LogLevel level, fmt::string_view format, fmt::format_args args);

template <class... Args>
void LogWith(LogLevel level, fmt::format_string<Args...> format, const Args&... args) {
  Log(level, format, fmt::make_format_args(args...));
}
}  // namespace internal
}  // namespace heed
