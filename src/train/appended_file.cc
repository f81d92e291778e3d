#include "train/appended_file.h"

#include <fstream>
#include <system_error>

#include "util/logging.h"

namespace heed {

void AppendedFile::Append(std::string_view entry) {
  pending_ += entry;
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path_, error);
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  file << pending_;
  file.close();
  if (file) {
    pending_.clear();
    has_failed_ = false;
    return;
  }
  if (!error) std::filesystem::resize_file(path_, bytes, error);  // no torn entry
  if (!has_failed_) HEED_LOG(warn, "{} cannot be written; its lines are kept", path_.string());
  has_failed_ = true;
}

}  // namespace heed
