// Runs the programs that people deploy exports in, through Python scripts beside the tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace heed {

enum class ClientResult { kPassed, kFailed, kAbsent };

// Runs tests/export/SCRIPT with the interpreter HEED_PYTHON and one argument. The script ends with
// 77 if its packages (tests/requirements.txt) are not installed.
inline ClientResult RunClient(const std::string& script, const std::filesystem::path& argument) {
  const char* python = std::getenv("HEED_PYTHON");
  if (python == nullptr || *python == '\0') return ClientResult::kAbsent;
  const std::string command =
      fmt::format("PYTHONDONTWRITEBYTECODE=1 '{}' '{}/tests/export/{}' '{}'", python,
                  HEED_SOURCE_DIR, script, argument.string());
  constexpr int kSkip = 77;
  const int status = std::system(command.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == kSkip) return ClientResult::kAbsent;
  return status == 0 ? ClientResult::kPassed : ClientResult::kFailed;
}

// HEED_REQUIRE_CLIENTS=1 makes an absent client a failure.
inline bool ClientsAreRequired() {
  const char* value = std::getenv("HEED_REQUIRE_CLIENTS");
  return value != nullptr && std::string(value) == "1";
}

}  // namespace heed

// Ends a test as the client did.
#define HEED_EXPECT_CLIENT_PASSES(script, argument)                                         \
  do {                                                                                      \
    const ::heed::ClientResult result = ::heed::RunClient(script, argument);                \
    if (result == ::heed::ClientResult::kAbsent && !::heed::ClientsAreRequired()) {         \
      GTEST_SKIP() << "HEED_PYTHON names no Python with tests/requirements.txt installed";  \
    }                                                                                       \
    EXPECT_EQ(result, ::heed::ClientResult::kPassed) << "the client's report stands above"; \
  } while (false)
