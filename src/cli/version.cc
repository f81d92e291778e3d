#include "cli/version.h"

#include <fmt/format.h>

#include "metrics/metric.h"

namespace heed {

std::string VersionText() {
  return fmt::format("Heed {} (revision {})\nbuilt with {}\nmetrics as sacreBLEU {}", HEED_VERSION,
                     HEED_REVISION, HEED_LIBRARIES, kSacrebleuVersion);
}

}  // namespace heed
