#include "util/logging.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace heed {
namespace {

spdlog::level::level_enum LevelOfSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::trace:
      return spdlog::level::trace;
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warn:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

}  // namespace

void StartLogging(const std::string& level) {
  auto logger = std::make_shared<spdlog::logger>(
      "heed", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("[%H:%M:%S] %^%v%$");
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

namespace internal {

void Log(LogLevel level, fmt::string_view format, fmt::format_args args) {
  const spdlog::level::level_enum at = LevelOfSpdlog(level);
  if (spdlog::should_log(at)) spdlog::default_logger_raw()->log(at, fmt::vformat(format, args));
}

}  // namespace internal
}  // namespace heed
