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

// Runs tests/export/SCRIPT with the interpreter that an environment variable names and one
// argument. The script ends with 77 if its packages are not installed.
inline ClientResult RunClient(const char* variable, const std::string& script,
                              const std::filesystem::path& argument) {
  const char* python = std::getenv(variable);
  if (python == nullptr || *python == '\0') return ClientResult::kAbsent;
  const std::string command =
      fmt::format("PYTHONDONTWRITEBYTECODE=1 '{}' '{}/tests/export/{}' '{}'", python,
                  HEED_SOURCE_DIR, script, argument.string());
  constexpr int kSkip = 77;
  const int status = std::system(command.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == kSkip) return ClientResult::kAbsent;
  return status == 0 ? ClientResult::kPassed : ClientResult::kFailed;
}

// HEED_REQUIRE_CLIENTS=1 makes an absent client a failure, if its interpreter is named at all or is
// the one of all tests.
inline bool IsRequired(const char* variable) {
  const char* value = std::getenv("HEED_REQUIRE_CLIENTS");
  const char* python = std::getenv(variable);
  const bool is_named = python != nullptr && *python != '\0';
  const bool are_all = value != nullptr && std::string(value) == "1";
  return are_all && (is_named || std::string(variable) == "HEED_PYTHON");
}

}  // namespace heed

// Ends a test as the client did.
#define HEED_EXPECT_CLIENT_PASSES(variable, script, argument)                               \
  do {                                                                                      \
    const ::heed::ClientResult result = ::heed::RunClient(variable, script, argument);      \
    if (result == ::heed::ClientResult::kAbsent && !::heed::IsRequired(variable)) {         \
      GTEST_SKIP() << variable << " names no Python with the packages of " << script;       \
    }                                                                                       \
    EXPECT_EQ(result, ::heed::ClientResult::kPassed) << "the client's report stands above"; \
  } while (false)
