// Logging through spdlog, to stderr. Numbers for machines go to metrics.jsonl, translations to
// stdout.
#pragma once

#include <spdlog/spdlog.h>

#include <string>

// HEED_LOG(info, "update {} loss {:.4f}", update, loss);
#define HEED_LOG(level, ...) ::spdlog::level(__VA_ARGS__)

namespace heed {

// Sends all logs to stderr as "[12:34:56] message"; `level` is trace, debug, info, warning, error
// or off.
void StartLogging(const std::string& level);

}  // namespace heed
