#include "util/logging.h"

#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>

namespace heed {

void StartLogging(const std::string& level) {
  auto logger = std::make_shared<spdlog::logger>(
      "heed", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("[%H:%M:%S] %^%v%$");
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace heed
