// While one exists, a function sees every message of the log as it is written: to act at a certain
// moment of a training, or to check what it says.
#pragma once

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "util/logging.h"

namespace heed {

class LogWatcher {
 public:
  explicit LogWatcher(std::function<void(const std::string& message)> watch)
      : before_(spdlog::default_logger()) {
    auto sink = std::make_shared<Sink>();
    sink->watch = std::move(watch);
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("watched", std::move(sink)));
  }
  LogWatcher(const LogWatcher&) = delete;
  LogWatcher& operator=(const LogWatcher&) = delete;
  ~LogWatcher() { spdlog::set_default_logger(before_); }

 private:
  struct Sink : spdlog::sinks::base_sink<std::mutex> {
    void sink_it_(const spdlog::details::log_msg& message) override {
      watch(std::string(message.payload.data(), message.payload.size()));
    }
    void flush_() override {}
    std::function<void(const std::string&)> watch;
  };

  std::shared_ptr<spdlog::logger> before_;
};

}  // namespace heed
