#include "util/json_file.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "util/check.h"
#include "util/files.h"

namespace heed {

nlohmann::json ReadJsonFile(const std::filesystem::path& path) {
  const std::string text = ReadFile(path);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    constexpr size_t kLongestReason = 300;  // the reason quotes the file
    ThrowUserError("{} is not JSON: {}", path.string(),
                   std::string_view(error.what()).substr(0, kLongestReason));
  }
}

nlohmann::json NumberToJson(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double NumberFromJson(const nlohmann::json& value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return kInfinity;
  if (value == "-inf") return -kInfinity;
  return value.get<double>();
}

}  // namespace heed
