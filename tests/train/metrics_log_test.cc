#include "train/metrics_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>

#include "tests/util/file_size_limit.h"
#include "tests/util/temporary_directory.h"

namespace heed {
namespace {

std::string Content(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(MetricsLog, ResumingDropsLaterAndTornLines) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "heed_metrics_log.jsonl";
  std::filesystem::remove(path);
  {
    MetricsLog log(path, 0, 0);
    log.Write(1, "train", {{"loss", 2.5}});
    log.Write(2, "train", {{"loss", std::nan("")}});
    log.Write(3, "valid", {{"bleu", 7}});
  }
  std::ofstream(path, std::ios::app) << R"({"update": 1, "ki)";
  {
    MetricsLog log(path, 2, 2);
    log.Write(3, "train", {});
  }
  EXPECT_EQ(Content(path),
            "{\"update\":1,\"kind\":\"train\",\"loss\":2.5}\n"
            "{\"update\":2,\"kind\":\"train\",\"loss\":null}\n"
            "{\"update\":3,\"kind\":\"train\"}\n");
}

// A run that stopped before it saved a validation will validate that update again.
TEST(MetricsLog, ValidationsThatWereNotSavedAreDropped) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory / "metrics.jsonl";
  {
    MetricsLog log(path, 0, 0);
    log.Write(4, "valid", {});
    log.Write(8, "train", {});
    log.Write(8, "valid", {});
  }
  const MetricsLog log(path, 8, 4);
  EXPECT_EQ(Content(path),
            "{\"update\":4,\"kind\":\"valid\"}\n{\"update\":8,\"kind\":\"train\"}\n");
}

TEST(MetricsLog, LinesThatAreNotOursAreDropped) {
  const TemporaryDirectory directory;
  std::ofstream(directory / "metrics.jsonl") << std::string_view("\0\xFF\n", 3) << R"({"update":"a"}
{"update":null}
{"update":1.5}
{"updates":1}
[1]
{"update":1,"kind":"train"}
)";
  const MetricsLog log(directory / "metrics.jsonl", 2, 2);
  EXPECT_EQ(Content(directory / "metrics.jsonl"), "{\"update\":1,\"kind\":\"train\"}\n");
}

TEST(MetricsLog, WhatAFullDiskKeepsOutIsWrittenLater) {
  const TemporaryDirectory directory;
  MetricsLog log(directory / "metrics.jsonl", 0, 0);
  log.Write(1, "train", {{"loss", 1}});
  const std::string first = Content(directory / "metrics.jsonl");
  {
    const FileSizeLimit limit(first.size() + 10);
    log.Write(2, "train", {{"loss", 2}});
    EXPECT_EQ(Content(directory / "metrics.jsonl"), first);  // not a torn line
    log.Write(3, "train", {{"loss", 3}});
  }
  log.Write(4, "train", {{"loss", 4}});
  std::string expected;
  for (int update = 1; update <= 4; ++update) {
    expected += fmt::format("{{\"update\":{0},\"kind\":\"train\",\"loss\":{0}.0}}\n", update);
  }
  EXPECT_EQ(Content(directory / "metrics.jsonl"), expected);
}

}  // namespace
}  // namespace heed
