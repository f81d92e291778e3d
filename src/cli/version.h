// What `heed --version` prints.
#pragma once

#include <string>

namespace heed {

// "Heed 0.1.0 (revision abc)", a line of libraries and one of metrics.
std::string VersionText();

}  // namespace heed
