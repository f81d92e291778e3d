#include "train/metrics_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

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
    MetricsLog log(path, 0);
    log.Write(1, "train", {{"loss", 2.5}});
    log.Write(2, "train", {{"loss", std::nan("")}});
    log.Write(3, "valid", {{"bleu", 7}});
  }
  std::ofstream(path, std::ios::app) << R"({"update": 1, "ki)";
  {
    MetricsLog log(path, 2);
    log.Write(3, "train", {});
  }
  EXPECT_EQ(Content(path),
            "{\"update\":1,\"kind\":\"train\",\"loss\":2.5}\n"
            "{\"update\":2,\"kind\":\"train\",\"loss\":null}\n"
            "{\"update\":3,\"kind\":\"train\"}\n");
}

}  // namespace
}  // namespace heed
